import { readingOf } from '@lib/language/reading/read-text';

import type { Passage } from '../formats/passages';
import type { CorpusIndex } from '../index/corpus-index';
import type { Unit } from '../units/unit';

/** Before a bound, which other years fit too. */
const BOUNDS = new Set('since after before until till from by to through than'.split(' '));
const ANY = /(?<!\p{N})(?:19|20)\d\d(?!\p{N})/gu;
/** How many years after one asked about are looked for. */
const LATER_YEARS = 20;

/** The years of which a text tells: those of its dates, but neither bounds ("since 2020") nor spans of several years. */
function toldYears(text: string): string[] {
  const { dates, tokens } = readingOf(text);
  const isBound = (from: number): boolean => BOUNDS.has(tokens[from - 1]?.word.text ?? '');
  return dates.filter(({ years, from }) => years === 1 && !isBound(from)).map(({ year }) => String(year));
}

/** The years that a question asks about, as the documents know them. */
export interface AskedYears {
  /** Mentioned by some document: only what tells of these years, or of none, answers. */
  mentioned: string[];
  /** All years asked about, if no document mentions any of them, but one mentions a later year. */
  missing: string[];
}

/** A year after all that the documents mention is neither mentioned nor missing: what they say may still hold then. */
export function yearsIn(question: string, index: CorpusIndex): AskedYears {
  const asked = [...new Set(toldYears(question))];
  const isPast = (year: string): boolean =>
    Array.from({ length: LATER_YEARS }, (_, at) => String(Number(year) + at + 1)).some((later) => index.has(later));
  const mentioned = asked.filter((year) => index.has(year));
  return { mentioned, missing: mentioned.length === 0 && asked.every(isPast) ? asked : [] };
}

interface Placed {
  unit: Unit;
  passage: Passage;
}

/** What tells the year of a unit before its own text does. */
const around = ({ unit, passage }: Placed): string =>
  [...passage.headings, passage.document.path, passage.document.title, unit.above].join('\n');

/** Whether a unit, by its text, its headings or its document's name, is about one of the years asked about, if there are any. */
export function tellsTheYears(placed: Placed, asked: readonly string[]): boolean {
  const text = `${around(placed)}\n${placed.unit.text}`;
  return asked.length === 0 || asked.some((year) => text.includes(year));
}

/** Whether a unit, by its text, its headings or its document's name, is about other years than those asked about. What names no year may hold for any. */
export function tellsOtherYears(placed: Placed, asked: readonly string[]): boolean {
  if (asked.length === 0) return false;
  const { text } = placed.unit;
  const told = new Set([...(around(placed).match(ANY) ?? []), ...toldYears(text)]);
  return told.size > 0 && !asked.some((year) => told.has(year) || text.includes(year));
}
