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
  /** The quote without marks and markup, with white space collapsed. A subject in brackets is not part of the quote: see `Subjects`. */
  text: string;
  /** The words of its own sentence, equal for equally worded sentences. */
  wording: string;
  reading: Reading;
  /** The stems of its reading. */
  stems: ReadonlySet<string>;
  /** `witnessKey` of every source that the quote carries. */
  witnesses: ReadonlySet<string>;
  worth: number;
  /** Stems of the grammatical subject; none if it is unknown. */
  head: ReadonlySet<string>;
  /** The parts of the sentence that each state something, two or more; none if it cannot be divided. */
  clauses: readonly Statement[];
  /**
   * For a clause of a sentence with several coordinated sentences: the one it belongs to, since it does not say what the others say. Otherwise null.
   */
  within: Statement | null;
  /** Null if no part of the quote states something without the rest. */
  parts: PartsOfStatement | null;
  /** For a report's own sentence, access to any part that a model quotes; null for clauses and for quotations. */
  stretches: StretchesOfSentence | null;
  /** Null for the report's own sentence. */
  quotation: Quotation | null;
  /** The preceding text, for a sentence that cannot be understood without it; otherwise null. */
  leansOn: string | null;
  /** The preceding text in its report, if the subject is unclear: "The lake is 5 km long". Null if none is needed. */
  before: string | null;
  /** The last subject in the same block, which a reader needs if two reports say the same and name nothing. */
  context: string | null;
  /** Its words come from cells of a table. */
  isOfTable: boolean;
  /** Its headings; null if there are none, and for quotations. */
  headings: Headings | null;
  /** Neither the sentence nor the question tells its subject. */
  namesNothing: boolean;
  /** Nor do the text before it and the headings: "The mill closed in 1920". Another report may mean another mill. */
  isUnknown: boolean;
}

/** Parts of a statement's quote that state something without the rest. */
export interface PartsOfStatement {
  /** Longest first. */
  beginnings: () => Beginning[];
  /** The quote up to the end of each of its lists, with only the items that another statement also lists. */
  withCommonItems: (other: Reading) => ShorterList[];
  /** The quote without words in its middle that another statement lacks; null if the rest states nothing. */
  commonPart: (other: Reading) => Statement | null;
}

/** Parts of a sentence that hold by themselves, with any beginning and end. */
export interface StretchesOfSentence {
  /**
   * The part between two places of the report, in UTF-16 units.
   * @returns null if it states nothing by itself
   */
  between: (start: number, end: number) => Statement | null;
}

/** A beginning that is only read once another report is known to contain its stems. */
export interface Beginning {
  stems: ReadonlySet<string>;
  /** Whether the following text is set off, and not a complement of its verb. */
  isClosed: boolean;
  /** Null if it states nothing. */
  read: () => Statement | null;
}

export interface ShorterList {
  /** Stems of the words before the list. */
  lead: ReadonlySet<string>;
  /** Null if it states nothing. */
  read: () => Statement | null;
}

export const NONE: ReadonlySet<string> = new Set();
export const NO_CLAUSES: readonly Statement[] = [];

export interface ReadReport extends SynthesisStep {
  reader: QuoteReader;
  /** By citation index. */
  witnesses: ReadonlyMap<number, ReadonlySet<string>>;
  subjects: Subjects;
  sentences: SentencesRead;
  refusals: Set<string>;
  headings: HeadingsRead;
  abbreviations: Abbreviations;
  /** With its abbreviations explained. */
  question: string;
  /** Stems of the question. */
  asked: ReadonlySet<string>;
}

/** Statements share the set of a citation, because most quotes have only one. */
export function witnessesOfAll(citationIndexes: readonly number[], { witnesses }: ReadReport): ReadonlySet<string> {
  const [first] = citationIndexes;
  if (first === undefined) return NONE;
  if (citationIndexes.length === 1) return witnesses.get(first) ?? NONE;
  return new Set(citationIndexes.flatMap((index) => [...(witnesses.get(index) ?? NONE)]));
}

/** A sentence of a report as read, before a subject was inserted. */
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

/** The place in the quote where a clause begins; includes the subject if only an insertion between commas separates them. */
export function startOf({ from }: Clause, { quote, plain, reading, reference }: ReadSentence): number {
  return from === 0 || isBehindSetOff(from, reading, reference) ? 0 : placeInQuote(plain, reading.tokens[from]?.start ?? 0, quote.text);
}

/** The text of a statement, and its range in the sentence's quote. */
export interface Said {
  from: number;
  end: number;
  text: string;
  reading: Reading;
  citationIndexes: number[];
}

export function candidateOf(
  { text, reading, citationIndexes }: Said,
  quote: Pick<Quote, 'cells' | 'isItem' | 'text' | 'isFirstOfBlock'>,
): Candidate {
  const { cells } = quote;
  // A later sentence of an item is like any other.
  const isItem = quote.isItem && (quote.isFirstOfBlock || !/[.!]$/.test(text));
  return { text, reading, isTableRow: cells !== null, isItem, hasCitation: citationIndexes.length > 0, hasCode: quote.text.includes('`') };
}

/** @param wording of the whole sentence, if this is a part of one */
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
