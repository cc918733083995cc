import { AsyncLocalStorage } from 'node:async_hooks';

const named = new AsyncLocalStorage<readonly string[] | undefined>();

/**
 * The tenants for which the current work is done. Set only where the database shows this process just the tenants that a statement names. The
 * value follows the async calls of a request; a batch has the tenants of all its requests.
 */
export const namedTenants = (): readonly string[] | undefined => named.getStore();

export const forTenants = <Result>(tenants: readonly string[] | undefined, work: () => Result): Result => named.run(tenants, work);

/** The union of the items' tenants. */
export function tenantsOf(all: readonly { tenants: readonly string[] | undefined }[]): readonly string[] | undefined {
  const [first] = all;
  if (all.every(({ tenants }) => tenants === first?.tenants)) return first?.tenants;
  return [...new Set(all.flatMap(({ tenants = [] }) => tenants))];
}

/** Binds a function to the current tenants, since it may be called from work for others. */
export const bindTenants = <Parameters extends unknown[], Result>(
  work: (...parameters: Parameters) => Result,
): ((...parameters: Parameters) => Result) => {
  const tenants = namedTenants();
  return tenants ? (...parameters) => forTenants(tenants, () => work(...parameters)) : work;
};
