import type { RecordedEvidence } from '@lib/domain/job/recorded-report';
import type { Clause } from '@lib/language/reading/clauses';
import type { Reading } from '@lib/language/reading/reading';
import { worthOf, type Candidate } from '../sentences/check-worthiness';
import { placeInQuote, type PlainQuote, type QuoteReader } from '../sentences/citation-marks';
import type { Quotation } from '../sentences/quotations';
import type { Quote } from '../sentences/quotes';
import type { Abbreviations } from '../subject/abbreviations';
import type { Headings } from '../subject/heading';
import type { HeadingsRead } from '../subject/headings-read';
import type { SentenceRead, SentencesRead } from '../subject/sentences-read';
import { isBehindSetOff, type Reference } from '../subject/reference';
import type { Subjects } from '../subject/subject';
import type { SynthesisStep } from '../synthesis';

/** A sentence of one provider's report that could become a claim. */
export interface Statement extends RecordedEvidence {
  /** The quote without marks and markup, white space collapsed; a subject in brackets is not in the quote: see `Subjects`. */
  text: string;
  /** The words of its sentence alone: two sentences of the same words are one. */
  wording: string;
  reading: Reading;
  /** Those of its reading. */
  stems: ReadonlySet<string>;
  /** `witnessKey` of every source that the quote carries. */
  witnesses: ReadonlySet<string>;
  worth: number;
  /** Stems of the grammatical subject, none where it cannot be told. */
  head: ReadonlySet<string>;
  /** The parts of the sentence that state something each, two or more; none if it cannot be taken apart. */
  clauses: readonly Statement[];
  /** For a clause of a sentence that joins several sentences: the one of these that it belongs to. Null elsewhere. It does not say what the others say. */
  within: Statement | null;
  /** Null where no part of the quote states something without the rest. */
  parts: PartsOfStatement | null;
  /** Of a report's own sentence any part that somebody quotes; null of clauses and of what engines quote. */
  stretches: StretchesOfSentence | null;
  /** Null where it is the report's own sentence. */
  quotation: Quotation | null;
  /** What stands before a sentence that nobody understands without it; null where it can be understood alone. */
  leansOn: string | null;
  /** What its report says before it, where it leaves open what it speaks of: "The lake is 5 km long". Null where it needs nothing before it. */
  before: string | null;
  /** What its report spoke of last, in the same block: a reader needs it of two reports that say the same and name nothing. */
  context: string | null;
  /** Its words stand in cells of a table, and in no sentence. */
  isOfTable: boolean;
  /** What stands above it; null where nothing does, and of what engines quote. */
  headings: Headings | null;
  /** Neither it nor the question tells what it speaks of. */
  namesNothing: boolean;
  /** Nor does what stands before it: "The mill closed in 1920". Nobody can tell whether another report speaks of the same mill. */
  isUnknown: boolean;
}

/** What of a statement's quote states something without the rest. */
export interface PartsOfStatement {
  /** Longest first. */
  beginnings: () => Beginning[];
  /** The quote up to the end of each of its lists, with the items alone that another statement lists too. */
  withCommonItems: (other: Reading) => ShorterList[];
  /** The quote without what stands in its middle and another statement does not say; null where nothing is left that states something. */
  commonPart: (other: Reading) => Statement | null;
}

/** What of a sentence holds by itself, wherever it begins and ends. */
export interface StretchesOfSentence {
  /**
   * What stands between two places of the report, in UTF-16 units.
   * @returns null where that states nothing by itself
   */
  between: (start: number, end: number) => Statement | null;
}

/** Reading it is put off until its stems are known to be in another report. */
export interface Beginning {
  stems: ReadonlySet<string>;
  /** What follows is set off from it, and not a complement of its verb. */
  isClosed: boolean;
  /** Null where it states nothing. */
  read: () => Statement | null;
}

export interface ShorterList {
  /** Stems of what stands before the list. */
  lead: ReadonlySet<string>;
  /** Null where it states nothing. */
  read: () => Statement | null;
}

export const NONE: ReadonlySet<string> = new Set();
export const NO_CLAUSES: readonly Statement[] = [];

export interface ReadReport extends SynthesisStep {
  reader: QuoteReader;
  /** By the index of the citation. */
  witnesses: ReadonlyMap<number, ReadonlySet<string>>;
  subjects: Subjects;
  sentences: SentencesRead;
  refusals: Set<string>;
  headings: HeadingsRead;
  abbreviations: Abbreviations;
  /** Stems of the question. */
  asked: ReadonlySet<string>;
}

/** Most quotes carry one citation, whose set they share. */
export function witnessesOfAll(citationIndexes: readonly number[], { witnesses }: ReadReport): ReadonlySet<string> {
  const [first] = citationIndexes;
  if (first === undefined) return NONE;
  if (citationIndexes.length === 1) return witnesses.get(first) ?? NONE;
  return new Set(citationIndexes.flatMap((index) => [...(witnesses.get(index) ?? NONE)]));
}

/** A sentence of a report as it was read, before a subject was put in. */
export interface ReadSentence {
  quote: Quote;
  plain: PlainQuote;
  read: SentenceRead;
  reading: Reading;
  reference: Reference;
  before: string | null;
  context: string | null;
  headings: Headings | null;
  namesNothing: boolean;
  isUnknown: boolean;
}

/** Where a clause begins in the quote: with its subject, if only what is set off stands between. */
export function startOf({ from }: Clause, { quote, plain, reading, reference }: ReadSentence): number {
  return from === 0 || isBehindSetOff(from, reading, reference) ? 0 : placeInQuote(plain, reading.tokens[from]?.start ?? 0, quote.text);
}

/** What a statement says, and where its quote begins and ends in the sentence's. */
export interface Said {
  from: number;
  end: number;
  text: string;
  reading: Reading;
  citationIndexes: number[];
}

export function candidateOf({ text, reading, citationIndexes }: Said, { cells, isItem }: Pick<Quote, 'cells' | 'isItem'>): Candidate {
  return { text, reading, isTableRow: cells !== null, isItem, hasCitation: citationIndexes.length > 0 };
}

/** @param wording that of its sentence, where it is a part of one */
export function statementFrom(
  said: Said,
  { quote, reference, before, context, headings, namesNothing, isUnknown }: ReadSentence,
  report: ReadReport,
  wording = said.reading.wording,
): Statement {
  const { text, citationIndexes } = said;
  const reading = report.abbreviations.inFull(said.reading);
  return {
    provider: report.provider,
    stepId: report.stepId,
    quote: quote.text.slice(said.from, said.end),
    start: quote.start + said.from,
    end: quote.start + said.end,
    citationIndexes,
    text,
    wording,
    reading,
    stems: reading.stems,
    witnesses: witnessesOfAll(citationIndexes, report),
    worth: worthOf(candidateOf(said, quote)),
    head: reference.subject ? report.abbreviations.inFull(reference.subject).stems : NONE,
    clauses: NO_CLAUSES,
    within: null,
    parts: null,
    stretches: null,
    quotation: null,
    leansOn: null,
    before,
    context,
    isOfTable: quote.cells !== null,
    headings,
    namesNothing,
    isUnknown,
  };
}
