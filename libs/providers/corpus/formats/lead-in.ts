import { forbids } from '@lib/language/reading/forbids';
import { splitSentences } from '@lib/language/sentences';
import { words } from '@lib/language/tokens';

import { plainLine } from './markdown-line';

export const REFERS_BACK =
  /^(?:this|that|these|those|it|its|they|such|however|otherwise|also|then|in this case|in that case|by default, it)\b/i;
/** A sentence with no more words than this does not say what its list contains: "They are:". */
const FEW_WORDS = 2;
/** Most sentences of a paragraph that may lead to what follows it. */
const MAX_SENTENCES = 3;
/** Ends like a complete statement, which does not introduce anything. */
const IS_STATEMENT = /[.!。]["'”’)*_`]*$/;
const POINTS_DOWN = /\b(?:following|below|folgende\w*)\b/i;

/** The end of a paragraph that leads to what follows: its last sentence, plus those before it if it says little by itself. */
export function leadInOf(markdown: string): string {
  const sentences = splitSentences(markdown).map(({ text }) => text);
  let from = sentences.length - 1;
  while (from > 0 && sentences.length - from < MAX_SENTENCES && leans(sentences[from] ?? '')) from -= 1;
  return sentences.slice(Math.max(0, from)).join(' ');
}

const leans = (sentence: string): boolean => REFERS_BACK.test(sentence) || words(sentence).length <= FEW_WORDS;

/** Whether a following list cannot be understood without this text: the items complete it, it points to them, or it denies them. */
export function leadsOn(leadIn: string): boolean {
  return leadIn !== '' && (!IS_STATEMENT.test(leadIn) || POINTS_DOWN.test(leadIn) || forbids(leadIn));
}

/** The lines to quote before a row of a table. The lead-in is needed only if it forbids; otherwise the header says enough. */
export function introductionOfRow(leadIn: string, header: string): string[] {
  return [...(forbids(leadIn) ? [leadIn] : []), ...(header === '' ? [] : [plainLine(header)])];
}

const POINTS_TO_RESULT =
  /^\W*(?:or|alternatively|(?:(?:and|then|which|that|this|it|the above|this code)\s+)*(?:(?:will|would)\s+)?(?:outputs?|prints?|returns?|logs?|produces?|yields?|gives?|results? in|shows?|displays?)|(?:(?:the|its|example|sample)\s+)*(?:outputs?|results?)(?:\s+(?:is|are|will be|would be|looks? like))?)(?:\s+(?:the following|something like|this|like this|as follows|is|similar to|the output|output|you|to the console))*\W*$/i;

/** Texts such as "This will output:" or "or" say nothing without the code before them. */
export const pointsToCodeBefore = (text: string): boolean => POINTS_TO_RESULT.test(text);
