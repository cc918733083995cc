import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubernetesObject } from './kubectl';

interface Container {
  image: string;
  [field: string]: unknown;
}
interface Volume {
  name: string;
  secret?: { secretName: string };
  configMap?: { name: string };
  emptyDir?: object;
  hostPath?: { path: string; type: string };
}
export interface PodSpec {
  containers: Container[];
  initContainers?: Container[];
  volumes: Volume[];
  [field: string]: unknown;
}
interface Workload extends KubernetesObject {
  spec: { template: { metadata: { labels: Record<string, string> }; spec: PodSpec } };
}

export interface Pod {
  role: string;
  object: object;
  settings: object[];
  port: number;
}

/** What of a pod is this machine's: all share its network, and podman 4.3 knows neither volumes of secrets nor probes without a shell. */
interface Machine {
  /** In place of the names of the overlay's servers. */
  urls: { database: string; nats: string };
  freePort: () => Promise<number>;
  /** An empty folder. */
  place: (name: string) => Promise<string>;
}

export const isOurs = ({ kind, metadata }: KubernetesObject): boolean =>
  (kind === 'Deployment' || kind === 'Job') && metadata.labels?.['app.kubernetes.io/name'] === 'research-threads';

/** The pod of a Deployment or Job of the overlay, with the overlay's arguments, settings, secrets, users and rights. */
export async function podOf(workload: KubernetesObject, objects: readonly KubernetesObject[], machine: Machine): Promise<Pod> {
  const { metadata, spec } = workload as Workload;
  const role = metadata.name;
  const pod = structuredClone(spec.template.spec);
  const port = await machine.freePort();
  const here = { HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(await machine.freePort()) };
  const containerHere = ({
    startupProbe: _s,
    livenessProbe: _l,
    readinessProbe: _r,
    lifecycle: _c,
    ports: _p,
    ...container
  }: Container): Container => ({
    ...container,
    image: `localhost/${container.image}`,
    imagePullPolicy: 'Never',
  });
  pod.containers = pod.containers.map(containerHere);
  pod.initContainers = (pod.initContainers ?? []).map(containerHere);
  pod.volumes = await Promise.all(pod.volumes.map((volume) => volumeHere(`${role}-${volume.name}`, volume, objects, machine)));
  // Of a variable that stands in both podman takes that of the ConfigMap, and Kubernetes the container's own.
  const settings = objects
    .filter(({ kind }) => kind === 'ConfigMap')
    .map((configMap) =>
      configMap.metadata.name.startsWith('research-settings')
        ? { ...configMap, data: { ...(configMap.data as object), ...here } }
        : configMap,
    );
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: role, labels: metadata.labels }, spec: { ...pod, hostNetwork: true } };
  return { role, object, settings, port };
}

async function volumeHere(name: string, volume: Volume, objects: readonly KubernetesObject[], machine: Machine): Promise<Volume> {
  const path = await machine.place(name);
  // The pods' user may read what is in it, and write where nothing is.
  await chmod(path, 0o777);
  for (const [file, content] of Object.entries(filesOf(volume, objects, machine)))
    await writeFile(join(path, file), content, { mode: 0o644 });
  return { name: volume.name, hostPath: { path, type: 'Directory' } };
}

function filesOf({ secret, configMap }: Volume, objects: readonly KubernetesObject[], { urls }: Machine): Record<string, Buffer | string> {
  const named = (kind: string, name: string) => {
    const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
    if (!found) throw new Error(`the overlay has no ${kind} ${name}`);
    return Object.entries((found.data ?? {}) as Record<string, string>);
  };
  if (configMap) return Object.fromEntries(named('ConfigMap', configMap.name));
  if (!secret) return {};
  const server = /^research-(database|nats)-/.exec(secret.secretName)?.[1] as keyof typeof urls | undefined;
  return Object.fromEntries(
    named('Secret', secret.secretName).map(([key, value]) => [key, server && key === 'url' ? urls[server] : Buffer.from(value, 'base64')]),
  );
}
