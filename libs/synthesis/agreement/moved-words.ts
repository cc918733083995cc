import { COLON } from '@lib/language/reading/characters';
import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import { isInDate } from '@lib/language/reading/dates';
import { FORMS_OF_BE } from '@lib/language/reading/forms-of-be';
import { FORMS_OF_HAVE, RELATIVE_PRONOUNS, SUBORDINATORS } from '@lib/language/reading/function-words';
import type { Reading } from '@lib/language/reading/reading';
import { hasCommaBefore, isFiniteOrPast, isNameWord, textAt, type Token } from '@lib/language/reading/token';
import { sharedOnce, type SharedOnce } from '../alignment/shared-once';
import { isTurnedByVerb } from '../roles/turned-by-verb';
import { ALIKE_FOR_BOTH } from '../roles/roles-of-words';
import { isFormOfVerb, MARKING_PARTICIPANTS, MUTUAL, prepositionOf } from '../roles/verb-and-object';
import { BETWEEN_CELLS } from '../sentences/quotes';
import { changeItemsPlaces, JOINING } from './listed-items';
import { areListed, isCompound, isOfOnePhrase, isOfOther, ordersLists } from './one-phrase';

/**
 * Whether words of `mine` stand in another order in `theirs` without a reason of grammar. Then they are tied to each other in another way: "Kelm’s members
 * approved the merger" is not said by "Ulm’s members approved the merger with Kelm", nor "most who voted are young" by "most of the young voted".
 */
export function movesWords(mine: Reading, theirs: Reading): boolean {
  const shared = sharedOnce(mine.tokens, theirs.tokens).filter(({ here }) => !isBeside(textAt(mine.tokens, here)));
  if (shared.length > MAX_SHARED) return false;
  const turned = shared.flatMap((later, place) =>
    shared
      .slice(Math.max(0, place - MAX_APART), place)
      .flatMap((earlier): [SharedOnce, SharedOnce][] => (earlier.there > later.there ? [[earlier, later]] : [])),
  );
  // Most statements have their words in the same order.
  if (turned.length === 0 || mayHaveAnyOrder(mine, theirs)) return false;
  return turned.some(([earlier, later]) => !mayTurn(mine, theirs, earlier, later));
}

const mayHaveAnyOrder = (mine: Reading, theirs: Reading): boolean =>
  [mine, theirs].some((reading) => isRecord(reading) || isOfEither(reading)) ||
  tellsWhatThereIs(mine, theirs) ||
  tellsWhatThereIs(theirs, mine) ||
  isTurnedByVerb(mine.tokens, theirs.tokens) ||
  isTurnedByVerb(theirs.tokens, mine.tokens);

/** At most so many shared words are compared, and each with so many before it: both bound the time that a long sentence takes. */
const MAX_SHARED = 40;
const MAX_APART = 12;

/** Words that go with what stands behind them. */
const isBeside = (text: string): boolean => AROUND_FIGURES.has(text) || LONGER_PREPOSITIONS.has(text);

/** The cells of a row and what stands behind a label have no order of grammar. */
const isRecord = ({ text, tokens }: Reading): boolean =>
  text.includes(BETWEEN_CELLS) || tokens.some(({ before }) => (before & COLON) !== 0);

/** "Ada and Bea work together", "Norland is linked to Kelmia": what is said holds the other way round. */
const isOfEither = ({ tokens }: Reading): boolean =>
  tokens.some(({ word }, at) => MUTUALLY.has(word.text) || (ALIKE_FOR_BOTH.has(word.text) && TO_OTHER.has(textAt(tokens, at + 1))));
const MUTUALLY = new Set('together jointly mutually'.split(' '));
const TO_OTHER = new Set('to with from'.split(' '));

/** "There are two lifts in the hall" and "the hall has two lifts". */
const tellsWhatThereIs = ({ tokens }: Reading, { tokens: others }: Reading): boolean =>
  textAt(tokens, 0) === 'there' && FORMS_OF_BE.has(textAt(tokens, 1)) && others.some(({ word }) => FORMS_OF_HAVE.has(word.text));

/** Whether two words that changed places may do so. */
function mayTurn(mine: Reading, theirs: Reading, earlier: SharedOnce, later: SharedOnce): boolean {
  const [own, others] = [mine.tokens, theirs.tokens];
  if (isCompound(own, earlier.here, later.here) && isCompound(others, later.there, earlier.there)) return false;
  const areItems =
    (areListed(own, earlier.here, later.here) && areListed(others, later.there, earlier.there)) ||
    changeItemsPlaces(own, others, own[earlier.here], own[later.here]);
  if (areItems) return !ordersLists(own) && !ordersLists(others);
  return (
    isMeantBehind(others, earlier.there) ||
    areOnAPar(own, others, earlier) ||
    isMobile(mine, theirs, earlier, later) ||
    isMobile(mine, theirs, later, earlier) ||
    beginsRelative(others, later.there) ||
    isIdentified(own, earlier.here, later.here) ||
    isIdentified(others, later.there, earlier.there) ||
    (isOfOnePhrase(own, earlier.here, later.here) && isOfOnePhrase(others, later.there, earlier.there)) ||
    (isCompound(own, earlier.here, later.here) && isOfOther(others, later.there, earlier.there)) ||
    (isCompound(others, later.there, earlier.there) && isOfOther(own, earlier.here, later.here))
  );
}

