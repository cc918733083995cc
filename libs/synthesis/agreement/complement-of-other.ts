import { SPACE } from '@lib/language/reading/characters';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';
import { isFormOfVerb, isVerbAt, objectAfter, prepositionOf } from '../roles/verb-and-object';

/**
 * Whether `theirs` has the complement of a verb of `mine` elsewhere, and another one at the verb: "Ada joined Ulm" is not said by "Ada joined Kelm
 * after leaving Ulm", nor "taught in Lund" by "taught in Velm before moving to Lund".
 */
export const takesComplementOfOther = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.some((verb, at) => {
    if (!isVerbAt(mine, at)) return false;
    const { preposition, words } = objectAfter(mine, at);
    const [first] = words;
    if (!first) return false;
    const places = placesOf(verb, theirs).filter((place) => isFormOfVerb(theirs[place]));
    const hasOther = places.every((place) => {
      const other = objectAfter(theirs, place);
      return other.preposition === preposition && other.words.length > 0 && !other.words.some((word) => isAmong(word, words));
    });
    if (places.length === 0 || !hasOther) return false;
    const found = placesOf(first, theirs);
    return found.length > 0 && found.every((place) => isOfOther(verb, preposition, theirs, place, Math.max(...places)));
  });

/** Whether another preposition or another verb governs the word at `place`; not if it only ends the phrase behind the verb. */
function isOfOther(verb: Token, preposition: string | null, theirs: readonly Token[], place: number, at: number): boolean {
  if (preposition !== null)
    return prepositionOf(theirs, place) !== preposition && !isListed(theirs, place) && !endsPhrase(theirs, at, preposition, place);
  const governor = theirs.findLast((_, other) => other < place && governs(theirs, other));
  return governor !== undefined && !areAlike(governor, verb);
}

/** Whether the words from a verb to `place` are one phrase: "on the Bank of England’s note". */
const endsPhrase = (tokens: readonly Token[], verb: number, preposition: string, place: number): boolean =>
  verb < place &&
  tokens
    .slice(verb + 1, place)
    .every(
      (token) =>
        isContentWord(token) ||
        token.word.isAmount ||
        token.word.verb.isDeterminer ||
        token.word.text === 'of' ||
        token.word.text === preposition,
    );

/** Whether a verb or participle has an object: "leaving Ulm", unlike "training, guidance". */
const governs = (tokens: readonly Token[], at: number): boolean =>
  isFormOfVerb(tokens[at]) && tokens[at]?.after === SPACE && objectAfter(tokens, at).words.length > 0;

/** Whether the phrase of a word goes on a list: "in Ulm and Graz". */
function isListed(tokens: readonly Token[], place: number): boolean {
  const before = tokens[place - 1]?.word.text;
  return before === 'and' || before === 'or' || (tokens[place]?.before ?? SPACE) !== SPACE;
}
