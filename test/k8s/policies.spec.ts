import { readFileSync } from 'node:fs';

import { MINUTE_MS } from '@lib/domain/durations';

import { render, type KubernetesObject } from './kubectl';
import { workloads, type Container, type PodSpec } from './manifests';
import { POLICIES_OF_NETWORK } from './policies-of-network';
import { POLICIES_OF_PODS } from './policies-of-pods';
import { POLICIES_OF_SETTINGS } from './policies-of-settings';
import { makeDevSecrets, OVERLAYS } from './overlays';

const POLICIES = { ...POLICIES_OF_PODS, ...POLICIES_OF_SETTINGS, ...POLICIES_OF_NETWORK };

let rendered: Record<string, KubernetesObject[]>;

beforeAll(async () => {
  await makeDevSecrets();
  rendered = Object.fromEntries(await Promise.all(OVERLAYS.map(async (overlay) => [overlay, await render(overlay)] as const)));
}, 5 * MINUTE_MS);

describe.each(OVERLAYS)('%s', (overlay) => {
  it.each(Object.entries(POLICIES))('%s', (_, policy) => {
    expect(policy(rendered[overlay] as KubernetesObject[])).toEqual([]);
  });
});

type Spoil = (objects: KubernetesObject[]) => unknown;

const podOf = (objects: KubernetesObject[], name: string): PodSpec =>
  (workloads(objects).find((workload) => workload.name === name) as { pod: PodSpec }).pod;
const containerOf = (objects: KubernetesObject[], name: string): Container => podOf(objects, name).containers[0] as Container;
const policyNamed = (objects: KubernetesObject[], wanted: string) =>
  objects.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === wanted)?.spec as {
    podSelector: { matchExpressions: { values: string[] }[] };
    ingress: { ports: { port: string }[] }[];
    egress: { to?: object[]; ports: { port: number }[] }[];
  };

const isNoCheckpoint = ({ name }: { name: string }) => name !== 'checkpoints';

const settingsOf = (objects: KubernetesObject[]) =>
  objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('research-settings'))?.data as Record<
    string,
    string
  >;

