import { SPACE } from '@lib/language/reading/characters';
import { verbCertainty } from '@lib/language/known-words';
import { hasCommaBefore, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { areAlike, isAmong, placesOf } from '../alignment/same-word';
import { isPossessive } from '../roles/owners';
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
    if (hasObjectBehindPreposition(first, preposition, placesOf(verb, theirs), theirs)) return true;
    const places = placesOf(verb, theirs).filter((place) => isFormOfVerb(theirs[place]) || isFiniteVerbAt(theirs, place));
    const hasOther = places.every((place) => {
      const other = objectAfter(theirs, place);
      if (other.preposition !== preposition || other.words.length === 0) return false;
      return !other.words.some((word) => isAmong(word, words)) || isOnlyOwner(words, other.words, mine);
    });
    if (places.length === 0 || !hasOther) return false;
    if (places.some((place) => isOnlyOwner(words, objectAfter(theirs, place).words, mine))) return true;
    const found = placesOf(first, theirs);
    return found.length > 0 && found.every((place) => isOfOther(verb, preposition, theirs, place, Math.max(...places)));
  });

/** "Shot the boar" is not said by "shot at the boar", nor "played Mahler" by "played for Mahler". */
const hasObjectBehindPreposition = (
  object: Token,
  preposition: string | null,
  verbs: readonly number[],
  theirs: readonly Token[],
): boolean =>
  preposition === null &&
  verbs.length > 0 &&
  verbs.every((verb) => {
    const at = theirs[verb + 2]?.word.verb.isDeterminer ? verb + 3 : verb + 2;
    return SHIFTING.has(textAt(theirs, verb + 1)) && theirs[at]?.word.stem === object.word.stem;
  });
const SHIFTING = new Set('at for on around about'.split(' '));

/** "Fined the airline" is not said by "fined the airline’s agent". */
function isOnlyOwner(own: readonly Token[], others: readonly Token[], mine: readonly Token[]): boolean {
  const [head, owner] = [own.at(-1), others.find(isPossessive)];
  return head !== undefined && owner !== undefined && areAlike(head, owner) && !isPossessive(head) && !isAmong(others.at(-1), mine);
}

/** Whether another preposition or another verb governs the word at `place`; not if it only ends the phrase behind the verb. */
function isOfOther(verb: Token, preposition: string | null, theirs: readonly Token[], place: number, at: number): boolean {
  if (preposition !== null)
    return prepositionOf(theirs, place) !== preposition && !isListed(theirs, place) && !endsPhrase(theirs, at, preposition, place);
  const leading = prepositionOf(theirs, place);
  if (leading !== null && !MAY_LEAD_OBJECT.has(leading) && !isListed(theirs, place) && !theirs.slice(at, place + 1).some(hasCommaBefore))
    return true;
  const governor = theirs.findLast((_, other) => other < place && governs(theirs, other));
  return governor !== undefined && !areAlike(governor, verb);
}

/** Behind these the object of a verb may stand: "the sale of Sund", "gave it to Ada". Not in "caused a collision with a train". */
const MAY_LEAD_OBJECT = new Set('of to for as'.split(' '));

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

/** Whether a verb, participle or infinitive has an object: "leaving Ulm", "to leave Ulm", unlike "training, guidance". */
const governs = (tokens: readonly Token[], at: number): boolean =>
  (isFormOfVerb(tokens[at]) || isInfinitive(tokens, at)) && tokens[at]?.after === SPACE && objectAfter(tokens, at).words.length > 0;

const isInfinitive = (tokens: readonly Token[], at: number): boolean =>
  textAt(tokens, at - 1) === 'to' && verbCertainty(textAt(tokens, at)) !== undefined;

/** Whether the phrase of a word goes on a list: "in Ulm and Graz". */
function isListed(tokens: readonly Token[], place: number): boolean {
  const before = textAt(tokens, tokens[place - 1]?.word.verb.isDeterminer ? place - 2 : place - 1);
  return before === 'and' || before === 'or' || (tokens[place]?.before ?? SPACE) !== SPACE;
}
