import { forbids } from '@lib/language/reading/forbids';
import { splitSentences } from '@lib/language/sentences';
import { words } from '@lib/language/tokens';

import { plainLine } from './markdown-line';

export const REFERS_BACK =
  /^(?:this|that|these|those|it|its|they|such|however|otherwise|also|then|in this case|in that case|by default, it)\b/i;
/** A sentence of so few words does not say what its list is of: "They are:". */
const FEW_WORDS = 2;
/** Sentences of a paragraph that lead to what follows it. */
const MAX_SENTENCES = 3;
/** Ends as a statement does, which leads to nothing. */
const IS_STATEMENT = /[.!。]["'”’)*_`]*$/;
const POINTS_DOWN = /\b(?:following|below|folgende\w*)\b/i;

/** The end of a paragraph that leads to what follows: its last sentence, with the one before where that says little by itself. */
export function leadInOf(markdown: string): string {
  const sentences = splitSentences(markdown).map(({ text }) => text);
  let from = sentences.length - 1;
  while (from > 0 && sentences.length - from < MAX_SENTENCES && leans(sentences[from] ?? '')) from -= 1;
  return sentences.slice(Math.max(0, from)).join(' ');
}

const leans = (sentence: string): boolean => REFERS_BACK.test(sentence) || words(sentence).length <= FEW_WORDS;

/** Whether a list that follows is not to be understood without it: it goes on in the items, points to them or denies them. */
export function leadsOn(leadIn: string): boolean {
  return leadIn !== '' && (!IS_STATEMENT.test(leadIn) || POINTS_DOWN.test(leadIn) || forbids(leadIn));
}

/** What a row of a table is quoted behind. Most tables say themselves what they are of. */
export function introductionOfRow(leadIn: string, header: string): string[] {
  return [...(forbids(leadIn) ? [leadIn] : []), ...(header === '' ? [] : [plainLine(header)])];
}

const POINTS_TO_RESULT =
  /^\W*(?:or|alternatively|(?:(?:and|then|which|that|this|it|the above|this code)\s+)*(?:(?:will|would)\s+)?(?:outputs?|prints?|returns?|logs?|produces?|yields?|gives?|results? in|shows?|displays?)|(?:(?:the|its|example|sample)\s+)*(?:outputs?|results?)(?:\s+(?:is|are|will be|would be|looks? like))?)(?:\s+(?:the following|something like|this|like this|as follows|is|similar to|the output|output|you|to the console))*\W*$/i;

/** "This will output:", "or": says nothing without the code before it. */
export const pointsToCodeBefore = (text: string): boolean => POINTS_TO_RESULT.test(text);
