import { isIP } from 'node:net';

import { MAX_LIMITS, leastLimit, LIMIT_NAMES, type LimitName, type Limits } from '@lib/domain/limits';

/** Parses a comma list of `name=number`, each name once. A name that is missing has no limit. */
export function parseLimits(text: string): Limits {
  const limits: Limits = {};
  for (const entry of text.split(',')) {
    const [, given, digits] = /^\s*(\w+)\s*=\s*(\d{1,15})\s*$/.exec(entry) ?? [];
    const name = LIMIT_NAMES.find((known) => known === given);
    if (name === undefined || limits[name] !== undefined || !isLimit(name, Number(digits)))
      throw new Error(`must be a comma list of name=number, each name once: ${LIMIT_NAMES.map(rangeOf).join(', ')}`);
    limits[name] = Number(digits);
  }
  if (limits.burst !== undefined && limits.requestsPerMinute === undefined) throw new Error('must name requestsPerMinute with burst');
  return limits;
}

export const isLimit = (name: LimitName, value: number): boolean =>
  Number.isInteger(value) && value >= leastLimit(name) && value <= MAX_LIMITS[name];

const rangeOf = (name: LimitName): string => `${name} from ${leastLimit(name)} to ${MAX_LIMITS[name]}`;

/** Addresses or networks such as `10.0.0.0/8`, separated by commas. */
export function parseNetworks(text: string): string[] {
  const networks = text.split(',').map((part) => part.trim());
  if (networks.every(isNetwork)) return networks;
  throw new Error('must be a comma list of addresses or networks, such as 10.0.0.0/8,192.0.2.7');
}

function isNetwork(network: string): boolean {
  const [address = '', bits, ...rest] = network.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
