import { exclusiveOf } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { isReversed } from './alignment';

/** How two statements of the same terms stand to each other; an even number of turns cancel out. */
export interface Stance {
  /** One is negated, and the other not. */
  isNegation: boolean;
  /** The pair of antonyms that they differ in. */
  isOpposite: boolean;
  /** What one says of A and B, the other says of B and A. */
  isReversal: boolean;
}

/** Verbs whose two sides are not the same. */
const ONE_SIDED = new Set(['exceed', 'defeat', 'beat', 'outnumb', 'outperform', 'surpass', 'win', 'lose']);
const PASSIVE = /\b(?:is|are|was|were|been|being)\s+(?:\p{L}+\s+)?\p{L}+(?:ed|en|n)\s+by\b/u;

/** Null where they differ in more than one pair of antonyms, or in words that are opposed though both can hold. */
export function stanceBetween(left: Reading, right: Reading): Stance | null {
  const onlyLeft = missingIn(left.directions, right.directions);
  const onlyRight = missingIn(right.directions, left.directions);
  if (onlyLeft.length > 1 || onlyRight.length > 1) return null;
  const [mine, yours] = [onlyLeft[0], onlyRight[0]];
  if ((mine === undefined) !== (yours === undefined)) return null;
  const isOpposite = mine !== undefined && yours !== undefined;
  if (isOpposite && !exclusiveOf(mine.word.stem).includes(yours.word.stem)) return null;
  return {
    isNegation: left.polarity.isNegated !== right.polarity.isNegated,
    isOpposite,
    isReversal: isOpposite ? reversedAt(left, mine, right, yours) : reversedAtShared(left, right),
  };
}

/** Something other than the stance would have to explain the difference. */
export function contradicts({ isNegation, isOpposite, isReversal }: Stance): boolean {
  return [isNegation, isOpposite, isReversal].filter(Boolean).length % 2 === 1;
}

function reversedAt(left: Reading, mine: Token, right: Reading, yours: Token): boolean {
  return isComparison(left, mine) && isComparison(right, yours) && isReversed(left, mine, right, yours);
}

/** The same comparison or the same one-sided verb, with its sides exchanged. */
function reversedAtShared(left: Reading, right: Reading): boolean {
  const pivot = left.words.find((token) => isComparison(left, token) && right.words.some(({ word }) => word.stem === token.word.stem));
  const other = pivot && right.words.find(({ word }) => word.stem === pivot.word.stem);
  if (!other || PASSIVE.test(left.text) !== PASSIVE.test(right.text)) return false;
  return isReversed(left, pivot, right, other);
}

function isComparison({ words }: Reading, { word, start }: Token): boolean {
  return ONE_SIDED.has(word.stem) || (word.isDirection && words.some((other) => other.word.text === 'than' && other.start > start));
}

function missingIn(words: readonly Token[], others: readonly Token[]): readonly Token[] {
  return words.length === 0 ? words : words.filter(({ word }) => !others.some((other) => other.word.stem === word.stem));
}
