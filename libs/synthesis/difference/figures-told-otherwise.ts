import type { Amount } from '@lib/language/reading/amounts';
import { stemOrStopWord } from '@lib/language/reading/lexicon';
import { periodBehind } from '@lib/language/reading/periods';
import type { Reading } from '@lib/language/reading/reading';
import type { Token } from '@lib/language/reading/token';
import { areEqual } from './values';

const UP = stemsOf(
  'up rise rose risen raise grow grew grown growth increase climb gain advance jump surge soar higher widen expand more add',
);
const DOWN = stemsOf(
  'down fall fell fallen drop decline decrease reduce cut lose lost shrink shrank shrunk narrow lower slip slide slid fewer less contract dip',
);
/** Whether of two sentences that tell the same figures the one goes from 12 to 19 % and the other from 19 to 12 %, or the one tells of a week and the other of a month. */
export const tellFiguresOtherwise = (one: Reading, other: Reading): boolean => exchangeEnds(one, other) || differInPeriod(one, other);

/** Whether the one goes up and the other down. */
export function moveAgainst({ tokens: one }: Reading, { tokens: other }: Reading): boolean {
  const [mine, theirs] = [movementsIn(one), movementsIn(other)];
  return mine.size === 1 && theirs.size === 1 && mine.isDisjointFrom(theirs);
}

const movementsIn = (tokens: readonly Token[]): ReadonlySet<string> =>
  new Set(tokens.flatMap(({ word }) => (UP.has(word.stem) ? ['up'] : DOWN.has(word.stem) ? ['down'] : [])));

/** What the one goes from the other goes to. */
const exchangeEnds = ({ amounts: mine }: Reading, { amounts: theirs }: Reading): boolean =>
  mine.some(
    (amount) => isEnd(amount) && theirs.some((other) => isEnd(other) && areEqual(amount, other) && amount.relation !== other.relation),
  );

const isEnd = ({ relation }: Amount): boolean => relation === 'from' || relation === 'to';

/** Whether they tell one figure, the one of a week and the other of a month. */
export const differInPeriod = (one: Reading, other: Reading): boolean =>
  one.amounts.some((amount) => {
    const mine = periodBehind(one.tokens, amount.to);
    return (
      mine !== null && other.amounts.some((theirs) => areEqual(amount, theirs) && (periodBehind(other.tokens, theirs.to) ?? mine) !== mine)
    );
  });

function stemsOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stemOrStopWord));
}
