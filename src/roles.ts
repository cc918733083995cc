/** What a process does. `all` is the embedded default: every role in one process. */
export const ROLES = ['api', 'saga', 'worker', 'synthesizer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Reads the roles of a process from its first argument: `all`, or one or several of the roles separated by commas.
 * @throws Error naming what is not a role
 */
export function readRoles(argument: string | undefined): ReadonlySet<Role> {
  if (argument === undefined || argument === 'all') return new Set(ROLES);
  const names = argument.split(',');
  const unknown = names.filter((name) => !ROLES.some((role) => role === name));
  if (unknown.length > 0)
    throw new Error(`"${unknown.join('", "')}" is no role: use all, or some of ${ROLES.join(', ')} separated by commas`);
  return new Set(names as Role[]);
}

export const isEverything = (roles: ReadonlySet<Role>): boolean => roles.size === ROLES.length;

/** Workers hold provider keys and no database; the other roles hold the database, and of them the synthesizer alone a key: of the model that writes. */
export const needsDatabase = (roles: ReadonlySet<Role>): boolean => roles.size > (roles.has('worker') ? 1 : 0);

/** Who calls providers' APIs: workers, and the synthesizer where a model writes the reports. */
export const holdsProviderKeys = (roles: ReadonlySet<Role>): boolean => roles.has('worker') || roles.has('synthesizer');
