import type { ProviderId } from '@lib/domain/vocabulary';
import { partyName } from '@lib/messaging/nats-permissions';

/** The roles that a job needs. */
export const JOB_ROLES = ['api', 'saga', 'worker', 'synthesizer'] as const;
/** The roles of a process. `all` is the embedded default: every role in one process. */
export const ROLES = [...JOB_ROLES, 'webhooks'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Reads the roles of a process from its first argument: `all`, or one or several of the roles separated by commas.
 * @throws Error that names what is not a role
 */
export function readRoles(argument: string | undefined): ReadonlySet<Role> {
  if (argument === undefined || argument === 'all') return new Set(ROLES);
  const names = argument.split(',');
  const unknown = names.filter((name) => !ROLES.some((role) => role === name));
  if (unknown.length > 0)
    throw new Error(`"${unknown.join('", "')}" is no role: use all, or some of ${ROLES.join(', ')} separated by commas`);
  return new Set(names as Role[]);
}

/** Whether this process does every part of a job itself. */
export const isEverything = (roles: ReadonlySet<Role>): boolean => JOB_ROLES.every((role) => roles.has(role));

/** The api accepts jobs while NATS is away, which run once it is back, and webhooks are delivered without it. The others can do nothing. */
export const needsNats = (roles: ReadonlySet<Role>): boolean =>
  (['saga', 'worker', 'synthesizer'] as const).some((role) => roles.has(role));

/** Every role but the worker uses the database. */
export const needsDatabase = (roles: ReadonlySet<Role>): boolean => roles.size > (roles.has('worker') ? 1 : 0);

/** Workers call providers' APIs, and so does the synthesizer if a model writes summaries. */
export const holdsProviderKeys = (roles: ReadonlySet<Role>): boolean => roles.has('worker') || roles.has('synthesizer');

/** The name of a process at the broker, which can confine a worker to its providers: `saga`, `worker.provider-a`, `worker.all`. */
export function partyOf(roles: ReadonlySet<Role>, providers: readonly ProviderId[]): string {
  if (roles.size > 1 || !roles.has('worker')) return [...roles].join('+');
  return partyName({ worker: providers });
}
