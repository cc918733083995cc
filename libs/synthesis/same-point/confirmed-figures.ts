import type { Amount } from '@lib/language/reading/amounts';
import type { PartialDate } from '@lib/language/reading/partial-date';
import type { Reading } from '@lib/language/reading/reading';
import { isContentWord } from '@lib/language/reading/token';
import { countSharedContentWords } from '../alignment/same-word';
import { isSaidToBeSoNow } from '../claims/confidence';
import type { Claim } from '../claims/claim-table';
import { isShared } from '../claims/who-says';
import { areNegatedAlikeInAll, haveSameConditions } from '../difference/same-terms';
import { areEqual, areOfOneTime, tellsValuesOf } from '../difference/values';
import type { ClaimFeatures } from './claim-features';
import { haveOneProvider, type Remarks } from './remarks';

/** Fewer digits than these two may tell alike by chance: the year of something, or that there are five of it. */
const DIGITS = 2;
/** So much of what a claim tells the other tells too, at least: 10 of 1,000 sentences that somebody turned into their opposite pass (docs/confidence.md). */
const SHARE = 1 / 3;

/**
 * The claims of one provider whose every figure and date another provider tells as well, on the same point and in other words: what several
 * remember alike to the digit is mostly so. Nobody on that point tells it otherwise.
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

/** What nobody can place alone may be told of something else, and what is so "currently" may be so no longer. */
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

const contentWordCount = ({ tokens }: Reading): number => new Set(tokens.filter(isContentWord).map(({ word }) => word.stem)).size;

/** Of figures and dates that the question does not tell, each once. */
function digitsStatedAlike(one: ClaimFeatures, other: ClaimFeatures, asked: Reading): number {
  const figures = one.figures.filter((amount, place, all) => all.findIndex((earlier) => areEqual(earlier, amount)) === place);
  const dates = one.reading.dates.filter((date) => !asked.dates.some((day) => areOfOneTime(date, day)));
  return (
    sumOf(
      figures.filter((amount) => other.figures.some((their) => areEqual(amount, their))).map((amount) => digitsOf(one.reading, amount)),
    ) + sumOf(dates.filter((date) => other.reading.dates.some((day) => areOfOneTime(date, day))).map(partsOf))
  );
}

/** The digits that are more than places, as the number is written: 2 of 79,000, 3 of 97.2, 1 of "three years". */
function digitsOf({ tokens }: Reading, { from, to }: Amount): number {
  const values = tokens.slice(from, to).flatMap(({ word }) => word.numeral?.value ?? []);
  const digits = values.map((value) => String(value).replace('.', '').replace(/^0+/, '').replace(/0+$/, '').length);
  return Math.max(1, ...digits);
}

/** A month tells as much as a digit does, and so does a day. The year tells less than its four digits: most is known from what is spoken of. */
const partsOf = ({ month, day }: PartialDate): number => 1 + (month === null ? 0 : 1) + (day === null ? 0 : 1);

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
