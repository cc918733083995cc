import { isInDate } from '@lib/language/reading/dates';
import { DASH, SPACE } from '@lib/language/reading/characters';
import { AROUND_FIGURES } from '@lib/language/reading/comparators';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord, isPastVerb, type Token } from '@lib/language/reading/token';
import type { Word } from '@lib/language/reading/word';
import { areAlike, isAmong, placesOf, placesOfItselfElseAlike } from '../alignment/same-word';
import type { Terms } from '../comparison/numbered-terms';
import { isOfSameAmount, measuresAlike } from './measures-alike';
import { playsAnotherPart } from './part-played';
import { tellsRank } from '../difference/superlatives';
import { NONE, type Statement } from '../statement/statement';

/** Words for an unspecific plural; a number or a list of enough items says the same. */
const SEVERAL = new Set('several multiple numerous various many'.split(' '));
const MIN_SEVERAL = 3;
/** A word that adds nothing to its context: "four different wines". */
const EMPTY = 'different';
const QUANTIFIERS = new Set('all every each most some few both'.split(' '));
/** Superlatives that `tellsRank` does not know. */
const RANKS = new Set('best worst top leading'.split(' '));
/** These quantifiers are interchangeable. */
const WHOLE = new Set('all every each'.split(' '));
/** Prefixes that change the meaning of the noun after them. */
const PREFIXES = new Set('co ex vice non semi sub pre post anti pro pseudo quasi half'.split(' '));

/**
 * Whether a sentence says every word of a statement, and of the same subject. Elsewhere most of the weight suffices, to find candidates; this decides
 * what is shown in a provider's name. "Best known for" is not said by a sentence with only "known for".
 * @param question words that need not be repeated, because the question already names them
 * @param named stems of a name that the sentence gives in another form
 */
export function isSaidWholly(inner: Statement, sentence: Statement, question: Terms, named: Terms): boolean {
  const [mine, theirs] = [inner.reading, sentence.reading];
  if (mine.wording === theirs.wording) return true;
  if (mine.tokens.filter(tellsSomething).length < MIN_WORDS || !mine.tokens.some(isMoreThanAmount)) return false;
  if (!listsWhatIsSaid(mine, theirs, named)) return false;
  // For a question such as "electric or diesel cars?" one statement may be about electric cars and the other about diesel, so these words must be
  // repeated.
  const asksForBoth = namesOther(inner, sentence, question);
  const [free, head] = asksForBoth ? [NONE, inner.head.difference(question)] : [question, inner.head];
  const isSaid = (token: Token, at: number): boolean =>
    isFree(token, free, named) ||
    (AROUND_FIGURES.has(token.word.text) && mine.tokens[at + 1]?.word.isAmount === true) ||
    (token.word.unit !== null && isOfSameAmount(mine, theirs, at)) ||
    (isStatedIn(token, theirs, head) && !isOnlyInLongerName(mine.tokens, at, theirs.tokens));
  return (
    mine.tokens.every(isSaid) &&
    isEachSaid(
      mine.tokens.filter((token) => !isFree(token, free, named)),
      theirs.tokens,
    ) &&
    quantifiesAlike(mine.tokens, theirs.tokens) &&
    measuresAlike(mine, theirs) &&
    !hasOtherPrefix(mine.tokens, theirs.tokens) &&
    !isOfNarrowerSubject(mine, theirs, free, named) &&
    !playsAnotherPart(mine.tokens, theirs.tokens, question)
  );
}

/** With fewer words than this a statement is found in sentences on anything: "Hold, if you own it" in "six hold and two sell". */
const MIN_WORDS = 2;
/** "In two years you would not" has nothing else that another sentence could say. */
const isMoreThanAmount = (token: Token): boolean => isContentWord(token) && !token.word.isAmount && token.word.unit === null;
export const tellsSomething = (token: Token): boolean => isContentWord(token) || token.word.isAmount;

/**
 * One word cannot stand for two: "prices" and "shrinking" do not say that a margin fell because of a price cut, as one word would stand for both
 * "fell" and "cut".
 */
function isEachSaid(mine: readonly Token[], theirs: readonly Token[]): boolean {
  const standsFor = new Map<number, string>();
  return mine.every((token) => {
    const places = placesOfItselfElseAlike(token, theirs);
    const place = places.find((at) => (standsFor.get(at) ?? token.word.text) === token.word.text);
    if (place !== undefined) standsFor.set(place, token.word.text);
    return places.length === 0 || place !== undefined;
  });
}

/**
 * Whether the sentence leaves a word of the question out and speaks of something that neither the statement nor the question names: "Plants in pots
 * need water every day" does not say it of tomato plants, although these were asked about.
 */
function isOfNarrowerSubject({ tokens: mine }: Reading, { tokens: theirs, subjectEnd }: Reading, free: Terms, named: Terms): boolean {
  const isKnown = (token: Token): boolean => isFree(token, free, named) || isAmong(token, mine);
  const leansOnQuestion = mine.some((token) => isContentWord(token) && free.has(token.word.stem) && !isAmong(token, theirs));
  if (!leansOnQuestion) return false;
  const isFurtherName = ({ isCapitalised }: Token, at: number): boolean => isCapitalised && at > 0;
  return theirs.slice(0, subjectEnd).some((token, at) => isContentWord(token) && !isFurtherName(token, at) && !isKnown(token));
}

