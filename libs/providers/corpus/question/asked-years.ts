import type { CorpusIndex } from '../index/corpus-index';
import type { Passage } from '../formats/passages';
import type { Unit } from '../units/unit';

/**
 * A year as one is told: "in 2023", "the fees for 2024?", "in March 2025". Not a bound ("since 2020", "after 2021"), which other years fit too, nor
 * an amount ("for 2000 people").
 */
const TOLD =
  /(?<!\p{L})(?:(?:in|during)\s+(?:the\s+year\s+)?|(?:in\s+)?(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+|(?:for|of|year)\s+(?=\d{4}\s*(?:[?.,;:!)]|$|and\b|or\b|is\b|was\b|are\b|were\b)))((?:19|20)\d\d)(?![\p{N}\p{L}]|[.,]\p{N})/giu;
const ANY = /(?<!\p{N})(?:19|20)\d\d(?!\p{N})/gu;

const toldYears = (text: string): string[] => Array.from(text.matchAll(TOLD), ([, year = '']) => year);

/** How many years after one asked about are looked for. */
const LATER_YEARS = 20;

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

/** Whether a unit, by its text, its headings or its document's name, is about other years than those asked about. What names no year may hold for any. */
export function tellsOtherYears({ unit, passage }: { unit: Unit; passage: Passage }, asked: readonly string[]): boolean {
  if (asked.length === 0) return false;
  const named = [...passage.headings, passage.document.path, passage.document.title, unit.above].join('\n').match(ANY) ?? [];
  const told = new Set([...named, ...toldYears(unit.text)]);
  return told.size > 0 && !asked.some((year) => told.has(year) || unit.text.includes(year));
}
