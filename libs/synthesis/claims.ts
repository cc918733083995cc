import type { RecordedEvidence } from '@lib/domain/job-events';
import { parseBlocks, type Block } from '@lib/text/markdown';
import { splitSentences } from '@lib/text/sentences';
import { words } from '@lib/text/tokens';
import { isCheckWorthy, worthOf } from './check-worthiness';
import { QuoteReader } from './citation-marks';
import { witnessKey } from './citations';
import { lookUp } from './lexicon';
import { contentOf, slotsOf, type Slots } from './slots';
import type { SynthesisStep } from './synthesis';

/** A sentence of one provider's report that could become a claim. */
export interface Statement extends RecordedEvidence {
  /** The quote without marks and markup, white space collapsed. */
  text: string;
  /** Its words alone: two statements of the same words are one. */
  wording: string;
  /** Distinct stems of the meaningful words, numbers by their value. */
  stems: ReadonlySet<string>;
  /** Those of them that name what is spoken of: without numbers, negations and words of direction. */
  subject: ReadonlySet<string>;
  slots: Slots;
  /** `witnessKey` of every source that the quote carries. */
  witnesses: ReadonlySet<string>;
  worth: number;
}

/** Sentences beyond these are left out: they bound the work for a huge report. */
const MAX_STATEMENTS = 1_000;
const MAX_QUOTE = 1_000;

const REFERENCE_HEADING =
  /^(?:\d+\.?\s*)?(?:references?|sources?|citations?|bibliography|works cited|further reading|footnotes?|end ?notes?|see also|external links|literature|quellen|literatur)\b/i;

/** An entry of a list of sources without a heading: it begins with its mark, is nothing but a link, or ends in an address. */
const REFERENCE_ENTRY = /^\[\^?\d{1,5}\]|^!?\[[^\]]*\]\([^)]*\)[.\s]*$|(?<!\]\(<?)\bhttps?:\/\/\S+$/;

/**
 * The check-worthy sentences of one report, in order, each once. Attribution is structural: only this report is read.
 * A step without a report has none, and neither has a report without any citation: it names no witness (this is also how
 * a provider says that its documents do not answer the question).
 */
export function statementsOf(step: SynthesisStep): Statement[] {
  if (step.status !== 'completed' || step.citations.length === 0) return [];
  const report = { ...step, reader: new QuoteReader(step.citations), witnesses: witnessesOf(step) };
  const statements = new Map<string, Statement>();
  for (const block of parseBlocks(step.reportMarkdown)) {
    if (!isProse(block)) continue;
    for (const { text: quote, start } of quotesOf(block, step.reportMarkdown)) {
      const statement = statementOf(quote, start, block, report);
      if (!statement) continue;
      if (!statements.has(statement.wording)) statements.set(statement.wording, statement);
      if (statements.size >= MAX_STATEMENTS) return [...statements.values()];
    }
  }
  return [...statements.values()];
}

function isProse({ kind, headings }: Block): boolean {
  const isText = kind === 'paragraph' || kind === 'listItem' || kind === 'tableRow' || kind === 'quote';
  return isText && !headings.some((heading) => REFERENCE_HEADING.test(heading));
}

/** Sentences of the block as slices of the report; a table row is one. */
function quotesOf({ kind, start, end }: Block, report: string): { text: string; start: number }[] {
  const source = report.slice(start, end);
  if (kind === 'tableRow') return [{ text: source, start }];
  return splitSentences(source).map((sentence) => ({ text: sentence.text, start: start + sentence.start }));
}

interface ReadReport extends SynthesisStep {
  reader: QuoteReader;
  witnesses: ReadonlyMap<number, string>;
}

function witnessesOf({ citations }: SynthesisStep): Map<number, string> {
  return new Map(citations.map((citation) => [citation.index, witnessKey(citation)]));
}

function statementOf(quote: string, start: number, { kind }: Block, { provider, stepId, reader, witnesses }: ReadReport): Statement | null {
  if (quote.length > MAX_QUOTE || REFERENCE_ENTRY.test(quote)) return null;
  const isTableRow = kind === 'tableRow';
  const reading = reader.read(quote, start);
  const text = isTableRow ? rowText(reading.text) : reading.text;
  const { citationIndexes } = reading;
  const sentence = words(text).map(lookUp);
  const slots = slotsOf(text, sentence);
  const candidate = {
    text,
    words: sentence,
    isTableRow,
    hasCitation: citationIndexes.length > 0,
    hasNumber: slots.numbers.size > 0,
    hasName: slots.names.size > 0,
  };
  if (!isCheckWorthy(candidate)) return null;
  const { stems, subject } = contentOf(sentence);
  return {
    provider,
    stepId,
    quote,
    start,
    end: start + quote.length,
    citationIndexes,
    text,
    wording: sentence.map((word) => word.text).join(' '),
    stems: stems.union(slots.numbers),
    subject,
    slots,
    witnesses: new Set(citationIndexes.flatMap((index) => witnesses.get(index) ?? [])),
    worth: worthOf(candidate),
  };
}

function rowText(row: string): string {
  return row
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(' | ');
}
