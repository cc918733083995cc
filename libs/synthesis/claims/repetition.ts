import { isWithin } from '@lib/language/sets';
import type { Reading } from '@lib/language/reading/reading';
import type { Group } from '../agreement/agreement';
import { addsTo } from '../agreement/addition';
import { mayAgree } from '../agreement/compatibility';
import { isSaidOtherwise } from '../agreement/said-otherwise';
import { turnsOnSmallWord } from '../agreement/small-words';
import { isSaidWholly } from '../agreement/said-wholly';
import type { Comparison } from '../comparison/comparison';
import { maySpeakOfOne } from '../comparison/headings';
import { saysNothingElse } from '../difference/leftover';
import { NONE, type Statement } from '../statement/statement';

/** A claim with at least this similarity to a listed one says nothing new. */
const REPEATED_COSINE = 0.75;

/** The first ranked claims, at most `most`, without uncontradicted ones that repeat an earlier one. */
export function withoutRepetition<Ranked extends { group: Group; claim: { contradicting: readonly Statement[] } }>(
  ranked: readonly Ranked[],
  { similarity, places, question }: Comparison,
  most: number,
): Ranked[] {
  const kept: Ranked[] = [];
  const listed: { theirs: Statement; other: number; group: Group }[] = [];
  for (const candidate of ranked) {
    if (kept.length === most) break;
    const mine = candidate.group[0];
    const place = places.get(mine);
    if (place === undefined) {
      kept.push(candidate);
      continue;
    }
    const isRepeated = listed.some(({ theirs, other, group }) => {
      // Otherwise what another report says would be in no claim.
      if (mine.stepId !== theirs.stepId && !areAmong(candidate.group, group)) return false;
      if (mine.isUnknown && mine.provider !== theirs.provider) return false;
      if (!isWithin(mine.reading.numbers, theirs.reading.numbers)) return false;
      if (theirs.leansOn !== mine.leansOn || !mayAgree(mine.reading, theirs.reading)) return false;
      if (addsTo(mine, theirs)) return false;
      if (similarity.cosine(other, place) < REPEATED_COSINE || !saysNoMore(mine.reading, theirs.reading)) return false;
      if (!maySpeakOfOne(mine, theirs)) return false;
      return mine.provider === theirs.provider || isSaidWholly(mine, theirs, question, NONE) || isSaidWholly(theirs, mine, question, NONE);
    });
    if (isRepeated && candidate.claim.contradicting.length === 0) continue;
    kept.push(candidate);
    listed.push({ theirs: mine, other: place, group: candidate.group });
  }
  return kept;
}

/** Whether each report of a claim supports the other claim too. */
const areAmong = (group: Group, other: Group): boolean => group.every(({ stepId }) => other.some((theirs) => theirs.stepId === stepId));

/** Claims with a difference that matters are both shown: "all farmers", "most farmers"; "only diabetics", "diabetics". */
const saysNoMore = (one: Reading, other: Reading): boolean =>
  one.wording === other.wording ||
  ((saysNothingElse(one, other) || saysNothingElse(other, one)) && !saysOtherwise(one, other) && !saysOtherwise(other, one));

const saysOtherwise = (one: Reading, other: Reading): boolean => isSaidOtherwise(one, other) || turnsOnSmallWord(one, other);
