import { COMMON_PREPOSITIONS, FORMS_OF_HAVE, MODALS_AND_DO } from '@lib/language/reading/function-words';
import { verbCertainty } from '@lib/language/known-words';
import { COMMA, DASH, SPACE } from '@lib/language/reading/characters';
import { isPastVerb, isContentWord, hasCommaBefore, textAt, type Token } from '@lib/language/reading/token';
import { BASES } from '@lib/language/reading/verb-forms';

/** Prepositions that mark what takes part in a deed, or its place and time. */
export const MARKING_PARTICIPANTS = COMMON_PREPOSITIONS.union(
  new Set('against since until during after before under over between among into through'.split(' ')),
);
/** After these, the second participant is on a par with the subject: "Kelm trades with Ulm". */
export const MUTUAL = new Set('with against'.split(' '));
/** Words that precede a base form: "foxes can eat hens". */
const BEFORE_BASE_FORM = MODALS_AND_DO.union(new Set(['to']));

/** The preposition of a word, if only words of the same phrase stand between. */
export function prepositionOf(tokens: readonly Token[], at: number): string | null {
  for (let place = at; place > 0; place -= 1) {
    const [token, before] = [tokens[place], tokens[place - 1]];
    if (!token || !before || hasCommaBefore(token) || isPastVerb(before)) return null;
    if (before.word.text === 'to' && place < at && isBase(token)) return null;
    if (MARKING_PARTICIPANTS.has(before.word.text)) return before.word.text;
    if ((before.isCapitalised && !token.isCapitalised) || (before.word.isStopWord && !before.word.verb.isDeterminer)) return null;
  }
  return null;
}

/** A base form after "to" makes it an infinitive, not a preposition with an object: "to pay". */
const isBase = ({ word, isCapitalised }: Token): boolean => !isCapitalised && verbCertainty(word.text) !== undefined;

export interface VerbObject {
  /** The preposition before the object, such as "in" in "starred in Sund". */
  preposition: string | null;
  /** The content words of the object. */
  words: readonly Token[];
}

/** The object of a verb and of the verbs coordinated with it: the words up to the next comma, preposition or "and", after an optional preposition. */
export function objectAfter(tokens: readonly Token[], verb: number): VerbObject {
  let from = verb + 1;
  while (isFormOfVerb(tokens[from]) || (tokens[from]?.word.text === 'and' && isFormOfVerb(tokens[from + 1]))) from += 1;
  const next = textAt(tokens, from);
  const preposition = MARKING_PARTICIPANTS.has(next) ? next : null;
  if (preposition !== null) from += 1;
  return { preposition, words: tokens.slice(from, endOfPhrase(tokens, from)).filter(isContentWord) };
}

/** The index of the first comma, preposition or "and" from an index on, or the end. */
function endOfPhrase(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex(
    ({ before, word }, at) => at >= from && ((before & COMMA) !== 0 || (word.isStopWord && !word.verb.isDeterminer)),
  );
  return end < 0 ? tokens.length : end;
}

export const isFormOfVerb = (token: Token | undefined): boolean =>
  token !== undefined && !token.isCapitalised && (token.word.verb.isPastForm || token.word.verb.endsInIng || BASES.has(token.word.text));

/** Whether a token is a verb, also in the present: "exports" between two content words, or "export" after a plural or an auxiliary. */
export const isVerbAt = (tokens: readonly Token[], at: number): boolean => {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (isPastVerb(token)) return true;
  if (!before || !token || !next || token.isCapitalised || token.word.isStopWord) return false;
  if (BEFORE_BASE_FORM.has(before.word.text)) return isContentWord(next);
  if (FORMS_OF_HAVE.has(before.word.text) && isFormOfVerb(token)) return true;
  const { endsInS, endsInIng } = token.word.verb;
  if (!endsInS && (!before.word.verb.endsInS || endsInIng || !isContentWord(next))) return false;
  return isContentWord(before) && token.before === SPACE && (token.after & DASH) === 0;
};
