import type { Amount } from '@lib/language/reading/amount';
import { periodIn } from '@lib/language/reading/periods';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import { standingForAll } from '@lib/language/reading/synonyms';
import { isContentWord } from '@lib/language/reading/token';
import { isLabelled } from '../contradiction/main-part';
import { BETWEEN_CELLS } from '../sentences/quotes';
import { isRank } from '../statement/table-row';
import type { Statement } from '../statement/statement';
import type { Headings } from '../subject/heading';

/** A value of a record, which is a row of a table or a list item such as “Price: $210m”. Words are stems, and synonyms are one word. */
export interface Field {
  /** The first cell of the row, or the heading of the item: mostly the thing. */
  row: readonly string[];
  /** The head of the column, or the label: mostly the measure. */
  head: readonly string[];
  kind: RecordKind;
  /** The place of its cell in a row, behind the first cell; 0 in a list item. */
  cell: number;
  /** The words of the value itself, without figures and dates. */
  own: readonly string[];
  amounts: readonly Amount[];
  dates: readonly PartialDate[];
  /** The period that it is for: “month” of “Price per month”; null if none is named. */
  period: string | null;
  /** For a value such as “yes”, “no” or “–”; otherwise null. */
  verdict: Verdict | null;
}

/** A row of a table, a list item such as “Price: $210m”, or one such as “Kestrel 3 – 412 km, €31,900”. */
export type RecordKind = 'row' | 'label' | 'entry';
export type Verdict = 'yes' | 'no' | 'absent';

/** How a record and another claim compare in a value that both tell. */
export type ToldInRecord = 'figures differ' | 'dates differ' | 'one denies it' | 'same figures';

/** Heads that only tell that a value is a time, or nothing. */
const TELLS_NOTHING = new Set('year years date dates when time day month latest value figure figures'.split(' ').map(standingForAll));
const VERDICTS: readonly (readonly [RegExp, Verdict])[] = [
  [/^(?:yes|true)$/iu, 'yes'],
  [/^(?:no|false)$/iu, 'no'],
  [/^(?:none|[–—-])$/iu, 'absent'],
];
/** A list item such as “Kestrel 3 – 412 km, €31,900”. */
const ENTRY = /^([^:.!?,–—]{1,60}?)\s[–—-]\s+/;
const SPACED_DASH = / [–—-] /;
const BETWEEN_PARTS = /[;,] /g;

/** Units of a measure, unlike those of what is counted. */
export const IS_MEASURED: ReadonlySet<string> = new Set(
  'dollars euros pounds share length mass time power energy area volume speed celsius'.split(' '),
);

/** Whether two figures may be of the same measure; a bare number may count anything. */
export const areOfOneUnit = (one: Amount, other: Amount): boolean =>
  one.unit === other.unit || (!IS_MEASURED.has(one.unit) && !IS_MEASURED.has(other.unit) && (one.unit === '' || other.unit === ''));

/** Null for a sentence. */
export function fieldsOf(reading: Reading, headings: Headings | null): readonly Field[] | null {
  const values = valuesIn(reading, headings);
  return values && values.flatMap((value) => fieldsWithin(reading, value));
}

/** The words of a claim and its headings as those of fields are written. */
export const termsOf = ({ stems, tokens, text }: Reading, said: readonly Pick<Statement, 'headings'>[]): ReadonlySet<string> =>
  new Set(
    [
      ...stems,
      ...tokens.flatMap(({ word, start, end }) => (isInCapitals(text.slice(start, end)) ? word.stem : [])),
      ...said.flatMap(({ headings }) => [...(headings?.stems ?? [])]),
    ].map(standingForAll),
  );

/** A value, in the characters from `from` to `to` of a text. */
interface Value extends Pick<Field, 'row' | 'kind' | 'cell'> {
  /** Null if its own words tell the measure. */
  head: readonly string[] | null;
  /** Where its head begins. */
  begin: number;
  from: number;
  to: number;
}

