/** What a key may be used for. No scope includes another one. */
export const SCOPES = ['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes of a key if none are given, and of keys that were made before scopes existed. */
export const USUAL_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin');

/** Each scope once, in the order of `SCOPES`. */
export const orderedScopes = (scopes: Iterable<Scope>): Scope[] => {
  const given = new Set(scopes);
  return SCOPES.filter((scope) => given.has(scope));
};
