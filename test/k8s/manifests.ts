import type { KubernetesObject } from './kubectl';

/** What a rendered overlay must hold to; each returns what breaks it. */
export type Policy = (objects: readonly KubernetesObject[]) => string[];

interface Probe {
  periodSeconds?: number;
  failureThreshold?: number;
  httpGet?: { path: string; port: string | number };
  exec?: { command: string[] };
}
interface SecurityContext {
  runAsNonRoot?: boolean;
  runAsUser?: number;
  allowPrivilegeEscalation?: boolean;
  readOnlyRootFilesystem?: boolean;
  privileged?: boolean;
  capabilities?: { drop?: string[]; add?: string[] };
  seccompProfile?: { type: string };
}
export interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string; value?: string; valueFrom?: object }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop?: { sleep?: { seconds: number } } };
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: SecurityContext;
}
export interface PodSpec {
  automountServiceAccountToken?: boolean;
  terminationGracePeriodSeconds?: number;
  hostNetwork?: boolean;
  hostPID?: boolean;
  securityContext?: SecurityContext;
  containers: Container[];
  initContainers?: Container[];
  volumes?: { name: string; hostPath?: object; persistentVolumeClaim?: { claimName: string } }[];
}
export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}
interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: object;
}
export interface NetworkRule {
  from?: Peer[];
  to?: Peer[];
  ports?: { port: string | number }[];
}

/** A Deployment, StatefulSet or Job, and what its pods are. */
export interface Workload {
  kind: string;
  name: string;
  labels: Record<string, string>;
  selector: Record<string, string> | null;
  pod: PodSpec;
}

/** On the pods of the service, and only on them. */
export const OF_SERVICE = 'app.kubernetes.io/name';
export const COMPONENT = 'app.kubernetes.io/component';

export function workloads(objects: readonly KubernetesObject[]): Workload[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet' || kind === 'Job')
    .map(({ kind, metadata: { name }, spec }) => {
      const { template, selector } = spec as {
        template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
        selector?: { matchLabels: Record<string, string> };
      };
      return { kind, name, labels: template.metadata.labels, selector: selector?.matchLabels ?? null, pod: template.spec };
    });
}

export const ofService = (objects: readonly KubernetesObject[]) => workloads(objects).filter(({ labels }) => OF_SERVICE in labels);
export const containersOf = ({ pod }: Workload) => [...(pod.initContainers ?? []), ...pod.containers];
/** What the containers of all workloads break. */
export const eachContainer =
  (broken: (container: Container, workload: Workload) => (string | false | undefined)[]): Policy =>
  (objects) =>
    workloads(objects).flatMap((workload) =>
      containersOf(workload).flatMap((container) =>
        broken(container, workload)
          .filter((text) => typeof text === 'string')
          .map((text) => `${workload.kind} ${workload.name}, container ${container.name}: ${text}`),
      ),
    );
export const eachWorkload =
  (broken: (workload: Workload, objects: readonly KubernetesObject[]) => (string | false | undefined)[]): Policy =>
  (objects) =>
    workloads(objects).flatMap((workload) =>
      broken(workload, objects)
        .filter((text) => typeof text === 'string')
        .map((text) => `${workload.kind} ${workload.name}: ${text}`),
    );

export const matches = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Record<string, string>): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values }) => operator === 'In' && values.includes(labels[key] ?? ''));

export const listensOn = ({ pod }: Workload, port: string | number): boolean =>
  pod.containers.some(({ ports = [] }) => ports.some(({ name, containerPort }) => name === port || containerPort === port));
