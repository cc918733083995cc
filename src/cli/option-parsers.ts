import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@lib/domain/durations';
import { isId } from '@lib/domain/ids';
import { KEY_ID_LENGTH, KEY_PREFIX } from '@lib/store/access/key-format';
import { orderedScopes, SCOPES, type Scope } from '@lib/domain/scopes';
import { parseInstant } from '../api/query-values';
import type { PastMoment } from '../audit/past-moment';

/** Given instead of an expiry. It stays a word, because Commander turns null into an empty text. */
export const NEVER = 'never';

const UNITS_MS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
const MAX_DAYS = 3_650;

/** `threads:read,jobs:write`. */
export function scopeList(text: string): Scope[] {
  const names = text.split(',');
  const known = orderedScopes(SCOPES.filter((scope) => names.includes(scope)));
  if (known.length === names.length) return known;
  throw new InvalidArgumentError(`must be a comma list of one or more, each name once, out of ${SCOPES.join(', ')}`);
}

/**
 * The id of an API key, also of one that is given whole, as somebody has it who wants to end it.
 * @throws Error and not InvalidArgumentError, of which Commander makes a message with the text, which may hold the secret
 */
export function keyId(text: string): string {
  const [, id = text] = new RegExp(`${KEY_PREFIX}(.{${KEY_ID_LENGTH}})`).exec(text) ?? [];
  if (id.length === KEY_ID_LENGTH && /^[0-9A-Za-z]+$/.test(id)) return id;
  throw new Error(`KEY must be the ${KEY_ID_LENGTH} characters after ${KEY_PREFIX} of a key, or the whole key.`);
}

/** `90m`, `24h` or `30d`. */
export function duration(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS_MS[unit] ?? NaN);
  if (milliseconds <= MAX_DAYS * (UNITS_MS.d as number)) return milliseconds;
  throw new InvalidArgumentError(`must be a number and s, m, h or d, such as 24h, and at most ${MAX_DAYS}d`);
}

/** An option with a default, which its help shows in the form that it takes. */
export const durationOption = (flags: string, description: string, standard: string, parse = duration): Option =>
  new Option(flags, description).argParser(parse).default(parse(standard), standard);

/** A time as ISO 8601, `never`, or a duration in milliseconds. It counts by the database's clock: this machine's may be wrong. */
export type Expiry = string | number;

/** When a key ends: a date, a time with its zone, a duration from now on, or `never`. Whether a date lies ahead, only the database can tell. */
export function expiry(text: string): Expiry {
  if (text === NEVER) return text;
  if (/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)) {
    const at = Date.parse(text);
    if (!Number.isNaN(at)) return new Date(at).toISOString();
  } else {
    const milliseconds = durationOrNothing(text);
    if (milliseconds > 0) return milliseconds;
  }
  throw new InvalidArgumentError(
    'must be a date such as 2030-01-31, a time such as 2030-01-31T12:00Z, a duration such as 90d, or never, and lie ahead',
  );
}

function durationOrNothing(text: string): number {
  try {
    return duration(text);
  } catch {
    return NaN;
  }
}

export function tenant(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new InvalidArgumentError('must start with a letter or digit and have at most 64 letters, digits, dots, dashes and underscores');
}

export function printableName(text: string): string {
  if (/^[^\p{C}]{1,100}$/u.test(text) && text.trim() === text) return text;
  throw new InvalidArgumentError('must have 1 to 100 printable characters and no space at its ends');
}

/** A version, or an RFC 3339 time. */
export function pastMoment(text: string): PastMoment {
  if (/^[1-9]\d{0,8}$/.test(text)) return { version: Number(text) };
  const asOf = parseInstant(text);
  if (asOf !== undefined) return { asOf };
  throw new InvalidArgumentError('must be the version of an event, from 1, or a time such as 2026-11-21T09:30:00Z');
}

export const isHistory = (text: string): boolean =>
  isId('job', text) || isId('thr', text) || /^ten_[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);

export function nameOfHistory(text: string): string {
  if (isHistory(text)) return text;
  throw new InvalidArgumentError('must be the id of a job or a thread, job_ or thr_ and 26 characters, or ten_ and the name of a tenant');
}

/** A path with a slash in it, or of something that is there. */
export function historyOrBundle(text: string): string {
  if (isHistory(text) || text.includes('/') || existsSync(text)) return text;
  throw new InvalidArgumentError('must be the id of a job or a thread, ten_ and the name of a tenant, or the folder of a bundle');
}

export function idOf(kind: 'job' | 'thr'): (text: string) => string {
  return (text) => {
    if (isId(kind, text)) return text;
    throw new InvalidArgumentError(`must be an id, ${kind}_ and 26 characters`);
  };
}

/** In place of the id of a job. */
export const STANDARD_INPUT = '-';

export function jobOrInput(text: string): string {
  if (text === STANDARD_INPUT || isId('job', text)) return text;
  throw new InvalidArgumentError('must be the id of a job, job_ and 26 characters, or - for standard input');
}

/** An RFC 3339 time. */
export function instant(text: string): Date {
  const at = parseInstant(text);
  if (at !== undefined) return at;
  throw new InvalidArgumentError('must be a time such as 2026-11-21T09:30:00Z');
}
