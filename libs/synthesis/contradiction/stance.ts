import { reversingOf } from '@lib/language/reading/lexicon';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { areNegatedAlike } from '../difference/same-terms';

/** How two statements with the same terms relate; an even number of reversals cancel out. */
export interface Stance {
  /** Exactly one of them is negated. */
  isNegation: boolean;
  /** They differ in one pair of antonyms. */
  isOpposite: boolean;
  /** One says of A and B what the other says of B and A. */
  isReversal: boolean;
}

/** The usual case. */
const SIDE_BY_SIDE: Stance = { isNegation: false, isOpposite: false, isReversal: false };

/** Verbs with different roles on their two sides. */
const ONE_SIDED = new Set(['exceed', 'defeat', 'beat', 'outnumb', 'outperform', 'surpass', 'win', 'lose']);
const PASSIVE = /\b(?:is|are|was|were|been|being)\s+(?:\p{L}+\s+)?(?:\p{L}+(?:ed|en|n)\s+(?:[^\s,]+\s+){0,2}by|lost|won)\b/u;

/** Null if they differ in more than one pair of antonyms, or in opposites that can both hold. */
export function stanceBetween(left: Reading, right: Reading): Stance | null {
  const onlyLeft = missingIn(left.directions, right.directions);
  const onlyRight = missingIn(right.directions, left.directions);
  if (onlyLeft.length > 1 || onlyRight.length > 1) return null;
  const mine = onlyLeft[0];
  const yours = onlyRight[0];
  if ((mine === undefined) !== (yours === undefined)) return null;
  const isOpposite = mine !== undefined && yours !== undefined;
  if (isOpposite && !reversingOf(mine.word.stem).includes(yours.word.stem)) return null;
  const isNegation = !areNegatedAlike(left, right);
  const isReversal = isOpposite ? reversedAt(left, mine, right, yours) : reversedAtShared(left, right);
  return isNegation || isOpposite || isReversal ? { isNegation, isOpposite, isReversal } : SIDE_BY_SIDE;
}

/** Whether the statements contradict each other, as far as the stance shows. */
export function contradicts({ isNegation, isOpposite, isReversal }: Stance): boolean {
  return (isNegation !== isOpposite) !== isReversal;
}

function reversedAt(left: Reading, mine: Token, right: Reading, yours: Token): boolean {
  return isComparison(left, mine) && isComparison(right, yours) && isReversed(left, mine, right, yours);
}

/** Whether a shared comparison or one-sided verb has its sides exchanged. */
function reversedAtShared(left: Reading, right: Reading): boolean {
  let pivot: Token | undefined;
  let other: Token | undefined;
  for (let at = 0; at < left.words.length && !other; at += 1) {
    pivot = left.words[at];
    other = pivot && isComparison(left, pivot) ? withStem(right.words, pivot.word.stem) : undefined;
  }
  if (!pivot || !other || PASSIVE.test(left.text) !== PASSIVE.test(right.text)) return false;
  return isReversed(left, pivot, right, other);
}

/** Whether the words around the pivot have changed sides between the two sentences. */
function isReversed(left: Reading, leftPivot: Token, right: Reading, rightPivot: Token): boolean {
  let [kept, keptBefore, crossed, crossedNames] = [0, 0, 0, 0];
  for (const { word, start, isCapitalised } of left.words) {
    const other =
      word.isStopWord || word.stem === leftPivot.word.stem ? undefined : right.words.find((token) => token.word.stem === word.stem);
    if (!other) continue;
    const isBefore = start < leftPivot.start;
    if (isBefore === other.start < rightPivot.start) {
      kept += 1;
      if (isBefore) keptBefore += 1;
    } else {
      crossed += 1;
      if (isCapitalised && other.isCapitalised) crossedNames += 1;
    }
  }
  return (crossed >= 2 && crossed > kept) || (crossedNames >= 2 && keptBefore === 0);
}

function isComparison({ words }: Reading, { word, start }: Token): boolean {
  return ONE_SIDED.has(word.stem) || (word.isDirection && words.some((other) => other.word.text === 'than' && other.start > start));
}

function withStem(words: readonly Token[], stem: string): Token | undefined {
  return words.find(({ word }) => word.stem === stem);
}

function missingIn(words: readonly Token[], others: readonly Token[]): readonly Token[] {
  return words.length === 0 ? words : words.filter(({ word }) => !others.some((other) => other.word.stem === word.stem));
}
