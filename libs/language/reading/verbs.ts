import { COMMA, DASH, SPACE, STOP } from './characters';
import { isNameWord, hasCommaBefore, textAt, type Token } from './token';
import { FORMS_OF_BE } from './forms-of-be';
import type { Tense } from './verb-forms';
import { ARTICLES_AND_POSSESSIVES } from './function-words';

const SUBJECTS = new Set(['who', 'he', 'she', 'it', 'they', 'which', 'that']);

/** Whether a word here is certainly a finite verb, possibly after adverbs. English. */
export function isFiniteVerbAt(tokens: readonly Token[], at: number): boolean {
  const verb = tokens[skipAdverbs(tokens, at)];
  if (!verb || verb.isCapitalised) return false;
  const { isFinite, endsInEd, endsInS } = verb.word.verb;
  if (isFinite) return (verb.after & DASH) === 0 || (verb.after & SPACE) !== 0;
  if (endsInEd && !hasCommaBefore(verb) && isSubject(tokens[at - 1])) return verb.after === SPACE || (verb.after & (COMMA | STOP)) !== 0;
  if (!(endsInEd || endsInS) || verb.after !== SPACE) return false;
  if (endsInEd && BEFORE_NOUN.has(textAt(tokens, at - 1))) return false;
  const next = skipAdverbs(tokens, at) + 1;
  if (endsInS) return tokens[next]?.word.verb.isDeterminer === true && tokens[next].after === SPACE;
  const following = tokens[skipAdverbs(tokens, next)];
  return following !== undefined && (following.word.verb.isComplement || following.isCapitalised || following.word.hasDigit);
}

/** Whether a word in "ed" after this one is a verb: after a name, or a pronoun that can only be a subject. */
function isSubject(token: Token | undefined): boolean {
  return token !== undefined && (SUBJECTS.has(token.word.text) || isNameWord(token));
}

function skipAdverbs(tokens: readonly Token[], from: number): number {
  let at = from;
  for (let token = tokens[at]; token && token.word.verb.isAdverb && token.after === SPACE; token = tokens[at]) at += 1;
  return at;
}

const BEFORE_PARTICIPLE = new Set('is are am be been being not'.split(' '));
/** Words followed by a noun: "the watershed". */
const BEFORE_NOUN = ARTICLES_AND_POSSESSIVES.union(new Set(['of']));

/** Whether a form is a participle, without a tense of its own: "is used", "to be inherited", ", located in". */
function isParticipleAt(tokens: readonly Token[], at: number): boolean {
  const before = textAt(tokens, at - 1);
  return BEFORE_PARTICIPLE.has(before) || BEFORE_NOUN.has(before) || hasCommaBefore(tokens[at]);
}

/** Whether a form of "be" stands right before: "was founded", but not "is still used". */
export const isBehindBe = (tokens: readonly Token[], at: number): boolean => FORMS_OF_BE.has(textAt(tokens, at - 1));

/** Whether a participle is a passive: "was founded", "is still used". */
export const isPassive = (tokens: readonly Token[], participle: number): boolean =>
  tokens.slice(Math.max(0, participle - 2), participle).some(({ word }) => FORMS_OF_BE.has(word.text));

/** The tense of the first past auxiliary, otherwise of a present one, otherwise of an unambiguous verb, otherwise of any form. */
export function tenseOf(tokens: readonly Token[]): Tense {
  let isPresent = false;
  let hasPastForm = false;
  let ofVerb: Tense | null = null;
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const { auxiliaryTense, isPastForm, isFinite, endsInS } = token.word.verb;
    const isParticiple = isPastForm && isParticipleAt(tokens, at);
    if (auxiliaryTense === 'past' && !isParticiple) return 'past';
    isPresent ||= auxiliaryTense === 'present';
    if (!isPastForm && !isFinite && !endsInS) continue;
    hasPastForm ||= isPastForm && !isParticiple && !token.isCapitalised;
    if (ofVerb !== 'past' && !isParticiple && isFiniteVerbAt(tokens, at)) ofVerb = isPastForm ? 'past' : 'present';
  }
  if (isPresent) return 'present';
  return ofVerb ?? (hasPastForm ? 'past' : 'present');
}
