import { areOpposite } from '@lib/language/reading/opposites';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { meanTheSame } from './same-word';

/** Told of most things, in one sense or another; denials are looked for elsewhere. */
const UNOPPOSED = new Set('never ever give given gave take taken took takes gives'.split(' '));

/** A word of the one excludes a word of the other, and neither says the other's word too. */
export function standAgainstEachOther({ tokens: left }: Reading, { tokens: right }: Reading): boolean {
  const mayOppose = ({ word, isCapitalised }: Token, at: number): boolean =>
    !word.isStopWord && !word.isLight && !UNOPPOSED.has(word.text) && !(isCapitalised && at > 0);
  return left.some(
    (mine, at) =>
      mayOppose(mine, at) &&
      !says(right, mine) &&
      right.some((yours, place) => mayOppose(yours, place) && areOpposite(mine.word.stem, yours.word.stem) && !says(left, yours)),
  );
}

const says = (tokens: readonly Token[], { word }: Token): boolean => tokens.some((other) => meanTheSame(other.word, word));
