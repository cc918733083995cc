import type { Amount } from '@lib/language/reading/amount';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord } from '@lib/language/reading/token';
import { countOf, countSharedContentWords } from '../alignment/same-word';
import { isSaidToBeSoNow } from '../claims/confidence';
import type { Claim } from '../claims/claim-table';
import { haveOneProvider, isShared } from '../claims/who-says';
import { areNegatedAlikeInAll, haveSameConditions } from '../difference/same-terms';
import { areEqual, areOfOneTime, tellsValuesOf } from '../difference/values';
import type { ClaimFeatures } from './claim-features';
import type { Remarks } from './remarks';

/** With fewer digits a figure may agree by chance: the year of something, or a count such as five. */
const DIGITS = 2;
/**
 * Least share of a claim that the other must also say. At this level 10 of 1,000 sentences that somebody turned into their opposite pass
 * (docs/confidence.md).
 */
const SHARE = 1 / 3;

/**
 * Claims of one provider of which another provider gives every figure and date, on the same point and in other words: what several providers remember
 * to the digit is mostly true. Nobody on that point may differ.
 */
export function confirmedByFigures(samePoint: ReadonlyMap<Claim, readonly Claim[]>, remarks: Remarks): ReadonlySet<Claim> {
  const confirmed = new Set<Claim>();
  for (const [first, others] of samePoint) {
    const group = [first, ...others];
    for (const claim of group) {
      const isKnown =
        !isShared(claim) && mayBeConfirmed(claim) && !group.some((other) => other !== claim && remarks.mayDiffer(claim, other));
      if (isKnown && group.some((other) => other !== claim && confirms(other, claim, remarks))) confirmed.add(claim);
    }
  }
  return confirmed;
}

/** Not for claims whose subject is unknown, which may be about something else, nor for "currently", which may be outdated. */
const mayBeConfirmed = ({ confidence, reading, supporting: [said] }: Claim): boolean =>
  confidence === 'low' && said?.leansOn === null && !said.isUnknown && !isSaidToBeSoNow(reading);

function confirms(other: Claim, claim: Claim, remarks: Remarks): boolean {
  const [own, their] = [claim.reading, other.reading];
  return (
    !haveOneProvider(claim, other) &&
    remarks.between(claim, other) === 'same figures' &&
    tellsValuesOf(their, own) &&
    areNegatedAlikeInAll(own, their) &&
    haveSameConditions(own, their) &&
    digitsStatedAlike(remarks.featuresOf(claim), remarks.featuresOf(other), remarks.asked) >= DIGITS &&
    countSharedContentWords(own, their, remarks.asked) >= SHARE * contentWordCount(own)
  );
}

const contentWordCount = ({ tokens }: Reading): number => countOf(tokens.filter(isContentWord));

/** Counts the digits of shared figures and dates that the question does not contain, each once. */
function digitsStatedAlike(one: ClaimFeatures, other: ClaimFeatures, asked: Reading): number {
  const figures = one.figures.filter((amount, place, all) => all.findIndex((earlier) => areEqual(earlier, amount)) === place);
  const dates = one.reading.dates.filter((date) => !asked.dates.some((day) => areOfOneTime(date, day)));
  return (
    sumOf(
      figures.filter((amount) => other.figures.some((their) => areEqual(amount, their))).map((amount) => digitsOf(one.reading, amount)),
    ) + sumOf(dates.filter((date) => other.reading.dates.some((day) => areOfOneTime(date, day))).map(partsOf))
  );
}

/** The significant digits of a number as written: 2 for 79,000, 3 for 97.2, 1 for "three years". */
function digitsOf({ tokens }: Reading, { from, to }: Amount): number {
  const values = tokens.slice(from, to).flatMap(({ word }) => word.numeral?.value ?? []);
  const digits = values.map((value) => String(value).replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length);
  return Math.max(1, ...digits);
}

/** A month counts as a digit, and so does a day. A year counts as one digit, not four, since the context mostly shows it. */
const partsOf = ({ month, day }: PartialDate): number => 1 + (month === null ? 0 : 1) + (day === null ? 0 : 1);

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
