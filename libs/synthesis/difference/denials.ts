import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isNegationAt } from '@lib/language/reading/polarity';
import { isFiniteVerbAt } from '@lib/language/reading/verbs';
import { isContentWord, isFiniteOrPast, textAt, type Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';
import { isSuperlative } from './superlatives';

/** Words for the top of an order: "nobody owns a larger one" says the same as "the largest". */
const TOPS = new Set('most least best worst first last main leading top record maximum limit'.split(' '));
const COMPARATIVE = new Set(
  `than ever other before above beyond over exceed exceeding as more larger bigger smaller higher lower longer shorter older younger better worse greater faster slower earlier later deeper taller
stronger heavier richer cheaper wider`.split(/\s+/),
);
/** A word with a negative prefix: "unrelated", "unauthenticated", but not "university". */
const PREFIXED = /^(?!uni|under|until|unless|uncle|nonetheless)(?:un|non)-?\p{L}{4,}$/u;
const DENYING = new Set(
  'acquit acquits acquitted acquittal innocent off barred out exempt failed refused rejected contraindicated inadvisable gone expired lost loses offline outage vacant vacancy unfilled limit limits restriction restrictions'.split(
    ' ',
  ),
);

/**
 * These mostly stand in affirmations ("without delay", "out of its depot", "at the end of 2019"), so they only count before what the other statement
 * denies, "without a permit" beside "had no permit", and never as nouns.
 */
const SELDOM_DENYING = new Set('without out end limit limits'.split(' '));
/** How many content words after each of the two are looked at. */
const NEAR_WORDS = 2;

/** Whether both statements deny, or neither. A denial may be worded as a negation, by a denying word, or by a superlative. */
export function denyAlike(one: Reading, other: Reading): boolean {
  const [mine, yours] = [isDenied(one), isDenied(other)];
  if (mine === yours) return true;
  const [denied, told] = mine ? [one, other] : [other, one];
  // If the denial repeats a denying word, that word does not count: "can no longer refuse" denies "can refuse without a reason".
  const isRepeated = told.tokens.some((token) => repeats(token, denied));
  const deniesToo = (token: Token, at: number): boolean =>
    denies(token) && !(isRepeated && (token.word.text === 'without' || repeats(token, denied))) && mayDeny(told.tokens, at, denied);
  return (
    told.tokens.some((token, at) => deniesToo(token, at) || standsEmpty(token, told.tokens[at + 1]) || isLeast(told.tokens, at)) ||
    (told.tokens.some(isTop) && denied.tokens.some(({ word }) => isComparative(word.text, told.tokens)))
  );
}

const repeats = (token: Token, { tokens }: Reading): boolean => denies(token) && token.word.text !== 'without' && isAmong(token, tokens);

function mayDeny(tokens: readonly Token[], at: number, denied: Reading): boolean {
  if (!SELDOM_DENYING.has(textAt(tokens, at))) return true;
  const next = tokens.slice(at + 1).filter(isContentWord);
  return (
    tokens[at - 1]?.word.text !== 'the' && next.slice(0, NEAR_WORDS).some((token) => isAmong(token, deniedIn(denied.tokens, NEAR_WORDS)))
  );
}

/** The first `most` content words after each negation. */
export const deniedIn = (tokens: readonly Token[], most: number): Token[] =>
  tokens.flatMap((_, at) =>
    isNegationAt(tokens, at)
      ? tokens
          .slice(at + 1)
          .filter(isContentWord)
          .slice(0, most)
      : [],
  );

/**
 * Whether a statement is denied. "Not published until 2017" means that it was published. Two negations only cancel out if no comma separates them.
 */
export function isDenied({ polarity, tokens }: Reading): boolean {
  const [first, second = first] = polarity.negations;
  if (first === undefined || second === undefined) return polarity.isNegatedInAll;
  if (tokens.slice(first).some(({ word }) => word.text === 'until')) return false;
  return polarity.isNegatedInAll || tokens.slice(first + 1, second + 1).some(({ before }) => (before & (COMMA | SEMICOLON)) !== 0);
}

export const denies = ({ word, isCapitalised }: Token): boolean =>
  !isCapitalised && (word.isDenying || DENYING.has(word.text) || PREFIXED.test(word.text));

/** "The least crowded palace" says nearly the same as "hardly crowded"; "at least" says something else. */
export const isLeast = (tokens: readonly Token[], at: number): boolean =>
  textAt(tokens, at) === 'least' && textAt(tokens, at - 1) !== 'at' && tokens[at + 1]?.word.isStopWord === false;

/** Whether "empty" is used as a predicate: "The post stood empty for a year", but not "an empty file". */
const standsEmpty = ({ word }: Token, next: Token | undefined): boolean => word.text === 'empty' && next?.word.isStopWord !== false;

/** A comparative that corresponds to a superlative in the other statement: "safer" beside "the safest". */
const isComparative = (word: string, told: readonly Token[]): boolean =>
  COMPARATIVE.has(word) || (word.endsWith('er') && told.some((token) => token.word.text === `${word.slice(0, -1)}st`));

const isTop = ({ word }: Token): boolean => TOPS.has(word.text) || isSuperlative(word.text);

/** Whether a word is denied: "not changed" means unchanged, and "unless you grant access" means not granted. */
export const isDeniedAt = (tokens: readonly Token[], at: number): boolean =>
  isNegationAt(tokens, at - 1) ||
  isNegationAt(tokens, at - 2) ||
  tokens.slice(Math.max(0, at - MAX_EXCEPTION_WORDS), at).some(({ word }) => EXCEPTING.has(word.text));

/** Most words from the one that excepts another to that. */
const MAX_EXCEPTION_WORDS = 3;
const EXCEPTING = new Set('unless except until without'.split(' '));

/**
 * Whether the negation only describes a thing: "A house that you cannot insulate". In "The vaccine that Kelm developed did not work" the verb of the
 * description stands before another one, which is denied.
 */
export function describesBy({ tokens, polarity: { negations } }: Reading): boolean {
  const [negation] = negations;
  if (negation === undefined) return false;
  const relative = tokens.slice(0, negation).findLastIndex(({ word }) => RELATIVES.has(word.text));
  const before = tokens[relative - 1];
  if (!before || before.word.isStopWord) return false;
  const isVerb = (at: number): boolean => isFiniteVerbAt(tokens, at) || (tokens[at] !== undefined && isFiniteOrPast(tokens[at]));
  // The word right before the negation may be its own auxiliary: "that you do not need".
  return !tokens.some((_, at) => at < negation - 1 && at !== relative && isVerb(at));
}
const RELATIVES = new Set(['that', 'which', 'who', 'whose', 'where']);
