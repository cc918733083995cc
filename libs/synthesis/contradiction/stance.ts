import { exclusiveOf } from '../lexicon';
import { isReversed } from './alignment';
import type { Reading, ReadWord } from './reading';

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
  if (isOpposite && !exclusiveOf(mine.stem).includes(yours.stem)) return null;
  return {
    isNegation: left.isNegated !== right.isNegated,
    isOpposite,
    isReversal: isOpposite ? reversedAt(left, mine, right, yours) : reversedAtShared(left, right),
  };
}

/** Something other than the stance would have to explain the difference. */
export function contradicts({ isNegation, isOpposite, isReversal }: Stance): boolean {
  return [isNegation, isOpposite, isReversal].filter(Boolean).length % 2 === 1;
}

function reversedAt(left: Reading, mine: ReadWord, right: Reading, yours: ReadWord): boolean {
  return isComparison(left, mine) && isComparison(right, yours) && isReversed(left, mine, right, yours);
}

/** The same comparison or the same one-sided verb, with its sides exchanged. */
function reversedAtShared(left: Reading, right: Reading): boolean {
  const pivot = left.words.find((word) => isComparison(left, word) && right.words.some(({ stem }) => stem === word.stem));
  const other = right.words.find(({ stem }) => stem === pivot?.stem);
  if (!pivot || !other || PASSIVE.test(left.text) !== PASSIVE.test(right.text)) return false;
  return isReversed(left, pivot, right, other);
}

function isComparison({ words }: Reading, word: ReadWord): boolean {
  return ONE_SIDED.has(word.stem) || (word.isDirection && words.some(({ text, start }) => text === 'than' && start > word.start));
}

function missingIn(words: readonly ReadWord[], others: readonly ReadWord[]): ReadWord[] {
  return words.filter(({ stem }) => !others.some((other) => other.stem === stem));
}
