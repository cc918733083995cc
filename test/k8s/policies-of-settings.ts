import { KEY_VARIABLES } from '@lib/providers/registry';
import { Env } from '@lib/settings/env';
import { needsDatabase, readRoles, type Role } from '../../src/roles';
import type { KubernetesObject } from './kubectl';
import { containersOf, eachContainer, ofService, type Container, type Policy, type Workload } from './manifests';

/** Roles of the service by the argument of their container; null for a command such as migrate. */
function roleOf({ args = [] }: Container): Role | null {
  try {
    return [...readRoles(args[0])][0] ?? null;
  } catch {
    return null;
  }
}

const KNOWN_VARIABLES: ReadonlySet<string> = new Set([...Object.keys(new Env()), ...KEY_VARIABLES]);
const LIBPQ_VARIABLES: ReadonlySet<string> = new Set(['PGSSLMODE', 'PGSSLROOTCERT', 'PGSSLCERT', 'PGSSLKEY']);
const isKnown = (name: string) =>
  KNOWN_VARIABLES.has(name) || LIBPQ_VARIABLES.has(name) || (name.endsWith('_FILE') && KNOWN_VARIABLES.has(name.slice(0, -'_FILE'.length)));

/** Every variable that a container sees, those of its config maps included. */
function variablesOf(container: Container, objects: readonly KubernetesObject[]): string[] {
  const maps = (container.envFrom ?? []).map(({ configMapRef }) =>
    objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name),
  );
  return [
    ...(container.env ?? []).map(({ name }) => name),
    ...maps.flatMap((map) => Object.keys((map?.data ?? {}) as Record<string, string>)),
  ];
}

const requiredOf = (role: Role): string[] => [
  'NATS_URL',
  'PROVIDERS_FILE',
  ...(needsDatabase(new Set([role])) ? ['DATABASE_URL', 'MASTER_KEY', 'API_KEY_PEPPER'] : []),
];

/** Folders that must outlive the pod and the database, and the roles that share each. */
const KEPT_FOLDERS: Readonly<Record<string, Role[]>> = {
  DELETION_LIST: ['api', 'saga', 'synthesizer', 'webhooks'],
  CHECKPOINT_DIR: ['saga'],
};

/** The claim on which the folder of a setting lies; null where there is no such setting, empty where it lies on no claim. */
function claimOf(setting: string, { pod }: Workload): string | null {
  for (const { env = [], volumeMounts = [] } of pod.containers) {
    const folder = env.find(({ name }) => name === setting)?.value;
    if (folder === undefined) continue;
    const mount = volumeMounts.find(({ mountPath }) => mountPath === folder);
    return pod.volumes?.find(({ name }) => name === mount?.name)?.persistentVolumeClaim?.claimName ?? '';
  }
  return null;
}

/** What the containers of the service are told. */
export const POLICIES_OF_SETTINGS: Readonly<Record<string, Policy>> = {
  'is told only what the service knows': (objects) =>
    ofService(objects).flatMap((workload) =>
      containersOf(workload).flatMap((container) =>
        variablesOf(container, objects)
          .filter((name) => !isKnown(name))
          .map((name) => `${workload.kind} ${workload.name}: ${name} is no setting of the service`),
      ),
    ),
  'has every setting that its role cannot do without': (objects) =>
    ofService(objects).flatMap((workload) =>
      workload.pod.containers.flatMap((container) => {
        const role = roleOf(container);
        const known = variablesOf(container, objects);
        return (role ? requiredOf(role) : ['DATABASE_URL'])
          .filter((name) => !known.includes(name) && !known.includes(`${name}_FILE`))
          .map((name) => `${workload.kind} ${workload.name} needs ${name}`);
      }),
    ),
  'gives a worker no database and the api no key of a provider': (objects) =>
    ofService(objects).flatMap((workload) =>
      workload.pod.containers.flatMap((container) => {
        const role = roleOf(container);
        const known = variablesOf(container, objects).map((name) => name.replace(/_FILE$/, ''));
        const forbidden =
          role === 'worker' ? ['DATABASE_URL', 'MASTER_KEY', 'API_KEY_PEPPER'] : role === 'synthesizer' ? [] : KEY_VARIABLES;
        return known.filter((name) => forbidden.includes(name)).map((name) => `${workload.name} must not have ${name}`);
      }),
    ),
  'keeps deletions and checkpoints outside of pods and database, in one place for all who share them': (objects) =>
    Object.entries(KEPT_FOLDERS).flatMap(([setting, roles]) => {
      const sharing = ofService(objects).filter(({ pod }) => pod.containers.some((one) => roles.some((role) => role === roleOf(one))));
      const claims = new Set(sharing.map((workload) => claimOf(setting, workload)));
      if (claims.has('')) return [`${setting} lies on no PersistentVolumeClaim`];
      return claims.size === 1 ? [] : [`${setting} is not one folder for ${roles.join(', ')}`];
    }),
  'keeps secrets out of the manifests': eachContainer(({ env = [] }) => [
    ...env
      .filter(({ name, value }) => value !== undefined && /(KEY|PASSWORD|TOKEN|SECRET|_URL)$/.test(name))
      .map(({ name }) => `${name} stands there in plain`),
  ]),
};
