import { COLON, COMMA, CURRENCY, DASH, DEGREE, EURO, MINUS, OTHER, PERCENT, POUND, SLASH, SPACE, STOP, YEN } from './characters';
import type { PartialDate } from './partial-date';
import { AROUND_FIGURES } from './comparators';
import { SCALES } from './lexicon';
import { MOVING } from './movements';
import { isCounting, type Numeral } from './numeral';
import { textAt, type Token } from './token';
import { isCurrencyCode } from './units';

/** A number with its scale. */
export interface Quantity {
  numeral: Numeral;
  value: number;
  scale: number;
  currency: string;
  /** Whether a minus stands before it. */
  isNegative: boolean;
  /** Includes a currency code before it. */
  from: number;
  to: number;
}

const CURRENCIES: readonly [number, string][] = [
  [EURO, '€'],
  [POUND, '£'],
  [YEN, '¥'],
];
/** Directly before a number, these make it part of something else: "COVID-19", "#5", "a/2". */
const ATTACHED = DASH | STOP | COMMA | COLON | SLASH | OTHER;
const MILLION = 1e6;
const BILLION = 1e9;
/** Up to this number people count exactly; beyond it they round. */
const COUNTED = 100;
/** Relative tolerance of "about". */
export const ABOUT_TOLERANCE = 0.15;

/** Null if no relevant number begins here. */
export const quantityAt = (tokens: readonly Token[], at: number): Quantity | null => (isAttached(tokens, at) ? null : numberAt(tokens, at));

function numberAt(tokens: readonly Token[], at: number): Quantity | null {
  const token = tokens[at];
  const numeral = token?.word.numeral;
  if (!token || !numeral || !isCounting(numeral)) return null;
  const code = token.before === SPACE && isCode(tokens[at - 1]) ? tokens[at - 1]?.word.text : undefined;
  const sign = numeral.hasDollar ? '$' : CURRENCIES.find(([kind]) => token.before & kind)?.[1];
  const currency = sign ?? code ?? '';
  const [from, isNegative] = [sign === undefined && code !== undefined ? at - 1 : at, isBehindMinus(tokens, at)];
  const suffix = numeral.suffix === '' ? null : scaleOf(numeral.suffix, currency);
  if (suffix !== null) return { numeral, value: numeral.value * suffix, scale: suffix, currency, isNegative, from, to: at + 1 };
  const next = tokens[at + 1];
  const scale = next && numeral.suffix === '' && token.after === SPACE ? (scaleIn(next, currency) ?? 1) : 1;
  return { numeral, value: numeral.value * scale, scale, currency, isNegative, from, to: scale === 1 ? at + 1 : at + 2 };
}

const isCode = (token: Token | undefined): boolean => token?.isCapitalised === true && isCurrencyCode(token.word.text);

/** Whether a minus sign belongs to a number; not after another number: "5 -7". */
const isBehindMinus = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.word.text === 'minus' || (((tokens[at]?.before ?? 0) & MINUS) !== 0 && tokens[at - 1]?.word.hasDigit !== true);

/** Millions have a capital, "40 M", and metres do not. */
const scaleIn = ({ word, isCapitalised }: Token, currency: string): number | null =>
  scaleOf(word.text, currency) ?? (word.text === 'm' && isCapitalised ? MILLION : null);

/** The scale that a letter means: "324 m" is in metres, but "$324 m" in millions and "$3.2B" in billions. */
function scaleOf(name: string, currency: string): number | null {
  if (name === 'b' && currency !== '') return BILLION;
  const scale = SCALES.get(name);
  return scale !== undefined && (name.length > 1 || currency !== '') ? scale : null;
}

function isAttached(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token) return false;
  if (token.word.hasDigit) return at > 0 && (token.before & SPACE) === 0 && (token.before & ATTACHED) !== 0;
  return (token.before & (DASH | SPACE)) === DASH;
}

