import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isAllowedAddress, type AddressRules } from './address-rules';

/** The name has no address. */
class NameNotFound extends Error {
  override readonly name = 'NameNotFound';
}

/** No DNS server answered: this may be our fault rather than that of the name's owner. */
class NameNotResolved extends Error {
  override readonly name = 'NameNotResolved';
}

/** The address is not allowed; nothing was sent. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(address: string) {
    super(`${address} is not an address of the public internet`);
  }
}

/** Codes of look-ups that were answered without an address: none of that family, no such name, and a name that is not valid. */
const NO_ADDRESS: readonly string[] = ['ENODATA', 'ENOTFOUND', 'EBADNAME'];

/** A look-up as a whole, whatever the number of servers, so that most of an attempt's time is left for the receiver. */
const LOOK_UP_MS = 5_000;
/** For the other family's addresses once one's are known. Some servers never answer for a family of which they have none. */
const OTHER_FAMILY_MS = 500;

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Not the system's resolver: with it, a few names whose servers do not answer would block every other look-up of the process.
 * The returned function rejects with `NameNotResolved` if no address was found and a look-up was not answered in time.
 */
export function createResolver(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    // One for each look-up: a resolver can only give up all its questions together.
    const resolver = new dns.Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const found = await settledInTime([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    resolver.cancel();
    const addresses = found.flatMap((answer, place) =>
      answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: place === 0 ? 4 : 6 })) : [],
    );
    const faults = found.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : []));
    const unanswered = faults.find(({ code = '' }) => !NO_ADDRESS.includes(code));
    if (addresses.length === 0 && unanswered) throw new NameNotResolved(hostname, { cause: unanswered });
    return addresses;
  };
}

/** A look-up that has not ended in time counts as failed. No timer is left, so the questions that are still open have to be given up. */
async function settledInTime(lookUps: readonly Promise<string[]>[]): Promise<PromiseSettledResult<string[]>[]> {
  const { promise: cut, reject } = Promise.withResolvers<never>();
  const cutAfter = (ms: number) => setTimeout(() => reject(new Error('not answered in time')), ms);
  const timers = [cutAfter(LOOK_UP_MS)];
  const hurry = () => void timers.push(cutAfter(OTHER_FAMILY_MS));
  for (const lookUp of lookUps) lookUp.then(hurry, () => undefined);
  const settled = await Promise.allSettled(lookUps.map((lookUp) => Promise.race([lookUp, cut])));
  timers.forEach(clearTimeout);
  return settled;
}

/**
 * Connects only to allowed addresses, and checks on connecting: the name is resolved once and that address is used, so it cannot be checked
 * under one address and reached under another. A name is refused if any of its addresses is not allowed.
 */
export function guardedConnector(rules: AddressRules, resolve: Resolve, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(rules, resolve), timeout: timeoutMs, allowH2: false });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[(.*)\]$/, '$1');
    // A literal address needs no look-up.
    if (isIP(host) !== 0 && !isAllowedAddress(host, rules)) return callback(new AddressRefused(host), null);
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress = '' } = socket;
      if (isAllowedAddress(remoteAddress, rules)) return callback(null, socket);
      socket.destroy();
      callback(new AddressRefused(remoteAddress), null);
    });
  };
}

function guardedLookup(rules: AddressRules, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        const refused = addresses.find(({ address }) => !isAllowedAddress(address, rules));
        if (!first) callback(new NameNotFound(hostname), '');
        else if (refused) callback(new AddressRefused(refused.address), '');
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(error as Error, ''),
    );
  };
}
