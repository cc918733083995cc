import { isContentWord } from '@lib/language/reading/token';
import type { Reading } from '@lib/language/reading/reading';
import { countOf, countSharedContentWords, isAmong } from '../alignment/same-word';
import type { Claim } from '../claims/claim-table';
import { areOfOtherTimes, tellsValuesOf } from '../difference/values';
import type { Alike } from '../same-point/closest';
import type { Likeness } from '../same-point/likeness';
import type { Remarks } from '../same-point/remarks';

/** More shared words than this tell nothing new. */
const MOST_SHARED = 8;

/** What is measured of two claims. Yes is 1, no is 0. */
export interface PairMeasures {
  /** Cosine of their words without figures. */
  words: number;
  /** Cosine of all their terms. */
  terms: number;
  /** What `likenessOnPoints` makes of these, of meanings, shared figures and headings. */
  likeness: number;
  /** By how much their likeness exceeds that of either with the closest other claim of the other's report; below 0 if that one is closer. */
  lead: number;
  /** How many content words both have that the question has not. */
  shared: number;
  /** The share of the content words of the one with fewer that the other has too. */
  common: number;
  /** How many content words the one with fewer of them has alone. */
  lacking: number;
  otherTimes: number;
  /** Whether each tells all figures, dates and names of the other. */
  sameValues: number;
  /** Whether both have figures that the question has not. */
  figuresInBoth: number;
}

/** @param left, right positions of the two in `likeness` */
export function pairMeasures(
  [left, right]: readonly [number, number],
  likeness: Likeness,
  alike: Alike,
  remarks: Remarks,
): PairMeasures | null {
  const { claims } = likeness;
  const [claim, otherClaim] = [claims[left], claims[right]];
  if (!claim || !otherClaim) return null;
  const { asked } = remarks;
  const [one, other] = [claim.reading, otherClaim.reading];
  const [features, otherFeatures] = [remarks.featuresOf(claim), remarks.featuresOf(otherClaim)];
  return {
    words: likeness.cosineOfWords(left, right),
    terms: likeness.cosine(left, right),
    likeness: alike(left, right),
    lead: leadOf(left, right, claims, alike),
    shared: Math.min(MOST_SHARED, countSharedContentWords(one, other, asked)),
    ...wordsInBoth(one, other),
    otherTimes: numberOf(areOfOtherTimes(one, other)),
    sameValues: numberOf(tellsValuesOf(one, other) && tellsValuesOf(other, one)),
    figuresInBoth: numberOf(features.figures.length > 0 && otherFeatures.figures.length > 0),
  };
}

const numberOf = (is: boolean): number => (is ? 1 : 0);

function wordsInBoth({ tokens: mine }: Reading, { tokens: theirs }: Reading): Pick<PairMeasures, 'common' | 'lacking'> {
  const [own, others] = [mine.filter(isContentWord), theirs.filter(isContentWord)];
  const both = Math.min(countOf(own.filter((token) => isAmong(token, others))), countOf(others.filter((token) => isAmong(token, own))));
  const fewer = Math.min(countOf(own), countOf(others));
  return { common: both / Math.max(1, fewer), lacking: fewer - both };
}

function leadOf(left: number, right: number, claims: readonly Claim[], alike: Alike): number {
  const [own, others] = [stepOf(claims[left]), stepOf(claims[right])];
  let closest = 0;
  for (const [place, claim] of claims.entries()) {
    const step = stepOf(claim);
    if (place !== right && step === others) closest = Math.max(closest, alike(left, place));
    if (place !== left && step === own) closest = Math.max(closest, alike(place, right));
  }
  return alike(left, right) - closest;
}

const stepOf = (claim: Claim | undefined): string | undefined => claim?.supporting[0]?.stepId;
