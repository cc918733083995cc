import { isContentWord } from '@lib/language/reading/token';
import type { PlainQuote } from '../sentences/citation-marks';
import { ANSWERING } from '../sentences/answering';
import { CONDITION, isAllBold } from '../sentences/list-leads';
import { isTalk } from '../sentences/talk';
import type { Quote } from '../sentences/quotes';
import { REFERS_TO_NOTHING } from '../subject/reference';
import { referring } from './read-sentence';
import { statementFrom, type ReadReport, type Statement } from './statement';

/** In words. */
const MAX_WORDS = 40;
/** Lead-ins with conditions, which address the reader: "Avoid it if: you are pregnant". */
const TO_READER = /\b(?:if|when|unless|who|whom|whose|for|as long as)$/i;
const READER = /^(?:you|your)\b/i;
const OF_WRITER = /\b(?:I|we|my|our)\b/;

/** Whether a sentence is a condition that needs the lead-in of its list: "you have a BMI above 30". */
export const isCondition = ({ text, lead }: Pick<Quote, 'text' | 'lead'>): boolean =>
  lead !== null && (CONDITION.test(lead) || (READER.test(text) && TO_READER.test(lead)));

/**
 * The lead-in for words that are not a sentence, and the words: the lead-in of their list, or "Verdict" above or before them. Null if there is none.
 */
function ledBy({ lead, above }: Quote, text: string): { lead: string; item: string } | null {
  if (lead !== null) return { lead, item: text };
  const [label = '', own = ''] = LABEL.exec(text) ?? [];
  if (ANSWERING.test(own)) return { lead: own, item: text.slice(label.length) };
  const innermost = above.at(-1) ?? '';
  return ANSWERING.test(innermost) ? { lead: innermost.replace(/[.:]$/, ''), item: text } : null;
}
const LABEL = /^([^.:]{1,40})[.:]\s+/;

/**
 * A list item or answer that is not a sentence, with its lead-in: "[Avoid it if:] you are pregnant", "[Verdict:] A small gain for some." The lead-in
 * tells whether it is for or against something. Null without a lead-in, or if it states nothing.
 */
export function listedItem(quote: Quote, plain: PlainQuote, report: ReadReport): Statement | null {
  const led = ledBy(quote, plain.text);
  if (led === null || !quote.isFirstOfBlock || quote.cells !== null || isAllBold(quote.text)) return null;
  const { lead } = led;
  if (isTalk(lead) || OF_WRITER.test(lead)) return null;
  const item = led.item.replace(/[,;]$/, '');
  if (READER.test(item) ? !TO_READER.test(lead) && !CONDITION.test(lead) : isTalk(item)) return null;
  const own = report.sentences.read(item).reading;
  if (own.tokens.length > MAX_WORDS || !own.tokens.some(isContentWord) || item.endsWith(':')) return null;
  const read = report.sentences.read(`${lead}: ${item}`);
  const sentence = referring({ quote, plain, read, reading: read.reading }, REFERS_TO_NOTHING, report, null);
  const citationIndexes = report.reader.citationsIn(plain, quote.start, 0, quote.text.length);
  const said = {
    from: 0,
    end: quote.text.length,
    citationIndexes,
    text: `[${lead.replace(/[[\]]/g, '')}:] ${item}`,
    reading: read.reading,
  };
  return statementFrom(said, sentence, report);
}
