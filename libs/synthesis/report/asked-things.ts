import type { Reading } from '@lib/language/reading/reading';
import { listedIn } from '../subject/listed';

/** By the stem of a word that names one of several things which of them it names. */
export type Things = ReadonlyMap<string, number>;

const AGAINST = new Set('or vs versus than'.split(' '));

/** The things that a question holds against each other: "the Sony WH-1000XM6 or the Bose QuietComfort Ultra", "oat milk or soy milk"; none if there is but one. */
export function thingsHeldAgainst(question: Reading): Things {
  const things = new Map<string, number>();
  const listed = listedIn(question);
  const areNamed = question.tokens.some(({ word }) => AGAINST.has(word.text));
  for (const [thing, { tokens }] of question.names.entries()) {
    const stems = tokens.map(({ word }) => word.stem);
    if (areNamed || stems.some((stem) => listed.has(stem))) for (const stem of stems) things.set(stem, things.has(stem) ? SEVERAL : thing);
  }
  let next = question.names.length;
  for (const stem of listed) if (!things.has(stem)) things.set(stem, next++);
  return things;
}
/** What a word names that stands in the names of several. */
const SEVERAL = -1;

/** Whether each speaks of some of the things, and of none that the other speaks of. */
export function areOfOtherThings(one: Reading, other: Reading, things: Things): boolean {
  if (things.size === 0) return false;
  const [mine, yours] = [thingsIn(one, things), thingsIn(other, things)];
  return mine.size > 0 && yours.size > 0 && mine.isDisjointFrom(yours);
}

const thingsIn = ({ stems }: Reading, things: Things): ReadonlySet<number> =>
  new Set([...things].flatMap(([stem, thing]) => (thing !== SEVERAL && stems.has(stem) ? [thing] : [])));
