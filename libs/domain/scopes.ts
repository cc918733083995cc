/** What a key may be used for. No scope includes another. */
export const SCOPES = ['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The default scopes of a new key, and those of keys that were made before there were scopes. */
export const USUAL_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin');

/** Each scope once, in the order of `SCOPES`. */
export const orderedScopes = (scopes: Iterable<Scope>): Scope[] => {
  const given = new Set(scopes);
  return SCOPES.filter((scope) => given.has(scope));
};
