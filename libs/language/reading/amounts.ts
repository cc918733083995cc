import { ABOUT, COLON, COMMA, DASH, DEGREE, EURO, OTHER, PERCENT, PLUS, POUND, SLASH, SPACE, STOP, YEN } from './characters';
import { comparatorBefore } from './comparators';
import { SCALES } from './lexicon';
import type { PartialDate } from './dates';
import { isCounting, type Numeral } from './numeral';
import { shareAt, type Share } from './shares';
import type { Token } from './token';
import { isFiniteVerbAt } from './verbs';
import { unitOf, type Unit } from './units';

/** How many or how much, as the interval that the sentence allows. Years are no amounts. */
export interface Amount {
  /** `-Infinity` and `Infinity` where "at most" and "more than" leave it open. */
  low: number;
  high: number;
  /** Half of what its last digit stands for, in the same unit. */
  rounding: number;
  /** How far the number may be off: its rounding or more, in the same unit. */
  tolerance: number;
  /** Dimension of a unit of measure, stems of what is counted, or empty for a bare number. */
  unit: string;
  /** "by 4 %" and "to 4 %" are two different things. */
  relation: string;
  /** The words that it takes, with what it is compared by and a unit of measure: from, and to, exclusive. */
  from: number;
  to: number;
}

/** One number, its scale included. */
interface Quantity {
  numeral: Numeral;
  value: number;
  scale: number;
  currency: string;
  from: number;
  to: number;
}

const CURRENCIES: readonly [number, string][] = [
  [EURO, '€'],
  [POUND, '£'],
  [YEN, '¥'],
];
/** At once before a number they make it part of something else: "COVID-19", "#5", "a/2". */
const ATTACHED = DASH | STOP | COMMA | COLON | SLASH | OTHER;
const BILLION = 1e9;
const RELATIONS = new Set(['by', 'to', 'from']);
/** "at the age of 8", "port 22": the number's meaning stands before it. */
const LABELS = new Set('age aged port number no version chapter season grade level rank ranked'.split(' '));

const TOLERANCE = 0.05;
const ABOUT_TOLERANCE = 0.15;
/** People count up to here and round beyond. */
const COUNTED = 100;
const IRREGULAR_PLURALS = new Set(['people', 'children', 'men', 'women', 'feet', 'species', 'series', 'grandchildren']);
const MAX_UNIT_WORDS = 3;

/** The amounts of a sentence, in order; those of its dates are none. English. */
export function amountsOf(tokens: readonly Token[], dates: readonly PartialDate[]): Amount[] {
  const amounts: Amount[] = [];
  let nextDate = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const word = tokens[at]?.word;
    if (!word?.numeral && word?.text !== 'one') continue;
    while ((dates[nextDate]?.to ?? Infinity) <= at) nextDate += 1;
    const date = dates[nextDate];
    const share = date && date.from <= at ? null : shareAt(tokens, at);
    if (share) {
      amounts.push(amountOfShare(tokens, at, share));
      at = share.to - 1;
      continue;
    }
    if (!word.numeral) continue;
    const first = date && date.from <= at ? null : quantityAt(tokens, at);
    if (!first) continue;
    const second = rangeEnd(tokens, first, date);
    const amount = amountOf(tokens, first, second ?? first);
    amounts.push(amount);
    at = amount.to - 1;
  }
  return amounts;
}

function quantityAt(tokens: readonly Token[], at: number): Quantity | null {
  const token = tokens[at];
  const numeral = token?.word.numeral;
  if (!token || !numeral || !isCounting(numeral) || isAttached(tokens, at)) return null;
  const currency = numeral.hasDollar ? '$' : (CURRENCIES.find(([sign]) => token.before & sign)?.[1] ?? '');
  const suffix = numeral.suffix === '' ? null : scaleOf(numeral.suffix, currency);
  if (suffix !== null) return { numeral, value: numeral.value * suffix, scale: suffix, currency, from: at, to: at + 1 };
  const next = tokens[at + 1];
  const scale = next && numeral.suffix === '' && token.after === SPACE ? (scaleOf(next.word.text, currency) ?? 1) : 1;
  return { numeral, value: numeral.value * scale, scale, currency, from: at, to: scale === 1 ? at + 1 : at + 2 };
}

/** "324 m" are metres, "$324 m" are millions, "$3.2B" are billions. */
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

/** The second number of "5 to 7" and "between 5 and 7". */
function rangeEnd(tokens: readonly Token[], first: Quantity, date: PartialDate | undefined): Quantity | null {
  const joint = tokens[first.to];
  if (!joint) return null;
  const hasDash = (joint.before & DASH) !== 0 && (joint.before & ~(DASH | SPACE)) === 0;
  const word = joint.before === SPACE && joint.after === SPACE ? joint.word.text : '';
  const place = hasDash ? first.to : first.to + 1;
  const second =
    (hasDash || word === 'to' || word === 'and' || word === 'or') && !(date && date.from <= place) ? quantityAt(tokens, place) : null;
  if (!second) return null;
  if (word === 'and') return tokens[first.from - 1]?.word.text === 'between' ? second : null;
  return first.value <= second.value || second.scale > 1 ? second : null;
}

function amountOfShare(tokens: readonly Token[], at: number, { percent, rounding, to }: Share): Amount {
  const comparator = comparatorBefore(tokens, at);
  const tolerance = Math.max(rounding, (comparator.kind === 'about' ? ABOUT_TOLERANCE : TOLERANCE) * percent);
  const relation = tokens[comparator.from - 1]?.word.text ?? '';
  return {
    low: comparator.kind === 'at most' ? -Infinity : percent,
    high: comparator.kind === 'at least' ? Infinity : percent,
    rounding,
    tolerance,
    unit: unitOf('%')?.dimension ?? '',
    relation: RELATIONS.has(relation) ? relation : '',
    from: comparator.from,
    to,
  };
}

