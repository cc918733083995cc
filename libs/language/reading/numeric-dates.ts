import type { PartialDate } from './partial-date';
import { DASH, SLASH } from './characters';
import type { Token } from './token';

const MONTHS = 12;
const DAYS = 31;
const BY_FULL_STOPS = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const IN_DIGITS = /^\d+$/;

/** A date such as "25.04.1859", "2025-09-25" or "26/07/1956" at an index; in "04/05/1956" the month is ambiguous. Null if there is none. */
export function dateInNumbersAt(tokens: readonly Token[], at: number): PartialDate | null {
  const first = tokens[at];
  if (!first) return null;
  const [, day, month, year] = first.word.isIdentifier ? (BY_FULL_STOPS.exec(first.word.text) ?? []) : [];
  if (year !== undefined) return dateOf(Number(year), Number(month), Number(day), at, at + 1);
  if (first.after !== DASH && first.after !== SLASH) return null;
  const parts = tokens.slice(at, at + 3);
  if (parts.length < 3 || parts[1]?.after !== first.after || !parts.every(({ word }) => IN_DIGITS.test(word.text))) return null;
  const [one = '', two = '', three = ''] = parts.map(({ word }) => word.text);
  const to = at + 3;
  if (one.length === 4 && two.length === 2 && three.length === 2) return dateOf(Number(one), Number(two), Number(three), at, to);
  if (first.after !== SLASH || three.length !== 4 || one.length > 2 || two.length > 2) return null;
  if (Number(one) > MONTHS) return dateOf(Number(three), Number(two), Number(one), at, to);
  if (Number(two) > MONTHS) return dateOf(Number(three), Number(one), Number(two), at, to);
  return { year: Number(three), month: null, day: null, isApproximate: false, years: 1, from: at, to };
}

function dateOf(year: number, month: number, day: number, from: number, to: number): PartialDate | null {
  if (year < 1000 || year > 2099 || month < 1 || month > MONTHS || day < 1 || day > DAYS) return null;
  return { year, month, day, isApproximate: false, years: 1, from, to };
}
