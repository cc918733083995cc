import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { toldIn, type Told } from './sides';

/** Of two names that stand in both the one does or owns what the other does or owns there: "A replaced B", "B replaced A". */
export function exchangesNames(left: Reading, right: Reading): boolean {
  if (haveNamesInOrder(left.tokens, right.tokens)) return false;
  const theirs = new Map(toldIn(right).map((told) => [told.token.word.stem, told]));
  const placed = toldIn(left).flatMap((one) => {
    const other = one.token.isCapitalised ? theirs.get(one.token.word.stem) : undefined;
    return other ? [{ mine: placeOf(one, left), yours: placeOf(other, right) }] : [];
  });
  return placed.some(
    ({ mine, yours }) =>
      mine !== '' && yours !== '' && mine !== yours && placed.some((other) => other.mine === yours && other.yours === mine),
  );
}

function haveNamesInOrder(mine: readonly Token[], theirs: readonly Token[]): boolean {
  let last = -1;
  for (const { word, isCapitalised } of mine) {
    if (!isCapitalised || word.isStopWord) continue;
    const place = theirs.findIndex((other) => other.word.text === word.text);
    if (place >= 0 && place < last) return false;
    last = Math.max(last, place);
  }
  return true;
}

/** What a name is: who does it, whom it is done to, or whose it is. */
function placeOf({ side, of }: Told, { tokens }: Reading): string {
  if (of >= 0) return `of ${tokens[of]?.word.stem ?? ''}`;
  return side === 'subject' ? 'same' : side;
}
