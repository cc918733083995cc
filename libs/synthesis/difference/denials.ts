import { COMMA, SEMICOLON } from '@lib/language/reading/characters';
import type { Reading } from '@lib/language/reading/reading';
import { isNegationAt } from '@lib/language/reading/polarity';
import { isContentWord, type Token } from '@lib/language/reading/token';
import { isAmong } from '../alignment/same-word';
import { isSuperlative } from './superlatives';

/** They say that there is but one at the top: "the largest" is said by "nobody owns a larger one" as well. */
const TOPS = new Set('most least best worst first last main leading top record maximum limit'.split(' '));
const COMPARATIVE = new Set(
  `than ever other before above beyond over exceed exceeding as more larger bigger smaller higher lower longer shorter older younger better worse greater faster slower earlier later deeper taller
stronger heavier richer cheaper wider`.split(/\s+/),
);
/** "Unrelated", "unauthenticated"; no "university". */
const PREFIXED = /^(?!uni|under|until|unless|uncle|nonetheless)(?:un|non)-?\p{L}{4,}$/u;
const DENYING = new Set(
  'acquit acquits acquitted acquittal innocent off barred out exempt failed refused rejected contraindicated inadvisable gone expired lost loses offline outage vacant vacancy unfilled limit limits restriction restrictions'.split(
    ' ',
  ),
);

/** Whether both deny what they tell, or neither: a denial on one side is told on the other by a denial, by a word that denies or by a superlative. */
export function denyAlike(one: Reading, other: Reading): boolean {
  const [mine, yours] = [isDenied(one), isDenied(other)];
  if (mine === yours) return true;
  const [denied, told] = mine ? [one, other] : [other, one];
  // Who "can no longer refuse" denies what "can refuse without a reason" tells.
  const isRepeated = told.tokens.some((token) => repeats(token, denied));
  const deniesToo = (token: Token): boolean => denies(token) && !(isRepeated && (token.word.text === 'without' || repeats(token, denied)));
  return (
    told.tokens.some((token, at) => deniesToo(token) || standsEmpty(token, told.tokens[at + 1])) ||
    (told.tokens.some(isTop) && denied.tokens.some(({ word }) => isComparative(word.text, told.tokens)))
  );
}

const repeats = (token: Token, { tokens }: Reading): boolean => denies(token) && token.word.text !== 'without' && isAmong(token, tokens);

/** The first words behind each denial that tell something, so many of each. */
export const deniedIn = (tokens: readonly Token[], most: number): Token[] =>
  tokens.flatMap((_, at) =>
    isNegationAt(tokens, at)
      ? tokens
          .slice(at + 1)
          .filter(isContentWord)
          .slice(0, most)
      : [],
  );

/** What was "not published until 2017" was published then. Two denials make none only where no comma stands between them. */
export function isDenied({ polarity, tokens }: Reading): boolean {
  const [first, second = first] = polarity.negations;
  if (first === undefined || second === undefined) return polarity.isNegatedInAll;
  if (tokens.slice(first).some(({ word }) => word.text === 'until')) return false;
  return polarity.isNegatedInAll || tokens.slice(first + 1, second + 1).some(({ before }) => (before & (COMMA | SEMICOLON)) !== 0);
}

export const denies = ({ word, isCapitalised }: Token): boolean =>
  !isCapitalised && (word.isDenying || DENYING.has(word.text) || PREFIXED.test(word.text));

/** "The post stood empty for a year", and not "an empty file". */
const standsEmpty = ({ word }: Token, next: Token | undefined): boolean => word.text === 'empty' && next?.word.isStopWord !== false;

/** "Safer" beside "the safest". */
const isComparative = (word: string, told: readonly Token[]): boolean =>
  COMPARATIVE.has(word) || (word.endsWith('er') && told.some((token) => token.word.text === `${word.slice(0, -1)}st`));

const isTop = ({ word }: Token): boolean => TOPS.has(word.text) || isSuperlative(word.text);

/** "Not changed" is "unchanged", and what holds "unless you grant access" is not granted. */
export const isDeniedAt = (tokens: readonly Token[], at: number): boolean =>
  isNegationAt(tokens, at - 1) ||
  isNegationAt(tokens, at - 2) ||
  tokens.slice(Math.max(0, at - NEAR), at).some(({ word }) => EXCEPTING.has(word.text));

/** So many words before one may except what it tells. */
const NEAR = 3;
const EXCEPTING = new Set('unless except until without'.split(' '));