function valuesIn(reading: Reading, headings: Headings | null): Value[] | null {
  const { text } = reading;
  const to = text.length;
  if (text.includes(BETWEEN_CELLS)) return cellsIn(reading);
  const [entry, name = ''] = SPACED_DASH.test(text) ? (ENTRY.exec(text) ?? []) : [];
  if (entry !== undefined && !reading.tokens.some(({ word }) => word.verb.isFinite || word.verb.isPastForm))
    return [{ row: stemsWithin(reading, 0, name.length), head: null, kind: 'entry', cell: 0, begin: entry.length, from: entry.length, to }];
  if (!isLabelled(reading)) return null;
  const from = text.indexOf(': ') + 2;
  const head = stemsWithin(reading, 0, from);
  const thing = headings?.levels.findLast(({ isAspect, told }) => !isAspect && !head.every((stem) => told.has(stem)));
  return thing && head.length > 0 ? [{ row: [...thing.told].map(standingForAll), head, kind: 'label', cell: 0, begin: 0, from, to }] : null;
}

function cellsIn(reading: Reading): Value[] {
  const [first = '', ...others] = reading.text.split(BETWEEN_CELLS);
  let to = first.length;
  const values = others.map((text, cell): Value => {
    const start = to + BETWEEN_CELLS.length;
    to = start + text.length;
    const colon = text.lastIndexOf(': ');
    const from = colon < 0 ? start : start + colon + 2;
    return { row: [], head: stemsWithin(reading, start, from), kind: 'row', cell, begin: start, from, to };
  });
  // Behind a rank stands what has it: “1 | City: Oslo | Rent: €1,900”.
  const [second, ...behind] = values;
  if (second && isRank(first)) return behind.map((value) => ({ ...value, row: stemsWithin(reading, second.from, second.to) }));
  const row = stemsWithin(reading, 0, first.length);
  return values.map((value) => ({ ...value, row }));
}

/** A value that lists several has a field for each: “steel arch, 388 m”. */
function fieldsWithin(reading: Reading, { row, head, kind, cell, begin, from, to }: Value): Field[] {
  const period = periodIn(reading.tokens.filter((token) => token.start >= begin && token.end <= to));
  const ends = [...Array.from(reading.text.slice(from, to).matchAll(BETWEEN_PARTS), ({ index }) => from + index), to];
  return ends.map((end, place) => {
    const start = place === 0 ? from : (ends[place - 1] ?? from) + 2;
    const isInside = (part: Pick<Amount, 'from' | 'to'>): boolean =>
      (reading.tokens[part.from]?.start ?? -1) >= start && (reading.tokens[part.to - 1]?.end ?? Infinity) <= end;
    const [amounts, dates] = [reading.amounts.filter(isInside), reading.dates.filter(isInside)];
    const own = stemsWithin(reading, start, end, [...amounts, ...dates]);
    const measure = (head ?? own).filter((stem) => !TELLS_NOTHING.has(stem));
    const verdict = verdictOf(reading.text.slice(start, end));
    return { row, head: measure, kind, cell, own, amounts, dates, period, verdict };
  });
}

const verdictOf = (value: string): Verdict | null => VERDICTS.find(([pattern]) => pattern.test(value.trim()))?.[1] ?? null;

function stemsWithin({ tokens, text }: Reading, from: number, to: number, without: readonly Pick<Amount, 'from' | 'to'>[] = []): string[] {
  const isLeftOut = (at: number): boolean => without.some((part) => part.from <= at && at < part.to);
  return tokens.flatMap((token, at) => {
    if (token.start < from || token.end > to || isLeftOut(at)) return [];
    if (!isContentWord(token) && !token.word.hasDigit && !isInCapitals(text.slice(token.start, token.end))) return [];
    return [standingForAll(token.word.stem)];
  });
}

/** An abbreviation such as “US”, which would be a pronoun in small letters. */
const isInCapitals = (word: string): boolean => /^\p{Lu}{2,}$/u.test(word);
