import type { ContradictionCue } from '@lib/domain/vocabulary';
import { differenceOf, mayDifferInSeveral, isSpecific, MIN_SHARED, MAX_BESIDES, MAX_DIFFERENCES } from './difference';
import { alignmentAt } from '../alignment/edits';
import type { Lone, Partings } from '../alignment/partings';
import { IS_OF, TELLS, type WordRow } from '../alignment/word-row';

/**
 * Why two statements cannot both hold, as `differenceBetween` finds it; null if no reason is found, which for most pairs shows early.
 * @param isSaidOfOne whether both follow the same sentences, which name their subject: that counts like a shared word
 */
export function conflictBetween(left: WordRow, right: WordRow, partings: Partings, isSaidOfOne: boolean): ContradictionCue | null {
  partings.read(left, right, isSaidOfOne ? 1 : 0);
  if (partings.moved < 1 && !mayConflict(partings, left, right)) return null;
  const difference = differenceOf(alignmentAt(partings, left, right), left.reading, right.reading);
  return difference === 'none' || difference === 'unclear' ? null : difference;
}

/** A cheap check by the marks of the words. False if the statements surely differ in nothing that matters, or in too many things. */
function mayConflict(partings: Partings, left: WordRow, right: WordRow): boolean {
  const { mine, yours, shared, moved } = partings;
  if (shared < MIN_SHARED || moved > 0) return false;
  let exchanged = 0;
  let telling = 0;
  let wordsBeside = 0;
  for (let parting = 0; parting < partings.count; parting += 1) {
    const mineKept = mine.keptIn(parting);
    const yoursKept = yours.keptIn(parting);
    if (mineKept > 0 && yoursKept > 0) exchanged += 1;
    else if (mineKept + yoursKept === 0) continue;
    else if (mayTell(mine, parting, left) || mayTell(yours, parting, right)) telling += 1;
    else if (isOfSubject(partings, parting, left, right) && (saysWhich(mine, parting, left) || saysWhich(yours, parting, right)))
      return false;
    else wordsBeside += mineKept + yoursKept;
  }
  if (exchanged + telling === 0 || exchanged > MAX_DIFFERENCES || wordsBeside > MAX_BESIDES) return false;
  return exchanged < 2 || mayDifferInSeveral({ left: left.reading, right: right.reading, shared });
}

/** Whether words added on one side may change the statement. */
function mayTell({ places, from }: Lone, parting: number, { marks }: WordRow): boolean {
  const end = from[parting + 1] ?? 0;
  for (let at = from[parting] ?? 0; at < end; at += 1) if (((marks[places[at] ?? 0] ?? 0) & (TELLS | IS_OF)) !== 0) return true;
  return false;
}

function isOfSubject({ leftFrom, rightFrom }: Partings, parting: number, left: WordRow, right: WordRow): boolean {
  return (leftFrom[parting] ?? 0) <= left.reading.subjectEnd && (rightFrom[parting] ?? 0) <= right.reading.subjectEnd;
}

function saysWhich({ places, isKept, from }: Lone, parting: number, { tokens }: WordRow): boolean {
  const end = from[parting + 1] ?? 0;
  for (let at = from[parting] ?? 0; at < end; at += 1) {
    const token = isKept[at] ? tokens[places[at] ?? 0] : undefined;
    if (token && isSpecific(token)) return true;
  }
  return false;
}
