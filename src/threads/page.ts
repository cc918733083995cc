import { invalidRequest, type Violation } from '../api/problems';
import { quoted } from '../api/quoted';

/** Which part of a list is asked for. */
export interface Page {
  limit: number;
  offset: number;
}

/** Query parameters as the router gives them: a repeated one is a list. */
export type PageQuery = Readonly<Partial<Record<keyof Page, string | string[]>>>;

export const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
export const MAX_OFFSET = 2 ** 31 - 1;
const INTEGER = /^-?\d+$/;

/**
 * The page with its defaults; a limit above 100 is lowered to it, however large.
 * @throws Problem invalid_request with every violation
 */
export function pageOf(query: PageQuery): Page {
  const limit = integerOf(query.limit, DEFAULT_LIMIT);
  const offset = integerOf(query.offset, 0);
  const violations: Violation[] = [];
  if (!(limit >= 1))
    violations.push(violation('limit', query.limit, `an integer of at least 1 (more than ${MAX_LIMIT} counts as ${MAX_LIMIT})`));
  if (!(offset >= 0 && offset <= MAX_OFFSET)) violations.push(violation('offset', query.offset, `an integer from 0 to ${MAX_OFFSET}`));
  if (violations.length > 0) throw invalidRequest(violations);
  return { limit: Math.min(limit, MAX_LIMIT), offset };
}

/** NaN for what is no integer; a number too large for a double is Infinity, which is large enough. */
function integerOf(text: string | string[] | undefined, standard: number): number {
  if (text === undefined) return standard;
  return typeof text === 'string' && INTEGER.test(text) ? Number(text) : NaN;
}

function violation(name: keyof Page, value: string | string[] | undefined, remedy: string): Violation {
  const found = Array.isArray(value) ? `given ${value.length} times` : quoted(value ?? '');
  return {
    pointer: `/${name}`,
    code: Array.isArray(value) ? 'repeated' : 'invalid_integer',
    message: `${name} is ${found}: it must be ${remedy}.`,
  };
}
