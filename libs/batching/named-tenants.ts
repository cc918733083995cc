import { AsyncLocalStorage } from 'node:async_hooks';

const named = new AsyncLocalStorage<readonly string[] | undefined>();

/**
 * The tenants for which the current call works, needed where the database shows this process only the tenants that a statement names; undefined
 * elsewhere. The value follows the calls of a request; a batch works for the tenants of all its requests.
 */
export const namedTenants = (): readonly string[] | undefined => named.getStore();

export const forTenants = <Result>(tenants: readonly string[] | undefined, work: () => Result): Result => named.run(tenants, work);

/** All tenants that at least one of them names. */
export function tenantsOf(all: readonly { tenants: readonly string[] | undefined }[]): readonly string[] | undefined {
  const [first] = all;
  if (all.every(({ tenants }) => tenants === first?.tenants)) return first?.tenants;
  return [...new Set(all.flatMap(({ tenants = [] }) => tenants))];
}

/** Binds the current tenants to a function that shared code, which works for other tenants as well, calls later. */
export const bindTenants = <Parameters extends unknown[], Result>(
  work: (...parameters: Parameters) => Result,
): ((...parameters: Parameters) => Result) => {
  const tenants = namedTenants();
  return tenants ? (...parameters) => forTenants(tenants, () => work(...parameters)) : work;
};
