import { PREPOSITIONS } from '@lib/language/reading/function-words';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isFiniteOrPast, type Token } from '@lib/language/reading/token';
import { isParticipleForm } from '@lib/language/reading/verb-forms';
import type { PlainQuote } from '../sentences/citation-marks';
import { ANSWERING } from '../sentences/answering';
import { BEFORE_CONDITION, CONDITION, DENYING, isAllBold } from '../sentences/list-leads';
import { QUOTED } from '../sentences/reply';
import { mayStandAbove } from '../sentences/run-in-heading';
import { isOfTextOrProgram, isTalk } from '../sentences/talk';
import { isVerdict } from '../sentences/verdict';
import type { Quote } from '../sentences/quotes';
import { asLabel } from '../subject/headings-read';
import { REFERS_TO_NOTHING } from '../subject/reference';
import { referring } from './read-sentence';
import { statementFrom, type ReadReport, type Statement } from './statement';

/** In words. */
const MAX_WORDS = 40;
/** Lead-ins of what addresses the reader: "Avoid it if: you are pregnant", "Why it may suit you". */
const TO_READER = /\b(?:if|when|unless|who|whom|whose|for|as long as)$|^(?:why|who|signs|reasons)\b/i;
const READER = /^(?:you|your)\b/i;
const OF_WRITER = /\b(?:I|we|my|our)\b/;
const BEGINS_LOWER = /^[("“]?\p{Ll}/u;

/**
 * Whether the beginning of an item would say something else without the lead-in of its list: a condition ("you have a BMI above 30"), words that
 * others say ("“It has no transactions.”" below "Myths"), or what a lead-in denies ("goods that were used" below "It does not cover:").
 */
export function needsLead({ text, lead, isFirstOfBlock, cells }: Quote, { tokens, text: said }: Reading): boolean {
  if (!isFirstOfBlock || cells !== null) return false;
  if (lead === null) return QUOTED.test(said) && !text.includes('[');
  if ((CONDITION.test(lead) && !lead.endsWith('?')) || BEFORE_CONDITION.test(lead) || (READER.test(text) && TO_READER.test(lead)))
    return true;
  return QUOTED.test(said) || (DENYING.test(lead) && (BEGINS_LOWER.test(text) || isNounWithParticiple(tokens)));
}

/** As in "I'd avoid it if" and "You'll be a good match if". */
const recommends = (lead: string, { sentences }: ReadReport): boolean => {
  if (!BEFORE_CONDITION.test(lead)) return false;
  if (READER.test(lead)) return !isOfTextOrProgram(lead);
  return isVerdict(lead.replace(/ (?:it|them|this|that|one)\b/i, ''), sentences.read(lead).reading.tokens);
};

/** As in "Laptops built to your order", which is no sentence. */
function isNounWithParticiple(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex((token) => isFiniteOrPast(token));
  const [before, participle, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (!before || !participle || !next || !isContentWord(before)) return false;
  return isParticipleForm(participle.word.text) && PREPOSITIONS.has(next.word.text);
}

/**
 * The lead-in for words that are not a sentence, and the words: the lead-in of their list, or "Verdict" above or before them. Null if there is none.
 */
function ledBy(quote: Quote, text: string): { lead: string; item: string } | null {
  const { lead, above } = quote;
  if (lead !== null) return { lead, item: text };
  const [label = '', own = ''] = LABEL.exec(text) ?? [];
  if (ANSWERING.test(own) || (own !== '' && isBoldLabel(quote, own))) return { lead: own, item: text.slice(label.length) };
  const innermost = above.at(-1) ?? '';
  return ANSWERING.test(innermost) ? { lead: innermost.replace(/[.:]$/, ''), item: text } : null;
}
/** As in "**Freezing.** Only as a last resort." A name alone states nothing: "**Case:** Hartwell v. Meridian (2016)". */
const isBoldLabel = ({ text, isFirstOfBlock }: Quote, label: string): boolean => {
  const [whole = '', bold] = (isFirstOfBlock && BOLD.exec(text)) || [];
  if (bold?.replace(/[.:]$/, '') !== label || !mayStandAbove(label) || isTalk(label)) return false;
  return SMALL_WORD.test(text.slice(whole.length).replace(/\([^()]*\)/g, ''));
};
const SMALL_WORD = /(?<!\p{L})\p{Ll}{3,}/u;
const BOLD = /^\*\*([^*\n]{1,40})\*\*/;
const LABEL = /^([^.:]{1,40})[.:]\s+/;

/**
 * A list item or answer that is not a sentence, with its lead-in: "[Avoid it if:] you are pregnant", "[Verdict:] A small gain for some." The lead-in
 * tells whether it is for or against something. Null without a lead-in, or if it states nothing.
 */
export function listedItem(quote: Quote, plain: PlainQuote, report: ReadReport): Statement | null {
  const led = ledBy(quote, plain.text);
  if (led === null || !quote.isFirstOfBlock || quote.cells !== null || isAllBold(quote.text)) return null;
  const { lead } = led;
  if ((isTalk(lead) || OF_WRITER.test(lead)) && !recommends(lead, report)) return null;
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
    text: `[${asLabel(lead.replace(/[[\]]/g, ''))}] ${item}`,
    reading: read.reading,
  };
  return statementFrom(said, sentence, report);
}
