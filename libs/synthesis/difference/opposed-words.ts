import { PARTS_OF_TIME } from '@lib/language/reading/periods';
import { stemOrStopWord, stemsOf } from '@lib/language/reading/lexicon';
import { isMonth, sameDates } from '@lib/language/reading/dates';
import { sameName } from '@lib/language/reading/names';
import { FALLING, MOVING, RISING } from '@lib/language/reading/movements';
import { areOpposite, areSiblings, excludeEachOther } from '@lib/language/reading/opposites';
import type { Reading } from '@lib/language/reading/reading';
import { isFiniteOrPast, isNameWord, isContentWord, textAt, type Token } from '@lib/language/reading/token';
import { isDeniedAt } from './denials';
import { isAmong, meanTheSame } from '../alignment/same-word';
import { stemInContext } from './stem-in-context';
import { areEqual, areOfOtherTimes } from './values';

/** Words used of so many things that opposition means little; denials are checked elsewhere. */
const UNOPPOSED = new Set(
  `never ever give gave given take taken took takes gives level levels supply supplies demand demands analysis synthesis starting stopping followed child
children parent parents`.split(/\s+/),
);
/** Of a single matter, such as an inquiry or a match, only one of these holds, though in general both may. */
const OUTCOMES = stemsOf('open close win lose gain');
/** In a single deal a party does only one of these. */
const TRADING = stemsOf('buy acquire sell');
/** How many content words before and after a word show what it is about. */
const MAX_WORDS_BESIDE = 3;
/** Most words from a word to the "less" behind it. */
const MAX_WORDS_TO_LESS = 3;

/**
 * Whether a word of one statement excludes a word of the other, both stand beside a shared word, and neither statement has both. Two verbs may
 * instead have the same name as subject, if that is not in the question: "Fenoglio resigned" and "Fenoglio, the mayor, clung to his office".
 *
 * @param asked the question; null when a dispute proposed by a model is checked, since then a shared name shows too little
 */
export function standAgainstEachOther(one: Reading, other: Reading, asked: Reading | null): boolean {
  const [left, right] = [one.tokens, other.tokens];
  const [told, others] = [left.map(stemInContext), right.map(stemInContext)];
  const isOfOneName = asked !== null && beginWithOneName(one, other, asked);
  const [opposing, opposed] = [opposable(left, told), opposable(right, others)];
  return opposing.some((mine) =>
    opposed.some(
      (yours) =>
        areOpposite(mine.stem, yours.stem) &&
        (excludeEachOther(mine.stem, yours.stem) ||
          OUTCOMES.has(mine.stem) ||
          (TRADING.has(mine.stem) && tradeOneThing(one, mine.at, other, yours.at))) &&
        !says(right, others, mine) &&
        !says(left, told, yours) &&
        !tellsBoth(opposed, yours) &&
        !tellsBoth(opposing, mine) &&
        !onlyTellWhen(left, mine, right, yours) &&
        !(MULTIPLES.has(mine.stem) && isFiniteOrPast(mine.token) && !areMultiplesOfOne(one, mine.at, other, yours.at)) &&
        !isShareOf(mine, yours) &&
        !(mine.token.word.text === 'alone' && !isOfNames(one, mine.at, other)) &&
        !(yours.token.word.text === 'alone' && !isOfNames(other, yours.at, one)) &&
        !(moves(mine) && moves(yours) && (movesAsWell(left, yours) || movesAsWell(right, mine))) &&
        isLess(left, mine.at) === isLess(right, yours.at) &&
        (!COUNTING.has(mine.token.word.text) || areOfOneThing(left, mine.at, right, yours.at)) &&
        !(SWAPPING.has(mine.token.word.stem) && SWAPPING.has(yours.token.word.stem) && areOfOthers(left, mine.at, right, yours.at)) &&
        (haveOneBeside(left, mine.at, right, yours.at) || (isOfOneName && isFiniteOrPast(mine.token) && isFiniteOrPast(yours.token))),
    ),
  );
}

/** A word at its index, with its stem in context. */
interface StatedWord {
  token: Token;
  at: number;
  stem: string;
}

/** A noun behind these only tells when: "before death". */
const BEFORE_EVENT = new Set('before after until till upon'.split(' '));

/** @param told the stem in context of each token */
const opposable = (tokens: readonly Token[], told: readonly string[]): StatedWord[] =>
  tokens.flatMap((token, at) => {
    const { word, isCapitalised } = token;
    const stem = told[at] ?? '';
    if (word.isStopWord || (word.isLight && stem === word.stem) || UNOPPOSED.has(word.text)) return [];
    if (BEFORE_EVENT.has(textAt(tokens, at - 1)) && !word.verb.endsInIng) return [];
    return (isCapitalised && at > 0) || isDeniedAt(tokens, at) ? [] : [{ token, at, stem }];
  });

function beginWithOneName({ names: mine }: Reading, { names: theirs }: Reading, asked: Reading): boolean {
  const [one, other] = [mine[0], theirs[0]];
  if (one === undefined || other === undefined || !sameName(one.parts, other.parts)) return false;
  return !one.tokens.some(({ word }) => asked.stems.has(word.stem));
}

/** Whether one word stands near both: "Met its primary endpoint" and "missed the endpoint", "the bond passed" and "voters rejected the bond". */
function haveOneBeside(left: readonly Token[], at: number, right: readonly Token[], place: number): boolean {
  const theirs = beside(right, place);
  return beside(left, at).some((token) => isAmong(token, theirs));
}

/**
 * Whether the word is one of direction. If a sentence has several, each may be about a different thing: "Glucose fell and the time in range rose" and
 * "raised the time in range".
 */
