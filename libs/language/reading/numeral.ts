import { NUMBERS } from './lexicon';

/** A number as one word gives it, in digits or by name. */
export interface Numeral {
  value: number;
  /** As written, without separators; empty for a name. */
  digits: string;
  /** What follows the digits at once: "km", "th", "s"; `$` stands before them. */
  suffix: string;
  hasDollar: boolean;
  /** "1,800": that is never a year. */
  isGrouped: boolean;
}

const IN_DIGITS = /^(?:\p{L}{0,2}(\$))?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d+)?)(\p{L}*)$/u;

/** Most numbers have none of these. */
const MAY_BE_OTHERWISE = /[',]|\..*\./;
const BY_APOSTROPHES = /^\d{1,3}(?:'\d{3})+(?:\.\d+)?$/;
const BY_FULL_STOPS = /^\d{1,3}(?:\.\d{3}){2,}$/;
/** An address: "192.168.178.100". */
const IN_BYTES = /^(?:(?:1\d|2[0-4])\d|25[0-5])(?:\.(?:(?:1\d|2[0-4])\d|25[0-5])){3}$/;
const BEHIND_COMMA = /^(\d{1,3}(?:\.\d{3})*|\d+),(\d{1,2})$/;

/** A number that is written as elsewhere, as English writes it: "1'234.50", "1.234,5", "1.234.567". What may be either stays: "1.234". Expects a lower-cased word. */
export function inEnglish(text: string): string {
  if (!MAY_BE_OTHERWISE.test(text)) return text;
  if (BY_APOSTROPHES.test(text)) return text.replaceAll("'", ',');
  if (BY_FULL_STOPS.test(text) && !IN_BYTES.test(text)) return text.replaceAll('.', ',');
  const [, whole, decimals] = BEHIND_COMMA.exec(text) ?? [];
  return whole === undefined || decimals === undefined ? text : `${whole.replaceAll('.', ',')}.${decimals}`;
}

/** Null for a word that is no number: a version, a time, a name. Expects a lower-cased word. */
export function numeralOf(text: string): Numeral | null {
  const named = NUMBERS.get(text);
  if (named !== undefined) return { value: named, digits: '', suffix: '', hasDollar: false, isGrouped: false };
  const [, dollar, written = '', suffix = ''] = IN_DIGITS.exec(text) ?? [];
  if (written === '') return null;
  const digits = written.replaceAll(',', '');
  return { value: Number(digits), digits, suffix, hasDollar: dollar === '$', isGrouped: written !== digits };
}

/** A number of four digits that can be a year. */
export function yearOf(numeral: Numeral | null): number | null {
  if (numeral?.digits.length !== 4 || numeral.hasDollar || numeral.isGrouped || numeral.suffix !== '') return null;
  return numeral.value >= 1000 && numeral.value <= 2099 && Number.isInteger(numeral.value) ? numeral.value : null;
}

/** A year as it is written alone. */
export const YEAR = /^(?:1\d|20)\d\d$/;
export const ORDINAL = /^(?:st|nd|rd|th)$/;
export const DECADE = 's';

/** "1st" and "1990s" count nothing. */
export function isCounting({ suffix }: Numeral): boolean {
  return suffix !== DECADE && !ORDINAL.test(suffix);
}

/** 1 to 31, with or without the ending of an ordinal. */
export function dayOf(numeral: Numeral | null): number | null {
  if (!numeral || numeral.digits.length > 2 || numeral.digits === '' || numeral.hasDollar) return null;
  return numeral.suffix === '' || ORDINAL.test(numeral.suffix) ? numeral.value : null;
}
