import { NUMBERS } from './lexicon';

/** A number given by one word, in digits or as a name. */
export interface Numeral {
  value: number;
  /** Without separators; empty for a name. */
  digits: string;
  /** What directly follows the digits: "km", "th", "s". */
  suffix: string;
  hasDollar: boolean;
  /** Grouped digits, as in "1,800", which are never a year. */
  isGrouped: boolean;
}

const IN_DIGITS = /^(?:\p{L}{0,2}(\$))?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d+)?)(\p{L}*)$/u;

/** A quick check: only a number with an apostrophe, a comma or two full stops can be in another notation. */
const MAY_BE_OTHERWISE = /[',]|\..*\./;
const BY_APOSTROPHES = /^\d{1,3}(?:'\d{3})+(?:\.\d+)?$/;
const BY_FULL_STOPS = /^\d{1,3}(?:\.\d{3}){2,}$/;
/** An IP address, which may look like grouped digits: "192.168.178.100". */
const IN_BYTES = /^(?:(?:1\d|2[0-4])\d|25[0-5])(?:\.(?:(?:1\d|2[0-4])\d|25[0-5])){3}$/;
const BEHIND_COMMA = /^(\d{1,3}(?:\.\d{3})*|\d+),(\d{1,2})$/;

/**
 * Rewrites a number from another notation to the English one: "1'234.50", "1.234,5", "1.234.567". Ambiguous ones such as "1.234" stay. Expects a
 * lower-cased word.
 */
export function inEnglish(text: string): string {
  if (!MAY_BE_OTHERWISE.test(text)) return text;
  if (BY_APOSTROPHES.test(text)) return text.replaceAll("'", ',');
  if (BY_FULL_STOPS.test(text) && !IN_BYTES.test(text)) return text.replaceAll('.', ',');
  const [, whole, decimals] = BEHIND_COMMA.exec(text) ?? [];
  return whole === undefined || decimals === undefined ? text : `${whole.replaceAll('.', ',')}.${decimals}`;
}

/** Null for a word that is not a number, such as a version, a time or a name. Expects a lower-cased word. */
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

/** A word that is only a year. */
export const YEAR = /^(?:1\d|20)\d\d$/;
/** The same of modern times. */
export const MODERN_YEAR = /^(?:1[5-9]|20)\d\d$/;
export const ORDINAL = /^(?:st|nd|rd|th)$/;
export const DECADE = 's';

/** Whether a number counts something; "1st" and "1990s" do not. */
export function isCounting({ suffix }: Numeral): boolean {
  return suffix !== DECADE && !ORDINAL.test(suffix);
}

/** 1 to 31, with or without an ordinal ending. */
export function dayOf(numeral: Numeral | null): number | null {
  if (!numeral || numeral.digits.length > 2 || numeral.digits === '' || numeral.hasDollar) return null;
  return numeral.suffix === '' || ORDINAL.test(numeral.suffix) ? numeral.value : null;
}
