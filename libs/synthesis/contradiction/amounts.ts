import { isStopWord, stemOf } from '@lib/language/tokens';
import { lookUp, NUMBERS, SCALES } from '../lexicon';
import { unitOf } from './units';

/** How many or how much, as the interval that the sentence allows. Years are no amounts. */
export interface Amount {
  /** `-Infinity` and `Infinity` where "at most" and "more than" leave it open. */
  low: number;
  high: number;
  /** How far the number may be off: its rounding, in the same unit. */
  tolerance: number;
  /** Dimension of a unit of measure, stems of what is counted, or empty for a bare number. */
  unit: string;
  /** "by 4 %" and "to 4 %" are two different things. */
  relation: string;
  /** Its place in the text, with what it is compared by and a unit of measure, in UTF-16 units. */
  start: number;
  end: number;
}

interface Numeral {
  value: number;
  currency: string;
  scale: number;
  /** As written, without separators and scale. */
  digits: string;
  start: number;
  end: number;
}

const NUMERAL = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:/#_-]|\p{N}[–—])([$€£¥])?\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,15}(?:\.\d+)?|\b(?:${[...NUMBERS.keys()].join('|')})\b(?!-\p{L}+(?<=one|two|three|four|five|six|seven|eight|nine)\b))(?![\d]|[.,:]\d|(?:st|nd|rd|th)\b)(?:\s?(${[...SCALES.keys()].join('|')})(?![\p{L}\p{N}]))?`,
  'giu',
);

const AT_LEAST =
  /\b(?:more than|over|above|at least|no (?:less|fewer) than|exceed(?:s|ed|ing)?|upwards of|a minimum of|greater than|older than)\s*$/i;
const AT_MOST = /\b(?:less than|fewer than|under|below|up to|at most|no more than|no longer than|a maximum of|within)\s*$/i;
const ABOUT = /(?:\b(?:about|around|approximately|roughly|nearly|almost|some|circa|an estimated|an average of|close to)|[~≈])\s*$/i;
const COMPARATOR = new RegExp(`(?:${AT_LEAST.source})|(?:${AT_MOST.source})|(?:${ABOUT.source})`, 'i');
const OR_MORE = /^(?:\+|\s+(?:\p{L}+\s+)?or more\b)/iu;
const RANGE = /^\s?(?:[–—-]|to|and|or)\s?$/i;
const RELATION = /\b(by|to|from)\s+(?:(?:about|around|over|more than|nearly|almost|up to)\s+)?$/i;
/** "at the age of 8", "port 22": the number's meaning stands before it. */
const LABEL = /\b(age|aged|port|number|no\.?|version|chapter|season|grade|level|rank(?:ed)?)\s+(?:of\s+)?$/i;

const TOLERANCE = 0.05;
const ABOUT_TOLERANCE = 0.15;
/** People count up to here and round beyond. */
const COUNTED = 100;
const IRREGULAR_PLURALS = new Set(['people', 'children', 'men', 'women', 'feet', 'species', 'series', 'grandchildren']);
const MAX_UNIT_WORDS = 3;

/** The amounts of a sentence, in order. `taken` are the places of its dates. */
export function amountsOf(text: string, taken: readonly { start: number; end: number }[]): Amount[] {
  const numerals = numeralsOf(text).filter(({ start, end }) => !taken.some((date) => start < date.end && date.start < end));
  const amounts: Amount[] = [];
  for (let position = 0; position < numerals.length; position += 1) {
    const first = numerals[position];
    const second = numerals[position + 1];
    if (!first) continue;
    const isRange = second !== undefined && RANGE.test(text.slice(first.end, second.start)) && joinsRange(text, first, second);
    if (isRange) position += 1;
    amounts.push(amountOf(text, first, isRange ? second : first));
  }
  return amounts;
}

/** "5 and 7" is a range after "between" alone. */
function joinsRange(text: string, first: Numeral, second: Numeral): boolean {
  const joint = text.slice(first.end, second.start).trim().toLowerCase();
  if (joint === 'and') return /\bbetween\s+$/i.test(text.slice(Math.max(0, first.start - 12), first.start));
  return first.value <= second.value || second.scale > 1;
}

function numeralsOf(text: string): Numeral[] {
  return [...text.matchAll(NUMERAL)].map((match) => {
    const [all, currency = '', written = '', scaleName] = match;
    const digits = written.replaceAll(',', '');
    // "324 m" are metres, "$324 m" are millions.
    const isScale = scaleName !== undefined && (scaleName.length > 1 || currency !== '');
    const scale = isScale ? (SCALES.get(scaleName.toLowerCase()) ?? 1) : 1;
    const value = (NUMBERS.get(written.toLowerCase()) ?? Number(digits)) * scale;
    const end = match.index + (isScale ? all : all.slice(0, all.length - (scaleName?.length ?? 0)).trimEnd()).length;
    return { value, currency, scale, digits, start: match.index, end };
  });
}

