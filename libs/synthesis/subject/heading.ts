import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';

/** One heading of a report, or what stands like one: a bold line, an item of a list that others are nested in. */
export interface Heading {
  /** Without its number. */
  text: string;
  /** Its words that say something, sorted: two headings with one key are the same. */
  key: string;
  /** Stems of its meaningful words outside of brackets. */
  told: ReadonlySet<string>;
  /** The same with those in brackets. */
  stems: ReadonlySet<string>;
  /** Stems of what it names, in order, but for what the question asks about: "Tesla" of "2. Tesla (TSLA): revenue", "2022". */
  names: readonly string[];
  /** Stems of another name of it that stands in brackets: "Tesla (TSLA)". */
  aliases: ReadonlySet<string>;
  /** The name, where the heading is nothing else. */
  name: Reading | null;
  /** The report or the question shows that it names something; else it may be any heading in capitals: "Lessons". */
  isSure: boolean;
  /** Some of its words are names, maybe of what the question asks about. */
  isNaming: boolean;
  /** It tells of a side of the thing, and of no thing: "Side effects". */
  isAspect: boolean;
  /** Days and months that it names. */
  days: readonly PartialDate[];
}

export const NO_HEADINGS: readonly Heading[] = [];

/** All headings of a report that were read so far. */
export interface HeadingsOfReport {
  byKey: Map<string, Heading>;
  /** Null until all are read and somebody asks. */
  listNames: boolean | null;
}

/** What stands above a sentence, the same object for all sentences below the same headings. */
export interface Headings {
  /** Outermost first. */
  levels: readonly Heading[];
  /** The keys of the levels that tell of which thing is spoken. */
  key: string;
  /** The levels that name something. */
  names: readonly Heading[];
  /** Those that name nothing and are no aspect: "Basic plan". */
  items: readonly Heading[];
  /** Days and months that they name: "11 February 2025: the bridge was closed". */
  days: readonly PartialDate[];
  /** Words of those that are no aspects, with what excludes them: "public" and "private". */
  opposed: readonly { stem: string; others: readonly string[] }[];
  /** Of all of them. */
  stems: ReadonlySet<string>;
  ofReport: HeadingsOfReport;
  /** The question asks about one thing that it names: most headings tell of its aspects then. */
  hasTopic: boolean;
  /** By those of another report such of them as this report has elsewhere: most statements stand below few headings, and each is held against many. */
  elsewhere: Map<Headings, readonly Heading[]> | null;
}

/** What "it" may be below them: what the innermost heading names that is more than an aspect. Null where that is no name, or may be none. */
export const thingAbove = (headings: Headings | null): Reading | null => {
  const innermost = headings?.levels.findLast((level) => !level.isAspect && (level.isSure || !level.isNaming));
  return innermost?.name ?? null;
};

/** The innermost of them that is a name and nothing else: "he" or "she" below it may be another than above it. */
export const nameAbove = (headings: Headings | null): Heading | null => headings?.levels.findLast(({ name }) => name !== null) ?? null;

/** Whether they tell of which thing is spoken below. */
export const namesWhich = ({ names }: Headings): boolean => names.length > 0;

/** A name for sure, or what may be one among others that are: "Rivian" beside "Ford" and "Tesla". */
export function isSurelyName({ isSure, name }: Heading, { ofReport }: Headings): boolean {
  return isSure || (name !== null && listsNames(ofReport));
}

const MIN_NAMES = 2;

function listsNames(ofReport: HeadingsOfReport): boolean {
  if (ofReport.listNames === null) {
    const names = [...ofReport.byKey.values()].filter(({ name }) => name !== null);
    const sure = names.filter(({ isSure }) => isSure).length;
    ofReport.listNames = sure >= MIN_NAMES && sure * 2 >= names.length;
  }
  return ofReport.listNames;
}
