import { haveCommon } from '@lib/language/sets';
import type { Claim } from '../claims/claim-table';
import { areApart, thingsHeldAgainst, thingsIn } from './asked-things';
import type { Likeness } from './likeness';
import { withClosest, type Alike, type Apart } from './closest';
import { pointGroups, type Fit } from './point-groups';
import { giveRoleToOthers } from './stated-roles';
import { contradictingPlainly } from './denial-between';
import { maySpeakOfOneThing, surelySpeakOfOneThing, surelySpeakOfOtherThings, type Remark } from './remark';
import { sharedFigures } from './shared-figures';
import type { ClaimFeatures } from './claim-features';
import { haveOneProvider, type Remarks } from './remarks';
import { tellOtherFigures } from './stated-values';
import { isShared, providersOf } from '../claims/who-says';

/** How alike two claims of different providers are on one point, at least. This and what follows was tried on reports that rules are tuned on. */
const SAME_POINT = 0.34;
/** What a figure that both tell adds to the cosine of their words. */
const FIGURE = 0.14;
const MAX_FIGURES = 2;
/** How much of the cosine of their meanings adds to that. */
const MEANING = 0.3;
/** Two that tell other figures are on one point by so much of the same words, or of the same meaning, at least. */
const SAME_WORDS = 0.28;
const SAME_MEANING = 0.53;
/** So alike, two are on one point whatever headings they stand below. */
const SURELY = 0.55;
/** A claim that is so alike one of a group joins it, though next to others of it one may doubt what they share. */
const STRONG = 0.5;
/** Two that give one role to different ones are on one point by so much. */
const SOME_WORDS = 0.18;
/** From here on a sentence of a provider repeats what stands above it as what several say, this provider among them. */
const REPEATED = 0.5;
/** A third claim joins a group only if it is at least so like every member. */
const THIRD = 0.14;

/**
 * Claims of different providers on the same point, in words that nothing shows to mean the same or to exclude each other: by the best of them, or by
 * the best that answers the question, the others. A reader is to compare them. Where the question holds things against each other, what is said of
 * one of them is never on one point with what is said of another.
 */
export function onSamePoint(likeness: Likeness, isAnAnswer: (claim: Claim) => boolean, remarks: Remarks): Map<Claim, readonly Claim[]> {
  const { claims } = likeness;
  const alike = likenessOnPoints(likeness, remarks);
  const pairs: [number, number][] = [];
  for (const right of claims.keys()) {
    for (let left = 0; left < right; left += 1) if (alike(left, right) >= SAME_POINT) pairs.push([left, right]);
  }
  pairs.sort((one, other) => alike(...other) - alike(...one));
  const groups = pointGroups(pairs, (left, right, pair) =>
    fit(claims[left], claims[right], alike(left, right), alike(...pair) >= STRONG ? null : remarks),
  );
  return new Map(
    withClosest(groups, claims.length, alike, apartIn(likeness, remarks)).flatMap((places) => {
      const group = places.toSorted((one, other) => one - other).flatMap((place) => claims[place] ?? []);
      const answering = group.filter(isAnAnswer);
      // What several say stands in a part of its own, not below what one says.
      const first = answering.find(isShared) ?? answering[0] ?? group[0];
      const others = group.filter((claim) => claim !== first && (!isShared(claim) || (first && isShared(first))));
      return first && others.length > 0 ? [[first, others] as const] : [];
    }),
  );
}

/** Of two that share few words and no figure, figures, times and opposites may be of two things; a denial or a role that is named is of one. */
const DOUBTFUL: ReadonlySet<Remark | null> = new Set<Remark>(['figures differ', 'dates differ', 'opposite words']);

/** Whether two claims can stand in one group. What one report says twice is no reason against it; what may differ has to be surely on one point. */
function fit(one: Claim | undefined, other: Claim | undefined, alike: number, remarks: Remarks | null): Fit {
  if (!one || !other) return 'no';
  if (alike >= SAME_POINT) return 'yes';
  if (alike < THIRD) return haveOneProvider(one, other) ? 'of one report' : 'no';
  const isDoubtful =
    remarks !== null &&
    sharedFigures(remarks.featuresOf(one).figuresAndDays, remarks.featuresOf(other).figuresAndDays) === 0 &&
    DOUBTFUL.has(remarks.between(one, other));
  return isDoubtful ? 'no' : 'yes';
}

/** They share next to no words, or tell other figures, dates or denials, but for what plainly contradicts. */
const apartIn =
  ({ claims, shareWords }: Likeness, remarks: Remarks): Apart =>
  (left, right) => {
    const [one, other] = [claims[left], claims[right]];
    return (
      !one ||
      !other ||
      !shareWords(left, right) ||
      (remarks.mayDiffer(one, other) && contradictingPlainly(one.reading, other.reading, remarks.asked) === null)
    );
  };

/** A claim with what is held against that of every other one. */
interface Known {
  place: number;
  claim: Claim;
  features: ClaimFeatures;
  isShared: boolean;
  providers: ReadonlySet<string>;
  things: ReadonlySet<number>;
}

/** From 0 on; 0 for claims of one provider, or of things that the question holds against each other. */
function likenessOnPoints(likeness: Likeness, remarks: Remarks): Alike {
  const things = thingsHeldAgainst(remarks.asked);
  const known = likeness.claims.map((claim, place): Known => ({
    place,
    claim,
    features: remarks.featuresOf(claim),
    isShared: isShared(claim),
    providers: new Set(providersOf(claim.supporting)),
    things: thingsIn(claim.reading, things),
  }));
  // All pairs in one array, those with the same higher place together: a row of its own for each would be grown many times.
  const found = new Float64Array((known.length * (known.length - 1)) / 2);
  let pair = 0;
  for (const right of known) {
    for (const left of known) {
      if (left === right) break;
      found[pair] = alikeOnPoint(left, right, likeness, remarks);
      pair += 1;
    }
  }
  return (one, other) => {
    const [left, right] = one < other ? [one, other] : [other, one];
    return left === right ? 0 : (found[(right * (right - 1)) / 2 + left] ?? 0);
  };
}

function alikeOnPoint(left: Known, right: Known, likeness: Likeness, remarks: Remarks): number {
  const mayRepeat = haveCommon(left.providers, right.providers);
  if ((mayRepeat && left.isShared === right.isShared) || areApart(left.things, right.things)) return 0;
  const words = likeness.cosineOfWords(left.place, right.place);
  const figures = Math.min(sharedFigures(right.features.figuresAndDays, left.features.figuresAndDays), MAX_FIGURES);
  const told = Math.max(words, likeness.cosine(left.place, right.place)) + FIGURE * figures;
  // Who shares no word and no figure with another may speak of anything.
  const meaning = told === 0 ? 0 : likeness.cosineOfMeanings(left.place, right.place);
  const alike = told + MEANING * meaning;
  if (mayRepeat && alike < REPEATED) return 0;
  if (alike >= SAME_POINT) {
    if (!maySpeakOfOneThing(right.claim, left.claim) && (told < SURELY || surelySpeakOfOtherThings(right.claim, left.claim))) return 0;
    const isDoubtful = told < SAME_WORDS && meaning < SAME_MEANING;
    return isDoubtful && remarks.between(right.claim, left.claim) === 'figures differ' ? told : alike;
  }
  const differ =
    tellOtherFigures(right.features.values, left.features.values) ||
    (told >= SOME_WORDS && giveRoleToOthers(right.features, left.features, remarks.asked));
  return differ && surelySpeakOfOneThing(right.claim, left.claim) ? SAME_POINT : alike;
}
