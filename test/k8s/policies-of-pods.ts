import { Env } from '@lib/settings/env';
import { HEALTH_PATHS } from '../../src/api/health.controller';
import {
  containersOf,
  eachContainer,
  eachWorkload,
  matches,
  ofService,
  OF_SERVICE,
  workloads,
  type Container,
  type Policy,
  type Selector,
} from './manifests';

/** What a stopping process may take beyond DRAIN_MS (docs/running.md). */
const DRAIN_EXTRA_SECONDS = 3;
/** Of its drain, for which a stopping api goes on as before (src/api/departure.ts). */
const DEPARTURE_SHARE = 0.5;
/** Between what the probes find and what a balancer does. */
const BALANCER_SECONDS = 5;

const drainSeconds = (env: NonNullable<Container['env']>): number =>
  Number(env.find(({ name }) => name === 'DRAIN_MS')?.value ?? new Env().DRAIN_MS) / 1000;

/** How pods run, are probed, moved and ended. */
export const POLICIES_OF_PODS: Readonly<Record<string, Policy>> = {
  'runs as somebody, never as root': eachWorkload(({ pod }) => [
    pod.securityContext?.runAsNonRoot !== true && 'runAsNonRoot is not set',
    !((pod.securityContext?.runAsUser ?? 0) > 0) && 'runAsUser is not a user without rights',
    pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault' && 'seccompProfile is not RuntimeDefault',
    (pod.hostNetwork ?? pod.hostPID ?? false) && 'shares namespaces with its host',
    pod.volumes?.some(({ hostPath }) => hostPath !== undefined) && 'mounts a folder of its host',
  ]),
  'has a locked container': eachContainer(({ securityContext: context }) => [
    context?.allowPrivilegeEscalation !== false && 'allowPrivilegeEscalation is not false',
    context?.readOnlyRootFilesystem !== true && 'its root file system can be written',
    context?.privileged === true && 'is privileged',
    !context?.capabilities?.drop?.includes('ALL') && 'keeps capabilities',
    (context?.capabilities?.add?.length ?? 0) > 0 && 'adds capabilities',
  ]),
  'carries no token of the API server': eachWorkload(({ pod }) => [
    pod.automountServiceAccountToken !== false && 'automountServiceAccountToken is not false',
  ]),
  'asks for what it needs and has a bound of memory': eachContainer(({ resources }) => [
    resources?.requests?.cpu === undefined && 'has no request of cpu',
    resources?.requests?.memory === undefined && 'has no request of memory',
    resources?.limits?.memory === undefined && 'has no limit of memory',
  ]),
  'names its image by version': eachContainer(({ image }) => [
    !/:[^:/]*\d[^:/]*$/.test(image) && !image.includes('@sha256:') && `its image ${image} has no version`,
    image.endsWith(':latest') && 'its image is latest',
  ]),
  'runs one version of the service': (objects) => {
    const versions = new Set(ofService(objects).flatMap((workload) => containersOf(workload).map(({ image }) => image)));
    return versions.size === 1 ? [] : [`the images ${[...versions].join(', ')} stand side by side`];
  },
  'is probed on routes that are there': (objects) =>
    ofService(objects)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod }) =>
        pod.containers.flatMap(({ startupProbe, livenessProbe, readinessProbe, ports = [] }) =>
          Object.entries({ startupProbe, livenessProbe, readinessProbe }).flatMap(([kind, probe]) => {
            if (!probe?.httpGet) return [`Deployment ${name} has no ${kind} over HTTP`];
            const { path, port } = probe.httpGet;
            return [
              ...(HEALTH_PATHS.includes(path.slice(1)) ? [] : [`Deployment ${name}: ${kind} asks for ${path}, which is no route`]),
              ...(ports.some((open) => open.name === port)
                ? []
                : [`Deployment ${name}: ${kind} asks at ${port}, which no container opens`]),
            ];
          }),
        ),
      ),
  'does not restart what only lost a server': (objects) =>
    ofService(objects).flatMap(({ name, pod }) =>
      pod.containers
        .filter(({ livenessProbe }) => livenessProbe?.httpGet?.path.endsWith('/ready'))
        .map(() => `Deployment ${name}: its livenessProbe asks whether servers are there`),
    ),
  'ends within its grace': (objects) =>
    ofService(objects)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ name, pod }) =>
        pod.containers.flatMap(({ env = [], lifecycle }) => {
          const sleep = lifecycle?.preStop?.sleep?.seconds;
          if (sleep === undefined) return [`Deployment ${name} has no preStop sleep`];
          const needed = sleep + drainSeconds(env) + DRAIN_EXTRA_SECONDS;
          const grace = pod.terminationGracePeriodSeconds ?? 30;
          return grace > needed ? [] : [`Deployment ${name}: its grace of ${grace} s is not more than the ${needed} s of sleep and drain`];
        }),
      ),
  'leaves slowly enough for balancers that know readiness alone': (objects) =>
    ofService(objects)
      .filter(({ kind, name }) => kind === 'Deployment' && name === 'api')
      .flatMap(({ name, pod }) =>
        pod.containers.flatMap(({ env = [], readinessProbe }) => {
          const { periodSeconds = 10, failureThreshold = 3 } = readinessProbe ?? {};
          const needed = periodSeconds * failureThreshold + BALANCER_SECONDS;
          const given = drainSeconds(env) * DEPARTURE_SHARE;
          return given > needed ? [] : [`Deployment ${name}: it goes on for ${given} s, and a balancer notices after ${needed} s`];
        }),
      ),
  'selects its own pods alone': (objects) => {
    const selecting = workloads(objects).filter(({ selector }) => selector !== null);
    return selecting.flatMap((workload) =>
      selecting
        .filter((other) => other !== workload && matches({ matchLabels: workload.selector ?? {} }, other.labels))
        .map((other) => `${workload.kind} ${workload.name} selects the pods of ${other.name} too`),
    );
  },
  'can be drained one pod at a time': (objects) =>
    workloads(objects)
      .filter(({ kind, labels }) => kind === 'Deployment' && OF_SERVICE in labels)
      .filter(
        ({ labels }) =>
          !objects.some(
            ({ kind, spec }) =>
              kind === 'PodDisruptionBudget' &&
              matches((spec as { selector: Selector }).selector, labels) &&
              'maxUnavailable' in (spec as object),
          ),
      )
      .map(({ name }) => `Deployment ${name} has no PodDisruptionBudget`),
};
