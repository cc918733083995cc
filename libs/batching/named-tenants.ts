import { AsyncLocalStorage } from 'node:async_hooks';

const named = new AsyncLocalStorage<readonly string[] | undefined>();

/**
 * For whom something is done, where the database shows this process only the tenants that a statement names; undefined elsewhere. It follows the calls
 * of a request; what is batched is done for the tenants of its requests.
 */
export const namedTenants = (): readonly string[] | undefined => named.getStore();

export const forTenants = <Result>(tenants: readonly string[] | undefined, work: () => Result): Result => named.run(tenants, work);

/** All that are named by some of them. */
export function tenantsOf(all: readonly { tenants: readonly string[] | undefined }[]): readonly string[] | undefined {
  const [first] = all;
  if (all.every(({ tenants }) => tenants === first?.tenants)) return first?.tenants;
  return [...new Set(all.flatMap(({ tenants = [] }) => tenants))];
}

/** For what is called later, by somebody who does it for others as well. */
export const bindTenants = <Parameters extends unknown[], Result>(
  work: (...parameters: Parameters) => Result,
): ((...parameters: Parameters) => Result) => {
  const tenants = namedTenants();
  return tenants ? (...parameters) => forTenants(tenants, () => work(...parameters)) : work;
};
