import type { Amount } from '@lib/language/reading/amount';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import { standingForAll } from '@lib/language/reading/synonyms';
import { isContentWord } from '@lib/language/reading/token';
import { isLabelled } from '../contradiction/main-part';
import { BETWEEN_CELLS } from '../statement/table-row';
import type { Headings } from '../subject/heading';

/** A value of a record, which is a row of a table or a list item such as “Price: $210m”. Words are stems, and synonyms are one word. */
export interface Field {
  /** The first cell of the row, or the heading of the item: mostly the thing. */
  row: readonly string[];
  /** The head of the column, or the label: mostly the measure. */
  head: readonly string[];
  kind: RecordKind;
  /** The words of the value itself, without figures and dates. */
  own: readonly string[];
  amounts: readonly Amount[];
  dates: readonly PartialDate[];
  /** For a value such as “yes”, “no” or “–”; otherwise null. */
  verdict: Verdict | null;
}

/** A row of a table, a list item such as “Price: $210m”, or one such as “Kestrel 3 – 412 km, €31,900”. */
export type RecordKind = 'row' | 'label' | 'entry';
export type Verdict = 'yes' | 'no' | 'absent';

/** Heads that only tell that a value is a time, or nothing. */
const TELLS_NOTHING = new Set('year years date dates when time day month latest value figure figures'.split(' ').map(standingForAll));
const VERDICTS: readonly (readonly [RegExp, Verdict])[] = [
  [/^(?:yes|true|[✓✔✅])$/iu, 'yes'],
  [/^(?:no|false|[✗✘❌])$/iu, 'no'],
  [/^(?:none|[–—-])$/iu, 'absent'],
];
/** A list item such as “Kestrel 3 – 412 km, €31,900”. */
const ENTRY = /^([^:.!?,–—]{1,60}?)\s[–—-]\s+/;
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
  const { text } = reading;
  if (text.includes(BETWEEN_CELLS)) {
    const [first = ''] = text.split(BETWEEN_CELLS, 1);
    const row = stemsWithin(reading, 0, first.length);
    return partsOf(text, first.length + BETWEEN_CELLS.length, BETWEEN_CELLS).flatMap(([from, to]) => {
      const colon = text.slice(from, to).lastIndexOf(': ');
      const value = colon < 0 ? from : from + colon + 2;
      return fieldsWithin(reading, row, stemsWithin(reading, from, value), [value, to], 'row');
    });
  }
  const [entry, name = ''] = ENTRY.exec(text) ?? [];
  if (entry !== undefined && !reading.tokens.some(({ word }) => word.verb.isFinite || word.verb.isPastForm))
    return fieldsWithin(reading, stemsWithin(reading, 0, name.length), null, [entry.length, text.length], 'entry');
  if (!isLabelled(reading)) return null;
  const value = text.indexOf(': ') + 2;
  const head = stemsWithin(reading, 0, value);
  const thing = headings?.levels.findLast(({ isAspect, told }) => !isAspect && !head.every((stem) => told.has(stem)));
  return thing && head.length > 0 ? fieldsWithin(reading, [...thing.told].map(standingForAll), head, [value, text.length], 'label') : null;
}

type Range = readonly [from: number, to: number];

function partsOf(text: string, from: number, separator: string): Range[] {
  const parts: Range[] = [];
  for (let start = from; start <= text.length;) {
    const end = text.indexOf(separator, start);
    parts.push([start, end < 0 ? text.length : end]);
    start = end < 0 ? text.length + 1 : end + separator.length;
  }
  return parts;
}

/** A value that lists several has a field for each: “steel arch, 388 m”. */
function fieldsWithin(
  reading: Reading,
  row: readonly string[],
  head: readonly string[] | null,
  [from, to]: Range,
  kind: RecordKind,
): Field[] {
  const value = reading.text.slice(from, to);
  const ends = [...Array.from(value.matchAll(BETWEEN_PARTS), ({ index }) => from + index), to];
  return ends.map((end, place) => {
    const start = place === 0 ? from : (ends[place - 1] ?? from) + 2;
    const isInside = (part: Pick<Amount, 'from' | 'to'>): boolean =>
      (reading.tokens[part.from]?.start ?? -1) >= start && (reading.tokens[part.to - 1]?.end ?? Infinity) <= end;
    const [amounts, dates] = [reading.amounts.filter(isInside), reading.dates.filter(isInside)];
    const own = reading.text.slice(start, end).trim();
    const words = stemsWithin(reading, start, end, [...amounts, ...dates]);
    return {
      row,
      head: (head ?? words).filter((stem) => !TELLS_NOTHING.has(stem)),
      kind,
      own: words,
      amounts,
      dates,
      verdict: VERDICTS.find(([pattern]) => pattern.test(own))?.[1] ?? null,
    };
  });
}

function stemsWithin({ tokens }: Reading, from: number, to: number, without: readonly Pick<Amount, 'from' | 'to'>[] = []): string[] {
  const isLeftOut = (at: number): boolean => without.some((part) => part.from <= at && at < part.to);
  return tokens.flatMap((token, at) => {
    if (token.start < from || token.end > to || isLeftOut(at) || !(isContentWord(token) || token.word.hasDigit)) return [];
    return [standingForAll(token.word.stem)];
  });
}