function amountOf(text: string, first: Numeral, last: Numeral): Amount {
  const before = text.slice(Math.max(0, first.start - 24), first.start);
  const after = text.slice(last.end);
  const label = LABEL.exec(before)?.[1]
    ?.toLowerCase()
    .replace(/^aged$/, 'age');
  const measured = label ? { unit: label, factor: 1, length: 0 } : measureOf(first.currency || last.currency, after);
  const scale = last.scale > 1 && first.scale === 1 && first !== last ? last.scale : 1;
  const [low, high] = [first.value * scale * measured.factor, last.value * measured.factor];
  const comparator = COMPARATOR.exec(before)?.[0] ?? '';
  const tolerance = (ABOUT.test(comparator) ? ABOUT_TOLERANCE : TOLERANCE) * Math.abs(high);
  return {
    low: AT_MOST.test(comparator) ? -Infinity : low,
    high: AT_LEAST.test(comparator) || OR_MORE.test(after) ? Infinity : high,
    tolerance: Math.max(tolerance, roundingOf(last) * measured.factor),
    unit: measured.unit,
    relation: RELATION.exec(before)?.[1]?.toLowerCase() ?? '',
    start: first.start - comparator.length,
    end: last.end + measured.length,
  };
}

/** Half of what its last digit stands for; zeros at the end of a large number may be rounded away. */
function roundingOf({ digits, value, scale }: Numeral): number {
  const decimals = digits.split('.')[1]?.length ?? 0;
  if (decimals > 0 || value / scale < COUNTED || scale > 1) return 0.5 * 10 ** -decimals * scale;
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  return Math.min(0.5 * 10 ** (digits.length === 3 ? Math.min(zeros, 1) : zeros), ABOUT_TOLERANCE * value);
}

function measureOf(currency: string, after: string): { unit: string; factor: number; length: number } {
  if (currency !== '') return { unit: unitOf(currency)?.dimension ?? currency, factor: 1, length: 0 };
  const [all = '', name = ''] = /^[\s-]?(%|per ?cent\b|°\s?[CF]\b|[\p{L}]+(?:\/\p{L}+)?)/iu.exec(after) ?? [];
  const unit = unitOf(name);
  if (unit && !/^(?:in|second)$/i.test(name)) return { unit: unit.dimension, factor: unit.factor, length: all.length };
  return { unit: countedIn(after), factor: 1, length: 0 };
}

/** "five studio albums in …" counts studio albums: the words up to the first plural. */
function countedIn(after: string): string {
  const counted: string[] = [];
  const [phrase = ''] = /^(?:[\s-]\p{L}+)*/u.exec(after) ?? [];
  for (const word of phrase
    .toLowerCase()
    .trim()
    .split(/[\s-]+/)
    .slice(0, MAX_UNIT_WORDS)) {
    if (word === '' || isStopWord(word)) break;
    if (lookUp(word).role !== 'filler') counted.push(stemOf(word));
    if (/[^s]s$/.test(word) || IRREGULAR_PLURALS.has(word)) return counted.toSorted().join(' ');
  }
  return counted[0] ?? '';
}

export type AmountComparison = { kind: 'same' } | { kind: 'incomparable' } | { kind: 'different'; isBare: boolean };

/** Amounts are paired by unit, in order; one without a partner makes the sentences incomparable. */
export function compareAmounts(left: readonly Amount[], right: readonly Amount[]): AmountComparison {
  if (left.length !== right.length) return { kind: 'incomparable' };
  const rest = [...right];
  const different: Amount[] = [];
  for (const amount of left) {
    const position = rest.findIndex(({ unit, relation }) => unit === amount.unit && relation === amount.relation);
    const [partner] = position === -1 ? [] : rest.splice(position, 1);
    if (!partner) return { kind: 'incomparable' };
    if (amountsConflict(amount, partner)) different.push(amount);
  }
  return different.length === 0 ? { kind: 'same' } : { kind: 'different', isBare: different.every(({ unit }) => unit === '') };
}

/** Their intervals lie further apart than both are rounded. */
function amountsConflict(one: Amount, other: Amount): boolean {
  const gap = Math.max(one.low - other.high, other.low - one.high);
  return gap > Math.max(one.tolerance, other.tolerance);
}