/** For each policy, ways to break it: one that nobody notices would be no policy. */
const SPOILT: Record<keyof typeof POLICIES, Spoil[]> = {
  'runs as somebody, never as root': [
    (objects) => delete podOf(objects, 'api').securityContext?.runAsNonRoot,
    (objects) => ((podOf(objects, 'migration').securityContext ??= {}).runAsUser = 0),
    (objects) => (podOf(objects, 'saga').hostNetwork = true),
    (objects) => podOf(objects, 'worker').volumes?.push({ name: 'host', hostPath: { path: '/' } }),
  ],
  'has a locked container': [
    (objects) => delete containerOf(objects, 'api').securityContext?.readOnlyRootFilesystem,
    (objects) => ((podOf(objects, 'saga').initContainers?.[0] as Container).securityContext = {}),
    (objects) => ((containerOf(objects, 'nats').securityContext ??= {}).capabilities = { drop: ['ALL'], add: ['NET_ADMIN'] }),
  ],
  'carries no token of the API server': [(objects) => delete podOf(objects, 'migration').automountServiceAccountToken],
  'asks for what it needs and has a bound of memory': [
    (objects) => delete containerOf(objects, 'worker').resources?.limits?.memory,
    (objects) => delete containerOf(objects, 'worker').resources?.requests?.cpu,
  ],
  'names its image by version': [
    (objects) => (containerOf(objects, 'api').image = 'research-threads:latest'),
    (objects) => (containerOf(objects, 'api').image = 'registry.internal.example:5000/research-threads'),
  ],
  'runs one version of the service': [(objects) => (containerOf(objects, 'saga').image = 'research-threads:0.0.9')],
  'is probed on routes that are there': [
    (objects) => delete containerOf(objects, 'webhooks').startupProbe,
    (objects) => (containerOf(objects, 'webhooks').readinessProbe = { httpGet: { path: '/healthz', port: 'http' } }),
    (objects) => (containerOf(objects, 'webhooks').readinessProbe = { httpGet: { path: '/health/ready', port: 'grpc' } }),
  ],
  'does not restart what only lost a server': [
    (objects) => (containerOf(objects, 'api').livenessProbe = { httpGet: { path: '/health/ready', port: 'http' } }),
  ],
  'ends within its grace': [
    (objects) => (podOf(objects, 'worker').terminationGracePeriodSeconds = 150),
    (objects) => delete containerOf(objects, 'api').lifecycle,
  ],
  'leaves slowly enough for balancers that know readiness alone': [
    (objects) => (containerOf(objects, 'api').env = containerOf(objects, 'api').env?.filter(({ name }) => name !== 'DRAIN_MS')),
    (objects) => ((containerOf(objects, 'api').readinessProbe ??= {}).failureThreshold = 4),
  ],
  'selects its own pods alone': [
    (objects) => objects.push({ ...structuredClone(deployment(objects, 'api')), metadata: { name: 'second-api' } }),
  ],
  'can be drained one pod at a time': [
    (objects) =>
      objects.splice(
        objects.findIndex(({ kind }) => kind === 'PodDisruptionBudget'),
        1,
      ),
  ],
  'is told only what the service knows': [
    (objects) => containerOf(objects, 'api').env?.push({ name: 'DRAIN_SECONDS', value: '5' }),
    (objects) => (settingsOf(objects).LOGLEVEL = 'info'),
  ],
  'has every setting that its role cannot do without': [
    (objects) => (containerOf(objects, 'saga').env = containerOf(objects, 'saga').env?.filter(({ name }) => name !== 'MASTER_KEY_FILE')),
  ],
  'gives a worker no database and the api no key of a provider': [
    (objects) => containerOf(objects, 'worker').env?.push({ name: 'DATABASE_URL_FILE', value: '/run/secrets/database/url' }),
    (objects) => containerOf(objects, 'api').env?.push({ name: 'OPENAI_API_KEY_FILE', value: '/run/secrets/openai' }),
  ],
  'keeps deletions and checkpoints outside of pods and database, in one place for all who share them': [
    (objects) => (containerOf(objects, 'saga').volumeMounts = containerOf(objects, 'saga').volumeMounts?.filter(isNoCheckpoint)),
    (objects) => (containerOf(objects, 'api').env = containerOf(objects, 'api').env?.filter(({ name }) => name !== 'DELETION_LIST')),
    (objects) => (podOf(objects, 'api').volumes = [{ name: 'deletions', persistentVolumeClaim: { claimName: 'of-the-api' } }]),
  ],
  'keeps secrets out of the manifests': [
    (objects) => containerOf(objects, 'worker').env?.push({ name: 'OPENAI_API_KEY', value: 'plain' }),
    (objects) => containerOf(objects, 'worker').env?.push({ name: 'NATS_URL', value: 'nats://user:password@nats' }),
  ],
  'opens no port that nobody listens on': [
    (objects) => ((policyNamed(objects, 'clients-to-api').ingress[0]?.ports[0] as { port: string }).port = 'https'),
    (objects) => ((policyNamed(objects, 'to-nats').egress[0]?.ports[0] as { port: number }).port = 4223),
  ],
  'denies by default': [
    (objects) =>
      objects.splice(
        objects.findIndex(({ metadata }) => metadata.name === 'deny-by-default'),
        1,
      ),
  ],
  'lets no worker reach the database': [
    (objects) => policyNamed(objects, 'to-database').podSelector.matchExpressions[0]?.values.push('worker'),
  ],
  'lets webhooks out to each port that their URLs may name, and to the same addresses, or nowhere': [
    (objects) => policyNamed(objects, 'webhooks-to-internet').egress.pop(),
    (objects) => policyNamed(objects, 'webhooks-to-internet').egress[0]?.to?.pop(),
    (objects) => policyNamed(objects, 'to-internet').egress[0]?.ports.push({ port: 25 }),
  ],
};

const deployment = (objects: KubernetesObject[], wanted: string): KubernetesObject =>
  objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === wanted) as KubernetesObject;

it('gives NATS the users that research nats-users makes', () => {
  expect(readFileSync('k8s/overlays/ha/users.conf', 'utf8')).toBe(readFileSync('deploy/nats/users.conf', 'utf8'));
});

describe('a policy', () => {
  it.each(Object.entries(SPOILT).flatMap(([name, spoils]) => spoils.map((spoil, index) => ({ name, way: index + 1, spoil }))))(
    '“$name” notices what breaks it ($way)',
    ({ name, spoil }) => {
      const objects = structuredClone(rendered['k8s/overlays/ha'] as KubernetesObject[]);
      spoil(objects);
      expect(POLICIES[name]?.(objects)).not.toEqual([]);
    },
  );

  it('is broken by something in the table above, each of them', () => {
    expect(Object.keys(SPOILT).sort()).toEqual(Object.keys(POLICIES).sort());
  });
});
