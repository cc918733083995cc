import dns, { type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

type Lookup = Promise<LookupAddress[]>;

const underWay = new Map<string, Lookup>();

/**
 * Looks a name up once for all calls that wait for it. The system's resolver gives a process two look-ups at a time. So a few calls of one provider
 * whose name servers do not answer would keep every other provider from being reached.
 */
export const sharedLookup: LookupFunction = (hostname, { all, ...options }, callback) => {
  const key = JSON.stringify([hostname, options]);
  const lookup: Lookup = underWay.get(key) ?? lookUp(hostname, options).finally(() => underWay.delete(key));
  underWay.set(key, lookup);
  lookup.then(
    (addresses) => (all ? callback(null, addresses) : callback(null, addresses[0]?.address ?? '', addresses[0]?.family)),
    (error: NodeJS.ErrnoException) => callback(error, ''),
  );
};

function lookUp(hostname: string, options: dns.LookupOptions): Lookup {
  const { promise, resolve, reject } = Promise.withResolvers<LookupAddress[]>();
  dns.lookup(hostname, { ...options, all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  return promise;
}
