import type { Reading } from '@lib/language/reading/reading';
import { countShared, isAmong } from '../difference/same-word';
import { deedsAt } from './deeds';
import type { Played } from './played';
import { rolesAt } from './roles';
import { areOfOtherTimes } from './values-told';

/** So many more words both have to tell, beside what plays the part. */
const MIN_SHARED = 2;
/** Of a row of many deeds no more are looked at. */
const MAX_PARTS = 6;

/** A claim with the parts that it tells of. */
interface WithParts {
  reading: Reading;
  parts: readonly Played[];
}

/** Whether two claims give one part to different ones: "designed by Turing himself" and "designed by Tommy Flowers", "died of leukaemia" and "of ovarian cancer". */
export const givePartToOthers = (one: WithParts, other: WithParts, asked: Reading): boolean =>
  // Asked first: most claims tell of no part, and a large job asks for twenty thousand pairs.
  one.parts.length > 0 &&
  other.parts.length > 0 &&
  !areOfOtherTimes(one.reading, other.reading) &&
  one.parts.some((mine) => other.parts.some((their) => areOthers(mine, their, asked)));

function areOthers(mine: Played, their: Played, asked: Reading): boolean {
  if (mine.part !== their.part || mine.by.some((token) => isAmong(token, their.by))) return false;
  const [less, more] = mine.object.length <= their.object.length ? [mine, their] : [their, mine];
  if (!less.object.every((token) => isAmong(token, more.object))) return false;
  return countShared(mine.beside, their.beside, asked) >= MIN_SHARED;
}

/** The parts that a sentence tells of. English. */
export function partsIn(reading: Reading): readonly Played[] {
  const parts: Played[] = [];
  for (let at = 0; at < reading.tokens.length && parts.length < MAX_PARTS; at += 1) {
    const deeds = deedsAt(reading, at);
    parts.push(...(deeds.length > 0 ? deeds : rolesAt(reading, at)));
  }
  return parts;
}
