/** What a key may be used for. A scope includes no other one. */
export const SCOPES = ['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Of a key of which nobody says more, and of the keys that were made before there were scopes. */
export const USUAL_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin');

/** Each scope once, in the order of `SCOPES`. */
export const orderedScopes = (scopes: Iterable<Scope>): Scope[] => {
  const given = new Set(scopes);
  return SCOPES.filter((scope) => given.has(scope));
};
