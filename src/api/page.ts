import type { CursorFormat } from '@lib/store/cursor-format';
import { QueryValues, type Query } from './query-values';

/** Which part of a list is asked for. */
export interface Page {
  limit: number;
  offset: number;
}

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
export const MAX_OFFSET = 2 ** 31 - 1;
/** Zero has no sign. */
const INTEGER = /^(?!-0+$)-?\d+$/;

/** The same for a list that goes on from a place. */
export interface PageAfter<Place> extends Page {
  after: Place | null;
}

/**
 * The page with its defaults; a limit above 100 is lowered to it, however large.
 * @throws Problem invalid_request with every violation
 */
export function pageAfter<Place>(query: Query, cursors: CursorFormat<Place>): PageAfter<Place> {
  const values = new QueryValues(query);
  const page = readPageAfter(values, cursors);
  values.check();
  return page;
}

/** The same where other parameters are read too: the caller checks them all together. */
export function readPageAfter<Place>(values: QueryValues, cursors: CursorFormat<Place>): PageAfter<Place> {
  const limit = readLimit(values);
  const offset = integer(values, 'offset', 0, MAX_OFFSET, `an integer from 0 to ${MAX_OFFSET}`) ?? 0;
  const remedy = `must be the nextCursor of a page${offset > 0 ? ', and come without an offset' : ''}`;
  const after = values.read('cursor', 'invalid_cursor', remedy, (text) => (offset > 0 ? undefined : cursors.placeIn(text))) ?? null;
  return { limit, offset, after };
}

export function readLimit(values: QueryValues): number {
  const remedy = `an integer of at least 1 (more than ${MAX_LIMIT} counts as ${MAX_LIMIT})`;
  return Math.min(integer(values, 'limit', 1, Infinity, remedy) ?? DEFAULT_LIMIT, MAX_LIMIT);
}

/** A number too large for a double is Infinity, which is large enough. */
function integer(values: QueryValues, name: keyof Page, least: number, most: number, remedy: string): number | undefined {
  return values.read(name, 'invalid_integer', `must be ${remedy}`, (text) => {
    const number = INTEGER.test(text) ? Number(text) : NaN;
    return number >= least && number <= most ? number : undefined;
  });
}
