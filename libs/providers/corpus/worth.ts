import type { Wanted } from './facets';
import { saysAmount } from './fit';
import type { Unit } from './unit';

/** What tells the unit that answers from the others of its question, beside its strength. */
export interface Signs {
  /** Share of the words asked for that the unit says itself, each counted alike. */
  says: number;
  /** What more of the question, by weight, stands in what it hangs on, its heading, the headings above and the name of its document. */
  around: readonly number[];
  /** Of its section among those found, from 0. */
  rank: number;
}

/**
 * Weights of the signs in the logarithm of a unit's worth, in that of its strength 1: fitted on the questions in `bench/questions/tuning` and
 * checked on each set in turn with those fitted on the others.
 */
const SAYS = 1.4;
const AROUND = [1.4, 1.3, 0.9, 1.5];
const RANK = -0.22;
/** For code where it is asked how something is done, and for a number where an amount is asked for. The fit says 1.7; less lets a line without a digit answer too. */
const CODE = 0.5;
const NUMBER = 1.3;

/** For choosing among units: how well one fits the question, raised by what the best of them have in common. */
export function worthOf(strength: number, { says, around, rank }: Signs, { code, text }: Unit, wanted: readonly Wanted[]): number {
  const stands = around.reduce((sum, share, place) => sum + share * (AROUND[place] ?? 0), 0);
  const shows = wanted.includes('code') && code ? CODE : 0;
  const counts = wanted.includes('amount') && saysAmount(text) ? NUMBER : 0;
  return strength * Math.exp(SAYS * says + stands + RANK * Math.log(1 + rank) + shows + counts);
}
