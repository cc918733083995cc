import type { Citation } from '@lib/domain/citation';
import { FURTHER_PASSAGES, MAY_HELP } from '@lib/domain/quoting-report';
import { readingOf } from '@lib/language/reading/read-text';
import type { Reading } from '@lib/language/reading/reading';
import { splitSentences } from '@lib/language/sentences';
import { isCheckWorthy } from './check-worthiness';
import type { QuoteReader } from './citation-marks';
import type { SynthesisStep } from '../synthesis';
import { QuotationTitles } from './quotation-titles';

/**
 * Marks a statement as a quotation: its report quotes a local document, with a citation of that document for this text. It needs no verb, may be
 * code, and is not divided.
 */
export interface Quotation {
  /** Its rank among the report's quotations, from 0, as engines give their best first; Infinity for further passages. */
  place: number;
  /** The engine puts it into its answer, but as a line that fits the question less well. */
  mayHelp: boolean;
  /** The path of its document. */
  path: string;
  /** The heading of its section behind those above it; empty if it has none. */
  title: string;
  /** Its words: all of its text, or the text before the code. */
  words: string;
  /** Null if it is not code. */
  code: { language: string; text: string } | null;
  /** It is a sentence, so it can be compared with other reports. */
  isSentence: boolean;
}

/** A part of a report that is quoted from a document. */
interface Span {
  start: number;
  end: number;
  citation: Citation;
}

const DOCUMENT = 'corpus:';
/** The first and the last line of quoted code. Two patterns, since a single one takes quadratic time on many fences of different lengths. */
const CODE_BEGIN = /(?:^|\n)[ \t]*(`{3,})([\w+-]*)(?=\n)/g;
const CODE_END = /\n[ \t]*(`{3,})\s*\[\d+\]$/;
/** In UTF-16 units. No passage of a document is so long, so a longer span comes from a broken worker, or an impostor. */
const MAX_QUOTATION_LENGTH = 20_000;
/** A lead-in to something that is not quoted: "For example:", "Usage", "It looks as follows." */
const LEAD_IN =
  /(?:[:：]|\b(?:as follows|like this|like so|see below|the following)\W*)$|^\W*(?:(?:for )?examples?|e\.g|usage|syntax|notes?|defaults?|output|or)\W*$/iu;
const MAX_QUOTATIONS = 100;

/** The parts of a report quoted from local documents, in order. */
export function quotedSpans({ citations }: Pick<SynthesisStep, 'citations'>): Span[] {
  return citations
    .flatMap((citation): Span[] => {
      const { url, startIndex: start, endIndex: end } = citation;
      if (!url.startsWith(DOCUMENT) || start === null || end === null || end - start > MAX_QUOTATION_LENGTH) return [];
      return [{ start, end, citation }];
    })
    .sort((one, other) => one.start - other.start)
    .slice(0, MAX_QUOTATIONS);
}

/** The content of a quotation, for creating a statement. */
export interface Quoted {
  quote: string;
  start: number;
  end: number;
  citationIndexes: number[];
  text: string;
  wording: string;
  reading: Reading;
  quotation: Quotation;
}

/** The distinct quotations of a report in order, without mere lead-ins. */
export function quotationsOf(step: SynthesisStep, reader: QuoteReader): Quoted[] {
  const placeOf = (heading: string): number => new RegExp(`^## ${heading}$`, 'm').exec(step.reportMarkdown)?.index ?? Infinity;
  const [mayHelp, further] = [placeOf(MAY_HELP), placeOf(FURTHER_PASSAGES)];
  const spans = quotedSpans(step);
  const titles = new QuotationTitles(spans.map(({ citation }) => ({ path: pathOf(citation), title: citation.title ?? '' })));
  const found = spans.flatMap(({ start, end, citation }, place): Quoted[] => {
    const quote = step.reportMarkdown.slice(start, end);
    const code = codeIn(quote);
    const said = code ? reader.read(quote.slice(0, code.at)).text : withoutLeadIn(reader.read(quote).text);
    if (!code && said === '') return [];
    const reading = readingOf(code ? `${said}\n${code.text}` : withoutStepNumbers(said));
    const isSentence =
      code === null &&
      isCheckWorthy({ text: said, reading, isTableRow: false, isItem: false, hasCitation: true, hasCode: said.includes('`') });
    const section = { path: pathOf(citation), title: citation.title ?? '' };
    const words = titles.before(said, section);
    const quoted = {
      quote,
      start,
      end,
      citationIndexes: [citation.index],
      text: code ? `${words}\n\n${code.text}` : words,
      wording: code ? code.text : reading.wording,
      reading,
      quotation: {
        place: start > further ? Infinity : place,
        mayHelp: start > mayHelp && start < further,
        ...section,
        words,
        code: code && { language: code.language, text: code.text },
        isSentence,
      },
    };
    return [quoted];
  });
  return [...new Map(found.toReversed().map((quoted) => [quoted.wording, quoted])).values()].reverse();
}

/** The number of a step says where it stands in its list, which is no figure of the statement. */
const withoutStepNumbers = (text: string): string => text.replace(/(?<=^| )\(\d{1,3}\) /g, '• ');

const pathOf = ({ url }: Citation): string => url.slice(DOCUMENT.length).replace(/#.*/, '');

function withoutLeadIn(text: string): string {
  const sentences = splitSentences(text);
  const last = sentences.findLast((sentence) => !LEAD_IN.test(sentence.text));
  return text.slice(0, last?.end ?? 0);
}

function codeIn(quote: string): { at: number; language: string; text: string } | null {
  const end = CODE_END.exec(quote);
  if (!end) return null;
  for (const { 0: line, 1: fence, 2: language = '', index } of quote.matchAll(CODE_BEGIN)) {
    const from = index + line.length + 1;
    if (fence === end[1] && from <= end.index) return { at: index, language, text: quote.slice(from, end.index).replace(/^ {2}/gm, '') };
  }
  return null;
}