/** The second number of a range: "5 to 7" and "between 5 and 7". */
export function rangeEnd(tokens: readonly Token[], first: Quantity, date: PartialDate | undefined): Quantity | null {
  const joint = tokens[first.to];
  if (!joint) return null;
  const hasDash = (joint.before & DASH) !== 0 && (joint.before & ~(DASH | SPACE | CURRENCY | MINUS)) === 0;
  const isApart =
    (joint.before & ~PERCENT) === SPACE &&
    (joint.after & SPACE) !== 0 &&
    ((joint.after & ~(SPACE | CURRENCY)) === 0 || (joint.after & MINUS) !== 0);
  const word = isApart ? joint.word.text : '';
  const begin = hasDash ? first.to : first.to + 1;
  const place = isCode(tokens[begin]) ? begin + 1 : begin;
  if (hasDash && (joint.before & SPACE) !== 0 && endsName(tokens, first)) return null;
  if (!(hasDash || word === 'to' || word === 'and' || word === 'or') || (date && date.from <= place)) return null;
  const second = hasDash ? rangedAt(tokens, place, first) : quantityAt(tokens, place);
  // Not in "fell 12% to 11.1 billion".
  if (!second || (word !== '' && (joint.before & PERCENT) !== 0 && ((tokens[second.to - 1]?.after ?? 0) & PERCENT) === 0)) return null;
  if (word === 'and') return tokens[first.from - 1]?.word.text === 'between' ? second : null;
  return first.value <= second.value || signed(first) <= signed(second) || second.scale > 1 || isChange(tokens, first) ? second : null;
}

/** Whether a number ends a name at the beginning: "Kestrel 3 – 412 km". */
const endsName = (tokens: readonly Token[], { from, to, currency }: Quantity): boolean =>
  from > 0 &&
  to === from + 1 &&
  currency === '' &&
  tokens.slice(0, from).every(({ word, isCapitalised }) => isCapitalised && !word.isStopWord);

/** The second number of "5–7 °C" or "€5–7", but not of a score: "lost 1–3". */
function rangedAt(tokens: readonly Token[], at: number, first: Quantity): Quantity | null {
  const second = numberAt(tokens, at);
  if (!second || first.currency !== '' || second.currency !== '' || second.scale > 1 || second.numeral.suffix !== '') return second;
  const [number, next, other] = [tokens[second.to - 1], tokens[second.to], tokens[second.to + 1]];
  if (!number || (tokens[at]?.before ?? 0) & SPACE || number.after & (PERCENT | DEGREE) || isAge(tokens, first)) return second;
  const isCounted =
    next !== undefined &&
    ((next.word.unit !== null && !next.word.isStopWord) || isPlural(next) || (other !== undefined && isPlural(other)));
  return isCounted && number.after === SPACE ? second : null;
}

/** Whether a range is one of ages: "Adults aged 40–75". */
const isAge = (tokens: readonly Token[], { from }: Quantity): boolean => AGES.has(textAt(tokens, from - 1));
const AGES = new Set('age ages aged'.split(' '));

const isPlural = ({ word, before }: Token): boolean =>
  before === SPACE && !word.isStopWord && /[^s]s$|^(?:people|children|men|women|feet)$/.test(word.text);

export const signed = ({ value, isNegative }: Quantity): number => (isNegative ? -value : value);

/** Whether a range is a change "from 1.7 to 1.9"; a price "from 5 to 7 euros" is between the two. */
export function isChange(tokens: readonly Token[], { from, to }: Quantity): boolean {
  const begin = AROUND_FIGURES.has(textAt(tokens, from - 1)) ? from - 2 : from - 1;
  return (
    tokens[begin]?.word.text === 'from' &&
    tokens[to]?.word.text === 'to' &&
    tokens.slice(Math.max(0, begin - MAX_WORDS_BEFORE_FROM), begin).some(({ word }) => MOVING.has(word.stem))
  );
}

/** Most words between the verb and "from". */
const MAX_WORDS_BEFORE_FROM = 5;

/** Half a unit of its last digit; zeros at the end of a large number may come from rounding. */
export function roundingOf({ numeral: { digits }, value, scale }: Quantity): number {
  const decimals = digits.split('.')[1]?.length ?? 0;
  if (decimals > 0 || value / scale < COUNTED || scale > 1) return 0.5 * 10 ** -decimals * scale;
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  return Math.min(0.5 * 10 ** (digits.length === 3 ? Math.min(zeros, 1) : zeros), ABOUT_TOLERANCE * value);
}
