import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';

/** A heading of a report, or something used as one: a bold line, or an item with nested items. */
export interface Heading {
  /** Without its number. */
  text: string;
  /** Its content words, sorted; equal for equal headings. */
  key: string;
  /** Stems of its meaningful words outside of brackets. */
  told: ReadonlySet<string>;
  /** The same, including words in brackets. */
  stems: ReadonlySet<string>;
  /** Stems of the thing that it names, in order, except for the topic of the question: "Tesla" for "2. Tesla (TSLA): revenue", or "2022". */
  names: readonly string[];
  /** Stems of an alternative name in brackets: "Tesla (TSLA)". */
  aliases: ReadonlySet<string>;
  /** The name, if the heading consists of nothing else. */
  name: Reading | null;
  /**
   * Whether the report or the question shows that it names something; otherwise it may be any heading in capitals: "Lessons". Once the whole report is
   * read, `holdHeadingsApart` may set it.
   */
  isSure: boolean;
  /** Whether it contains names, possibly of the topic of the question. */
  isNaming: boolean;
  /** Whether it names an aspect of the topic and not a thing: "Side effects". */
  isAspect: boolean;
  /** Days and months that it names. */
  days: readonly PartialDate[];
}

export const NO_HEADINGS: readonly Heading[] = [];

/** All headings of a report read so far. */
export interface HeadingsOfReport {
  byKey: Map<string, Heading>;
  /** Null until all headings are read and this is needed. */
  listNames: boolean | null;
}

/** The headings above a sentence. All sentences with the same headings share one object. */
export interface Headings {
  /** Outermost first. */
  levels: readonly Heading[];
  /** The keys of the levels that identify the thing spoken of. */
  key: string;
  /** The levels that name something. */
  names: readonly Heading[];
  /** The levels that are neither names nor aspects: "Basic plan". */
  items: readonly Heading[];
  /** Days and months that they name: "11 February 2025: the bridge was closed". */
  days: readonly PartialDate[];
  /** Words of the levels that are not aspects, with their opposites: "public" and "private". */
  opposed: readonly { stem: string; others: readonly string[] }[];
  /** Stems of all levels. */
  stems: ReadonlySet<string>;
  ofReport: HeadingsOfReport;
  /** Whether the question names a single topic; then most headings name its aspects. */
  hasTopic: boolean;
  /**
   * By the headings of another report, those of them that this report has elsewhere. Cached, because most statements have few headings and each is
   * compared with many others.
   */
  elsewhere: Map<Headings, readonly Heading[]> | null;
}

/**
 * The referent of "it" below these headings: the name in the innermost heading that is more than an aspect. Null if that is no name, or an uncertain
 * one.
 */
export const thingAbove = (headings: Headings | null): Reading | null => {
  const innermost = headings?.levels.findLast((level) => !level.isAspect && (level.isSure || !level.isNaming));
  return innermost?.name ?? null;
};

/** The innermost heading that is only a name; below it, "he" or "she" may be another person than above. */
export const nameAbove = (headings: Headings | null): Heading | null => headings?.levels.findLast(({ name }) => name !== null) ?? null;

/** Whether the headings identify the thing spoken of below. */
export const namesWhich = ({ names }: Headings): boolean => names.length > 0;

/** Whether a heading is certainly a name, or a likely one among certain ones: "Rivian" beside "Ford" and "Tesla". */
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
