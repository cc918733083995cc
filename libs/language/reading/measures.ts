import { DASH, DEGREE, PERCENT, SLASH, SPACE } from './characters';
import type { Quantity } from './quantities';
import { isFiniteOrPast, textAt, type Token } from './token';
import { isOfTime, unitOf, type Unit } from './units';
import { isFiniteVerbAt } from './verbs';

/** Words before a number that give its meaning: "at the age of 8", "port 22". */
export const LABELS = new Set('age ages aged port number no version chapter season grade level rank ranked'.split(' '));

/** A number after one of these is part of its name, whatever follows: "a Section 21 notice". */
const PARTS_OF_LAW = new Set('section article chapter schedule rule regulation clause paragraph title amendment'.split(' '));
/** Lower-case nouns whose number is a name: "flight 610 crashed". */
const NUMBERED = new Set('flight unit phase hut pier highway route room platform'.split(' '));

const IRREGULAR_PLURALS = new Set(['people', 'children', 'men', 'women', 'feet', 'species', 'series', 'grandchildren']);
const MAX_UNIT_WORDS = 3;

/** Words between two figures of the same measure: "6.8 versus 5.0 kg". */
export const HOLDING_AGAINST: ReadonlySet<string> = new Set('versus vs against from'.split(' '));

/** The thing counted or the unit measured. */
export interface Measure {
  unit: string;
  factor: number;
  to: number;
}

export function measureOf(tokens: readonly Token[], currency: string, { numeral, from, to }: Quantity): Measure {
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
  const per = next.after === SLASH ? unitOf(`${next.word.text}/${textAt(tokens, to + 1)}`) : null;
  if (per) return measured(per, to + 2);
  const degree = DEGREES.test(next.word.text) ? unitOf(`°${textAt(tokens, to + 1).slice(0, 1)}`) : null;
  if (degree && SCALES_OF_DEGREES.has(textAt(tokens, to + 1))) return measured(degree, to + 2);
  if (isInName(tokens, from, to)) return { unit: `${NAMED}${next.word.text}`, factor: 1, to };
  const behind = tokens[to + 1]?.word.unit;
  if (behind && ADDING.has(next.word.text) && isOfTime(behind.dimension)) return measured(behind, to + 2);
  const { text, unit } = next.word;
  if (text === 'per' && tokens[to + 1]?.word.text === 'cent') return measured(unitOf('%'), to + 2);
  return unit && text !== 'in' && text !== 'second' ? measured(unit, to + 1) : { unit: countedAt(tokens, to), factor: 1, to };
}

/** These may stand between a number and a unit of time: "three additional months". */
const ADDING = new Set('additional further extra more full whole'.split(' '));

/** Whether a number in words belongs to a name, such as "the Six-Day War". */
const isInName = (tokens: readonly Token[], from: number, to: number): boolean =>
  tokens[from]?.word.hasDigit === false && from > 0 && tokens.slice(from, to + 2).every(({ isCapitalised }) => isCapitalised);

const DEGREES = /^degrees?$/;
const SCALES_OF_DEGREES = new Set('c celsius centigrade f fahrenheit'.split(' '));

function measured(unit: Unit | null, to: number): Measure {
  return { unit: unit?.dimension ?? '', factor: unit?.factor ?? 1, to };
}

/** The thing counted, as the stems of the words up to the first plural: studio albums in "five studio albums in …". */
function countedAt(tokens: readonly Token[], from: number): string {
  const counted: string[] = [];
  for (let at = from; at < from + MAX_UNIT_WORDS; at += 1) {
    const token = tokens[at];
    if (!token || (token.before !== SPACE && token.before !== DASH) || token.word.isStopWord || token.word.hasDigit) break;
    const { text, stem, effect } = token.word;
    if (HOLDING_AGAINST.has(text)) break;
    if (effect !== 'filler') counted.push(stem);
    if (/[^s]s$/.test(text) || IRREGULAR_PLURALS.has(text)) return counted.sort().join(' ');
  }
  return counted[0] ?? '';
}

/** Prefix of the unit for a number that is part of a name: "Windows 7", "Section 26". */
export const NAMED = 'of ';

const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;

function isOfName(tokens: readonly Token[], at: number): boolean {
  const [name, number, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!name || !number?.word.hasDigit || number.before !== SPACE || number.word.numeral?.hasDollar) return false;
  if (NUMBERED.has(name.word.text)) return !next || (number.after & ~SPACE) !== 0 || next.word.isStopWord || isFiniteOrPast(next);
  if (!name.isCapitalised || name.word.isStopWord || name.word.numeral || MONTH.test(name.word.text)) return false;
  if (PARTS_OF_LAW.has(name.word.text)) return true;
  // A percentage, not part of a name: "In Ulm 25 % of the votes".
  if ((number.after & (PERCENT | DEGREE)) !== 0) return false;
  // A score, not part of a name: "beat Rovers 3-1".
  if (number.after === DASH && next?.word.hasDigit) return false;
  return !next || (number.after & ~SPACE) !== 0 || next.word.isStopWord || number.word.text.includes('.') || isFiniteVerbAt(tokens, at + 1);
}

export function labelBefore(tokens: readonly Token[], at: number): string {
  const place = tokens[at - 1]?.word.text === 'of' ? at - 2 : at - 1;
  const label = textAt(tokens, place);
  if (!LABELS.has(label)) return isOfName(tokens, at) ? `${NAMED}${label}` : '';
  return label === 'aged' || label === 'ages' ? 'age' : label;
}