function amountOf(tokens: readonly Token[], first: Quantity, last: Quantity): Amount {
  const label = labelBefore(tokens, first.from);
  const measure = label ? { unit: label, factor: 1, to: last.to } : measureOf(tokens, first.currency || last.currency, last);
  const scale = last.scale > 1 && first.scale === 1 && first !== last ? last.scale : 1;
  const low = first.value * scale * measure.factor;
  const high = last.value * measure.factor;
  const comparator = comparatorBefore(tokens, first.from);
  const isAbout = comparator.kind === 'about' || ((tokens[first.from]?.before ?? 0) & ABOUT) !== 0;
  const tolerance = (isAbout ? ABOUT_TOLERANCE : TOLERANCE) * Math.abs(high);
  const rounding = roundingOf(last) * measure.factor;
  const relation = tokens[comparator.from - 1]?.word.text ?? '';
  return {
    low: comparator.kind === 'at most' ? -Infinity : low,
    high: comparator.kind === 'at least' || isOrMore(tokens, last) ? Infinity : high,
    rounding,
    tolerance: Math.max(tolerance, rounding),
    unit: measure.unit,
    relation: RELATIONS.has(relation) ? relation : '',
    from: comparator.from,
    to: measure.to,
  };
}

/** Before the word that a number belongs to as a part of a name: "Windows 7", "Section 26". */
export const NAMED = 'of ';

const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;

function isOfName(tokens: readonly Token[], at: number): boolean {
  const [name, number, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!name || !number?.word.hasDigit || number.before !== SPACE || number.word.numeral?.hasDollar) return false;
  if (!name.isCapitalised || name.word.isStopWord || name.word.numeral || MONTH.test(name.word.text)) return false;
  // "In Ulm 25 % of the votes", and no section 25.
  if ((number.after & (PERCENT | DEGREE)) !== 0) return false;
  // A score: "beat Rovers 3-1".
  if (number.after === DASH && next?.word.hasDigit) return false;
  return !next || (number.after & ~SPACE) !== 0 || next.word.isStopWord || number.word.text.includes('.') || isFiniteVerbAt(tokens, at + 1);
}

function labelBefore(tokens: readonly Token[], at: number): string {
  const place = tokens[at - 1]?.word.text === 'of' ? at - 2 : at - 1;
  const label = tokens[place]?.word.text ?? '';
  if (!LABELS.has(label)) return isOfName(tokens, at) ? `${NAMED}${label}` : '';
  return label === 'aged' ? 'age' : label;
}

/** "5+", "5 or more", "5 metres or more". */
function isOrMore(tokens: readonly Token[], { to }: Quantity): boolean {
  const text = (at: number): string => tokens[at]?.word.text ?? '';
  if ((tokens[to - 1]?.after ?? 0) & PLUS) return true;
  return (text(to) === 'or' && text(to + 1) === 'more') || (text(to + 1) === 'or' && text(to + 2) === 'more');
}

/** Half of what its last digit stands for; zeros at the end of a large number may be rounded away. */
function roundingOf({ numeral: { digits }, value, scale }: Quantity): number {
  const decimals = digits.split('.')[1]?.length ?? 0;
  if (decimals > 0 || value / scale < COUNTED || scale > 1) return 0.5 * 10 ** -decimals * scale;
  const zeros = /0*$/.exec(digits)?.[0].length ?? 0;
  return Math.min(0.5 * 10 ** (digits.length === 3 ? Math.min(zeros, 1) : zeros), ABOUT_TOLERANCE * value);
}

interface Measure {
  unit: string;
  factor: number;
  to: number;
}

function measureOf(tokens: readonly Token[], currency: string, { numeral, from, to }: Quantity): Measure {
  if (currency !== '') return { unit: unitOf(currency)?.dimension ?? currency, factor: 1, to };
  const after = tokens[to - 1]?.after ?? 0;
  if (after & PERCENT) return measured(unitOf('%'), to);
  if (numeral.suffix !== '' && to === from + 1) {
    const attached = unitOf(numeral.suffix);
    return attached ? measured(attached, to) : { unit: numeral.suffix, factor: 1, to };
  }
  const next = tokens[to];
  if (!next || (after !== SPACE && after !== DASH && (after & DEGREE) === 0)) return { unit: '', factor: 1, to };
  if (after & DEGREE) return measured(unitOf(`°${next.word.text}`), to + 1);
  const per = next.after === SLASH ? unitOf(`${next.word.text}/${tokens[to + 1]?.word.text ?? ''}`) : null;
  if (per) return measured(per, to + 2);
  const { text, unit } = next.word;
  if (text === 'per' && tokens[to + 1]?.word.text === 'cent') return measured(unitOf('%'), to + 2);
  return unit && text !== 'in' && text !== 'second' ? measured(unit, to + 1) : { unit: countedAt(tokens, to), factor: 1, to };
}

function measured(unit: Unit | null, to: number): Measure {
  return { unit: unit?.dimension ?? '', factor: unit?.factor ?? 1, to };
}

/** "five studio albums in …" counts studio albums: the words up to the first plural. */
function countedAt(tokens: readonly Token[], from: number): string {
  const counted: string[] = [];
  for (let at = from; at < from + MAX_UNIT_WORDS; at += 1) {
    const token = tokens[at];
    if (!token || (token.before !== SPACE && token.before !== DASH) || token.word.isStopWord || token.word.hasDigit) break;
    const { text, stem, role } = token.word;
    if (role !== 'filler') counted.push(stem);
    if (/[^s]s$/.test(text) || IRREGULAR_PLURALS.has(text)) return counted.sort().join(' ');
  }
  return counted[0] ?? '';
}