function namesOther(inner: Statement, sentence: Statement, question: Terms): boolean {
  for (const stem of question) if (sentence.stems.has(stem) && !inner.stems.has(stem)) return true;
  return false;
}

const isFree = ({ word }: Token, question: Terms, named: Terms): boolean =>
  word.isStopWord || word.isAmount || word.text === EMPTY || named.has(word.stem) || (question.has(word.stem) && onlyNames(word));

/** Whether a word only names what was asked about: deeds, opposites and hedges must be repeated although the question has them. */
const onlyNames = ({ text, verb, effect, isDirection }: Word): boolean =>
  !ranks(text) && !verb.isPastForm && !isDirection && (effect === null || effect === 'filler');

/** Superlatives must be repeated even if the question has them: asking for the largest lake does not make a lake the largest. */
const ranks = (word: string): boolean => tellsRank(word) || RANKS.has(word);

function isStatedIn(token: Token, theirs: Reading, head: Terms): boolean {
  if ((token.isCapitalised && head.has(token.word.stem)) || theirs.tokens.some((_, at) => isStatedAt(token, theirs.tokens, at)))
    return true;
  return SEVERAL.has(token.word.text) && countsSeveral(theirs);
}

/** "Represented" is not said by "representative", nor "Dominican" by "Dominican-American". */
function isStatedAt(token: Token, theirs: readonly Token[], at: number): boolean {
  const other = theirs[at];
  if (!other || !areAlike(token, other)) return false;
  if (isPastVerb(token) && other.word.text.endsWith('ive')) return false;
  if (!token.word.verb.isAdverb && other.word.verb.isAdverb && token.word.text.endsWith('al')) return false;
  return !(token.isCapitalised && (token.after & DASH) === 0 && beginsCompoundName(theirs, at));
}

/** Whether a word continues into a compound name: "Dominican" in "Dominican-American". */
const beginsCompoundName = (tokens: readonly Token[], at: number): boolean => {
  const after = tokens[at]?.after ?? 0;
  return (after & DASH) !== 0 && (after & SPACE) === 0 && tokens[at + 1]?.isCapitalised === true;
};

/**
 * "A Dominican singer" is not said by "a singer from the Dominican Republic", but "a Stanford professor" is said by "a Stanford University
 * professor".
 */
function isOnlyInLongerName(mine: readonly Token[], at: number, theirs: readonly Token[]): boolean {
  const [token, next] = [mine[at], mine[at + 1]];
  if (!token?.isCapitalised || at === 0 || mine[at - 1]?.isCapitalised || !next || next.isCapitalised || next.word.isStopWord) return false;
  const places = placesOf(token, theirs).filter((place) => !beginsCompoundName(theirs, place));
  return places.length > 0 && places.every((place) => goesOnAsName(theirs[place + 1], mine) && !describes(theirs, place, next));
}

const goesOnAsName = (next: Token | undefined, mine: readonly Token[]): boolean =>
  next?.isCapitalised === true && next.before === SPACE && !isAmong(next, mine);

/**
 * Whether the words after a name describe the noun too: "University" between "Stanford" and the professor, "Grammy-winning" between "American" and
 * the singer.
 */
function describes(tokens: readonly Token[], at: number, noun: Token): boolean {
  let end = at + 1;
  while (tokens[end]?.isCapitalised || ((tokens[end]?.before ?? 0) & DASH) !== 0) end += 1;
  return isAmong(tokens[end], [noun]);
}

const countsSeveral = ({ tokens, enumerations, dates }: Reading): boolean =>
  enumerations.some(({ items }) => items.length >= MIN_SEVERAL) ||
  tokens.some(({ word }, at) => SEVERAL.has(word.text) || ((word.numeral?.value ?? 0) >= MIN_SEVERAL && !isInDate(dates, at)));

/**
 * Whether the other statement says each listed item, even those named in the question: "an inventor and a painter" is not said by "a painter" if "the
 * inventor" was asked about.
 */
const listsWhatIsSaid = ({ tokens, enumerations }: Reading, theirs: Reading, named: Terms): boolean =>
  enumerations.every(({ items }) =>
    items.every(({ from, to }) =>
      tokens.slice(from, to).every((token) => isFree(token, NONE, named) || token.isCapitalised || isStatedIn(token, theirs, NONE)),
    ),
  );

/** "All of them" is not said by "some of them". */
const quantifiesAlike = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  mine.every(
    ({ word: { text } }) =>
      !QUANTIFIERS.has(text) || theirs.some(({ word }) => word.text === text || (WHOLE.has(text) && WHOLE.has(word.text))),
  );

/** Whether a prefix changes a noun: a company's founder is not its co-founder. */
const hasOtherPrefix = (mine: readonly Token[], theirs: readonly Token[]): boolean =>
  theirs.some((prefix, at) => {
    const noun = theirs[at + 1];
    if (!noun || (prefix.after & DASH) === 0 || !PREFIXES.has(prefix.word.text) || isAmong(prefix, mine)) return false;
    return isAmong(noun, mine) && !theirs.some((other) => other !== noun && areAlike(other, noun));
  });
