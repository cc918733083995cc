import ipaddr from 'ipaddr.js';
import type { Env } from '@lib/settings/env';

/** Which addresses webhooks may be delivered to. */
export interface AddressRules {
  /** Addresses of this machine, over HTTP and on any port: for tests and trials. */
  loopback: boolean;
}

/** Injection token of the `AddressRules`. */
export const ADDRESS_RULES = Symbol('address rules');

/** Shared by the api, which accepts webhook URLs, and by the role that delivers to them. */
export const addressRules = ({ WEBHOOK_LOOPBACK }: Pick<Env, 'WEBHOOK_LOOPBACK'>): AddressRules => ({
  loopback: WEBHOOK_LOOPBACK === 'allowed',
});

/** An address in a public range that is answered inside the cloud in which the service may run. */
const METADATA = new Set(['168.63.129.16']);
/** All IPv6 addresses assigned to the public internet so far; special ranges within it are recognized separately. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether events may be delivered to this address: one of the public internet. Addresses that embed another one (IPv4-mapped, NAT64, 6to4,
 * Teredo) are refused, whichever they embed.
 * @param text as returned by the resolver or the socket
 */
export function isAllowedAddress(text: string, { loopback }: AddressRules): boolean {
  const address = parse(text);
  if (address === null) return false;
  if (address.range() === 'loopback') return loopback;
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_V6);
}

/** Accepts only the usual notations of an address. A resolver never returns the others that `ipaddr.js` would accept. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : null;
}