const moves = ({ stem }: StatedWord): boolean => RISING.has(stem) || FALLING.has(stem) || MOVING.has(stem);
const movesAsWell = (tokens: readonly Token[], { stem }: StatedWord): boolean =>
  [RISING_OR_RAISING, FALLING_OR_CUTTING].some(
    (way) =>
      way.has(stem) &&
      tokens.some(({ word }) => (word.verb.isPastForm && way.has(word.stem)) || (way === RISING_OR_RAISING && word.stem === RECORD)),
  );
const RISING_OR_RAISING: ReadonlySet<string> = RISING.union(stemsOf('raise lift up'));
/** "Reached a record" also means a rise. */
const RECORD = stemOrStopWord('record');
const FALLING_OR_CUTTING: ReadonlySet<string> = FALLING.union(stemsOf('cut reduce lower down'));

/** Whether both words only name parts of a period: "early in 1953" and "in late February", not too early or too late. */
const onlyTellWhen = (left: readonly Token[], mine: StatedWord, right: readonly Token[], yours: StatedWord): boolean =>
  [mine, yours].every(({ token }) => PARTS_OF_TIME.has(token.word.text)) && (isBeforeDate(left, mine.at) || isBeforeDate(right, yours.at));
const isBeforeDate = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(at + 1, at + 4).some(({ word }) => isMonth(word.text) || /^(?:1\d|20)\d\ds?$/.test(word.text));

/** Whether a statement has both opposites, so it is unknown which one the other refers to: "Lost in January, and won later". */
const tellsBoth = (words: readonly StatedWord[], { stem }: StatedWord): boolean =>
  words.some((word) => areOpposite(word.stem, stem) && !areSiblings(word.stem, stem));

/** Whether "less" reverses the word: "less certain" means uncertain, and "encouraged a less assertive stance" means discouraged. */
const isLess = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.word.text === 'less' || tokens.slice(at + 1, at + 1 + MAX_WORDS_TO_LESS).some(({ word }) => LESSENING.has(word.text));
const LESSENING = new Set('less fewer lower reduced'.split(' '));

/** Counting words only conflict before the same noun: "a single photograph" and "the double helix". */
const COUNTING = new Set('single double triple dual sole'.split(' '));
function areOfOneThing(left: readonly Token[], at: number, right: readonly Token[], place: number): boolean {
  const [mine, yours] = [left[at + 1], right[place + 1]];
  return mine !== undefined && yours !== undefined && meanTheSame(mine.word, yours.word);
}

/** In one game or deal, each of these applies to one party and its opposite to the other. */
const SWAPPING = stemsOf('win winner victory lose loser gain beat defeat buy sell lend borrow hire');

/** Whether the words before differ, so the parties do too: "Ulm lost to Bonn" and "Bonn won". */
const areOfOthers = (left: readonly Token[], at: number, right: readonly Token[], place: number): boolean => {
  const theirs = right.slice(0, place).filter(isContentWord);
  return !left.slice(0, at).some((token) => isContentWord(token) && isAmong(token, theirs));
};

/** Multiples, which exclude each other for the same thing and time: "doubled" and "tripled". */
const MULTIPLES = stemsOf('double triple quadruple halve');
function areMultiplesOfOne(one: Reading, at: number, other: Reading, place: number): boolean {
  const [mine, yours] = [
    one.tokens.slice(0, at).filter(isContentWord).slice(-2),
    other.tokens.slice(0, place).filter(isContentWord).slice(-2),
  ];
  return mine.length > 0 && mine.every((token) => isAmong(token, yours)) && sameDates(one.dates, other.dates);
}

/** Whether "share" means a portion, not sharing: "holds more alone" and "has the largest share". */
const isShareOf = (mine: StatedWord, yours: StatedWord): boolean =>
  [mine, yours].some(({ token }) => token.word.text === 'share') && [mine, yours].some(({ token }) => token.word.text === 'alone');

/** Whether "alone" refers to a name, in the same year: "Holt alone" beside "Holt and Fenn shared". */
const isOfNames = (one: Reading, at: number, other: Reading): boolean => isNameWord(one.tokens[at - 1]) && !areOfOtherTimes(one, other);

/**
 * Whether both statements are about one deal, with the same party and sum: "Nokia sold its half of the venture for €1.7 billion" and "Nokia bought
 * the half for €1.7 billion".
 */
const tradeOneThing = (one: Reading, at: number, other: Reading, place: number): boolean => {
  const [mine, yours] = [one.tokens.slice(0, at).findLast(isContentWord), other.tokens.slice(0, place).findLast(isContentWord)];
  const isOneParty = mine !== undefined && yours !== undefined && meanTheSame(mine.word, yours.word);
  const isOneThing = one.tokens.slice(at + 1).some((token) => isContentWord(token) && isAmong(token, other.tokens.slice(place + 1)));
  if (!isOneParty || !isOneThing || areOfOtherTimes(one, other)) return false;
  return one.amounts.some((sum) => sum.unit !== '' && other.amounts.some((their) => areEqual(sum, their)));
};

const beside = (tokens: readonly Token[], at: number): Token[] => [
  ...tokens.slice(0, at).filter(isContentWord).slice(-MAX_WORDS_BESIDE),
  ...tokens
    .slice(at + 1)
    .filter(isContentWord)
    .slice(0, MAX_WORDS_BESIDE),
];

/** Whether some tokens contain a word or a synonym, judged by the stems in context `told`. */
const says = (tokens: readonly Token[], told: readonly string[], { token: { word }, stem }: StatedWord): boolean =>
  tokens.some((other, at) => told[at] === stem || (stem === word.stem && told[at] === other.word.stem && meanTheSame(other.word, word)));
