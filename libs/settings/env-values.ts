import { BUDGET_TIERS, PROVIDERS, type BudgetTier, type ProviderId } from '@lib/domain/vocabulary';
import { TENANT_ID } from '@lib/domain/tenant';

/** Largest cap in cents; its micro-dollars stay well within the safe integers. */
const MAX_CAP_CENTS = 100_000_000;
const MAX_PERCENT = 1000;
const KEY_BYTES = 32;
const MAX_TENANTS = 50;

/** Accepts digits only: `1e3`, `0x10` and `12abc` are probably mistakes. */
export function parseInteger(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error('must be a whole number, written with digits only');
  return Number(text);
}

/** Accepts `12`, `12.5` or `12.50`: no sign, no exponent, at most two decimals. */
export function parsePercent(text: string): number {
  const percent = /^\d{1,4}(\.\d{1,2})?$/.test(text) ? Number(text) : NaN;
  if (!(percent <= MAX_PERCENT)) throw new Error(`must be from 0 to ${MAX_PERCENT}, such as 12 or 12.5, without a percent sign`);
  return percent;
}

export function parseBasePath(text: string): string {
  const path = text.replace(/^\/+|\/+$/g, '');
  return path === '' ? '' : `/${path}`;
}

/** A comma list of URLs, each with a host and one of the protocols. */
export function parseUrls(text: string, protocols: readonly string[], most: number): string {
  const urls = text.split(',').map((part) => part.trim());
  const usable = (url: string): boolean => {
    const parsed = URL.parse(url);
    return parsed !== null && protocols.includes(parsed.protocol) && parsed.host !== '';
  };
  if (urls.length > most || !urls.every(usable)) {
    throw new Error(`must be URLs, separated by commas, that start with ${protocols.map((name) => `${name}//`).join(' or ')}`);
  }
  return urls.join(',');
}

/** Origins exactly as browsers send them, since they are compared as strings. */
export function parseOrigins(text: string): string[] {
  const origins = text.split(',').map((part) => part.trim());
  const isOrigin = (origin: string): boolean => /^https?:[^*]*$/.test(origin) && URL.parse(origin)?.origin === origin;
  if (origins.every(isOrigin)) return [...new Set(origins)];
  throw new Error(
    'must be a comma list of origins such as https://app.example.org: scheme and host in lower case, no path, no usual port, no *',
  );
}

export function parseMasterKey(text: string): Buffer {
  const key = keyFromBase64(text);
  if (!key) throw new Error('must be 32 bytes in base64, for instance from `openssl rand -base64 32`');
  return key;
}

/** @returns null unless the text is 32 bytes in base64, with or without its padding */
export function keyFromBase64(text: string): Buffer | null {
  const key = Buffer.from(text, 'base64');
  return key.length === KEY_BYTES && key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '') ? key : null;
}

/** Keys separated by commas or white space, newest first. */
export function parseMasterKeys(text: string): Buffer[] {
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map(parseMasterKey);
  const isRepeated = keys.some((key, place) => keys.findIndex((other) => other.equals(key)) !== place);
  if (keys.length === 0 || isRepeated)
    throw new Error('must be a list of keys, newest first and each once: 32 bytes in base64 each, separated by commas');
  return keys;
}

const MIN_PEPPER_LENGTH = 16;

export function parsePepper(text: string): string {
  if (text.length >= MIN_PEPPER_LENGTH) return text;
  throw new Error(`must have at least ${MIN_PEPPER_LENGTH} characters`);
}

export function parseApiKey(text: string): string {
  if (/^rt_live_[0-9A-Za-z]+_[0-9A-Za-z]+$/.test(text)) return text;
  throw new Error('must be a key as `research keys create` prints it: rt_live_<id>_<secret>');
}

export function parseProviders(text: string): ProviderId[] {
  const names = text.split(',').map((name) => name.trim());
  const known = PROVIDERS.filter((provider) => names.includes(provider));
  if (known.length !== names.length) throw new Error(`must be a comma list, each name once, out of ${PROVIDERS.join(', ')}`);
  return known;
}

/** Limited in number, because each may be a label of a metric. */
export function parseTenants(text: string): string[] {
  const tenants = text.split(',').map((name) => name.trim());
  if (tenants.length > MAX_TENANTS || new Set(tenants).size < tenants.length || !tenants.every((name) => TENANT_ID.test(name)))
    throw new Error(`must be at most ${MAX_TENANTS} names of tenants, each once, separated by commas`);
  return tenants;
}

export function parseBudgetCaps(text: string, standard: Readonly<Record<BudgetTier, number>>): Record<BudgetTier, number> {
  const caps = { ...standard };
  const seen = new Set<string>();
  for (const entry of text.split(',')) {
    const [, name, cents] = /^\s*(\w+)\s*=\s*(\d{1,15})\s*$/.exec(entry) ?? [];
    const tier = BUDGET_TIERS.find((known) => known === name);
    if (tier === undefined || seen.has(tier) || Number(cents) < 1 || Number(cents) > MAX_CAP_CENTS) {
      throw new Error(`must be a comma list of TIER=cents, each tier (${BUDGET_TIERS.join(', ')}) once, from 1 to ${MAX_CAP_CENTS} cents`);
    }
    seen.add(tier);
    caps[tier] = Number(cents);
  }
  return caps;
}