/** Whether a pronoun behind a verb means what was named before: "debated the act and passed it". */
const isMeantBehind = (tokens: readonly Token[], verb: number): boolean => OBJECTS.has(textAt(tokens, verb + 1));
const OBJECTS = new Set('it them him her'.split(' '));

/** Whether the subject may as well stand behind the verb: "Norland trades with Kelmia". */
function areOnAPar(own: readonly Token[], others: readonly Token[], { there }: SharedOnce): boolean {
  const lead = prepositionOf(others, there);
  return lead !== null && MUTUAL.has(lead) && own.some(({ word }) => word.text === lead);
}

/** Whether a word is in a phrase or a clause that stands where it likes: "in 2022", "despite the war", "because it rained". */
function isMobile(mine: Reading, theirs: Reading, word: SharedOnce, other: SharedOnce): boolean {
  const [own, others] = [mine.tokens, theirs.tokens];
  const areAsFar = (lead: number, theirLead: number): boolean =>
    boundariesTo(own, lead, word.here, other.here) === boundariesTo(others, theirLead, word.there, other.there);
  if (isInDate(mine.dates, word.here) && areAsFar(word.here, word.there)) return true;
  return [phraseOf, clauseOf].some((beginOf) => {
    const [lead, theirLead] = [beginOf(own, word.here), beginOf(others, word.there)];
    if (lead < 0 || theirLead < 0 || textAt(own, lead) !== textAt(others, theirLead)) return false;
    // "The drivers were under 40" and "the drivers under 40".
    if (FORMS_OF_BE.has(textAt(own, lead - 1)) !== FORMS_OF_BE.has(textAt(others, theirLead - 1))) return false;
    return areAsFar(lead, theirLead);
  });
}

/** Where the preposition stands that begins the phrase of a word; -1 if there is none, and for "of". */
function phraseOf(tokens: readonly Token[], at: number): number {
  // "Bars and restaurants", "Game 6".
  if (JOINING.has(textAt(tokens, at - 1))) return phraseOf(tokens, at - 2);
  if (tokens[at]?.word.hasDigit && isNameWord(tokens[at - 1])) return phraseOf(tokens, at - 1);
  const preposition = prepositionOf(tokens, at);
  if (preposition === null || preposition === 'of') return -1;
  return tokens.findLastIndex(({ word }, place) => place < at && word.text === preposition);
}

/** Where the conjunction, or a longer preposition such as "despite", stands that begins the clause or phrase of a word; -1 if there is none. */
function clauseOf(tokens: readonly Token[], at: number): number {
  for (let place = at - 1; place >= 0; place -= 1) {
    const text = textAt(tokens, place);
    if (SUBORDINATORS.has(text) || LONGER_PREPOSITIONS.has(text)) return place;
    if (hasCommaBefore(tokens[place + 1])) return -1;
  }
  return -1;
}
const LONGER_PREPOSITIONS = new Set(
  `across despite within without throughout behind near along around beyond beside below above toward towards following inside outside upon amid per via due thanks
according compared alongside`.split(/\s+/),
);

/** How many clauses begin between a phrase, given by its begin and one of its words, and another word. */
const boundariesTo = (tokens: readonly Token[], lead: number, at: number, other: number): number =>
  boundariesBetween(tokens, other < at ? Math.max(lead, other) : at, other);

/** How many clauses begin between two words. */
function boundariesBetween(tokens: readonly Token[], one: number, other: number): number {
  const between = tokens.slice(Math.min(one, other) + 1, Math.max(one, other));
  return between.filter(
    ({ word: { text } }, at) =>
      RELATIVE_PRONOUNS.has(text) || (SUBORDINATORS.has(text) && between.slice(at + 1, at + 1 + MAX_WORDS_TO_VERB).some(isFiniteOrPast)),
  ).length;
}

/** Most words from a conjunction to the verb of its clause: "before the last train left". */
const MAX_WORDS_TO_VERB = 5;

/** Whether a relative clause about a word follows: "Sund, which Ada joined", "Howard University in Kelm, where". */
function beginsRelative(tokens: readonly Token[], at: number): boolean {
  const phrase = tokens.slice(at + 1, at + 1 + MAX_WORDS_TO_RELATIVE);
  const end = phrase.findIndex((token) => !token.isCapitalised && !MARKING_PARTICIPANTS.has(token.word.text));
  return end >= 0 && textAt(phrase, end) !== 'that' && RELATIVE_PRONOUNS.has(textAt(phrase, end));
}
const MAX_WORDS_TO_RELATIVE = 6;

/** Whether "be" says that the one is the other: "Ada is a member". */
const isIdentified = (tokens: readonly Token[], first: number, second: number): boolean =>
  tokens.some(
    ({ word }, at) =>
      at > first &&
      at < second &&
      FORMS_OF_BE.has(word.text) &&
      !MARKING_PARTICIPANTS.has(textAt(tokens, at + 1)) &&
      !isFormOfVerb(tokens[at + 1]),
  );
