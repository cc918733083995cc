import { FINITE_FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { INDEFINITE_ARTICLES } from '@lib/language/reading/articles';
import { DASH, SPACE } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { textAt, type Token } from '@lib/language/reading/token';
import { BASES } from '@lib/language/reading/verb-forms';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { ORDINALS, tellsRank } from '../difference/superlatives';

/** Whether a form such as "is a" or "was an" stands here. */
export const isBeingA = (tokens: readonly Token[], verb: number): boolean =>
  FINITE_FORMS_OF_BE.has(textAt(tokens, verb)) && INDEFINITE_ARTICLES.has(textAt(tokens, verb + 1));

/** Whether a form such as "is the deepest" or "was the eighth" stands here. */
const isBeingRanked = (tokens: readonly Token[], verb: number): boolean => {
  const rank = textAt(tokens, verb + 2);
  return FINITE_FORMS_OF_BE.has(textAt(tokens, verb)) && tokens[verb + 1]?.word.text === 'the' && (tellsRank(rank) || ORDINALS.has(rank));
};

/**
 * The kind that a sentence assigns to its subject, which ends at `subjectEnd`: "store" for "Quillstore is a key-value store written in Rust", "lake"
 * for "Baikal is the deepest lake in the world". Null if there is none.
 */
export function statedKindOf({ tokens }: Reading, subjectEnd: number): string | null {
  const verb = tokens.findIndex((_, at) => at >= subjectEnd && isFiniteVerbAt(tokens, at));
  if (!isBeingA(tokens, verb) && !isBeingRanked(tokens, verb)) return null;
  let at = verb + 2;
  while (isInNounPhrase(tokens, at)) at += 1;
  const head = tokens[at - 1];
  return at === verb + 2 || !head || head.isCapitalised || head.word.hasDigit ? null : head.word.text;
}

/** Whether a word continues a noun phrase after an article; "written" in "a store written in Rust" does not. */
export function isInNounPhrase(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token || token.word.isStopWord || (token.before & ~(SPACE | DASH)) !== 0) return false;
  const { text, verb } = token.word;
  return !(verb.isPastForm || BASES.has(text)) || tokens[at + 1]?.word.isStopWord === false;
}

/** The words of names in a sentence, including its first word unless that is a verb or an adverb. */
export const namedIn = ({ tokens }: Reading): Token[] =>
  tokens.filter(({ isCapitalised, word: { isStopWord, verb } }, at) => {
    const mayBeAny = at === 0 && (verb.isPastForm || verb.endsInIng || verb.isAdverb);
    return isCapitalised && !isStopWord && !mayBeAny;
  });
