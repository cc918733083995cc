import { isIP } from 'node:net';
import { codePoints } from '@lib/domain/code-points';
import { invalidRequest } from '../api/problems';
import { isAllowedAddress, type AddressRules } from './address-rules';

export const MAX_URL_LENGTH = 2048;
/** Ports on which HTTPS is usually served; other ports belong to other kinds of services. */
const PORTS = new Set(['', '8443']);
const CONTROL = /\p{Cc}/u;

export interface UrlFault {
  code: string;
  /** Completes a sentence that begins with the property's name. */
  message: string;
}

/**
 * The body with its URL in the form used for delivery.
 * @throws Problem invalid_request if nothing can be delivered there
 */
export function withDeliverableUrl<Body extends { url?: string }>(body: Body, rules: AddressRules): Body {
  if (body.url === undefined) return body;
  const found = urlFault(body.url, rules);
  if (found) throw invalidRequest([{ pointer: '/url', code: found.code, message: `url ${found.message}` }]);
  return { ...body, url: normalized(body.url) };
}

/** What is wrong with a webhook's URL as typed, or with its destination; null if nothing is. */
export function urlFault(text: string, rules: AddressRules): UrlFault | null {
  const length = codePoints(text);
  if (length > MAX_URL_LENGTH) return fault('too_long', `has ${length} characters: send at most ${MAX_URL_LENGTH}.`);
  if (CONTROL.test(text.trim())) return fault('invalid_character', 'contains a control character: remove it.');
  const url = URL.parse(text);
  if (!url) return fault('invalid_url', 'is no absolute URL: send one such as https://example.com/webhooks.');
  return destinationFault(url, rules);
}

/** Why events cannot be delivered to a URL, as far as known without resolving its name; null if they can. */
export function destinationFault(url: URL, rules: AddressRules): UrlFault | null {
  if (url.username !== '' || url.password !== '') return fault('credentials', 'has a user or password: put a token into the path instead.');
  if (url.hash !== '') return fault('fragment', 'has a fragment, which is never sent: remove it.');
  const host = hostOf(url);
  const isLoopback = rules.loopback && isIP(host) !== 0 && isAllowedAddress(host, rules) && !isAllowedAddress(host, { loopback: false });
  if (isLoopback && /^https?:$/.test(url.protocol)) return null;
  if (url.protocol !== 'https:') return fault('not_https', `has the scheme ${url.protocol} Only https: is delivered to.`);
  if (!PORTS.has(url.port)) return fault('port', `has the port ${url.port}: use 443, which needs no number, or 8443.`);
  if (isIP(host) !== 0) {
    return isAllowedAddress(host, rules) ? null : fault('address', `has the address ${host}, which is not one of the public internet.`);
  }
  if (!/\.[^.]+\.?$/.test(host) || /(^|\.)localhost\.?$/.test(host))
    return fault('address', `has the host ${host}: use the full name of a host of the public internet.`);
  return null;
}

/**
 * The URL in the form that is used for delivery: without white space around it, and its host in ASCII. Unchanged if that form is too long to be
 * stored.
 */
export function normalized(text: string): string {
  const href = URL.parse(text)?.href ?? text;
  return href.length > MAX_URL_LENGTH ? text : href;
}

/** Without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

const fault = (code: string, message: string): UrlFault => ({ code, message });
