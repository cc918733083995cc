import { haveCommon } from '@lib/language/sets';
import type { Claim } from '../claims/claim-table';
import { bothAnswer, onlyOneAnswers } from './answering-figure';
import { areApart, thingsHeldAgainst, thingsIn } from './asked-things';
import type { Likeness } from './likeness';
import { compareOtherwise } from './compared-otherwise';
import { dateDeedOtherwise } from './dated-deeds';
import { withClosest, type Alike, type Apart } from './closest';
import { pointGroups, type Fit } from './point-groups';
import { giveRoleToOthers } from './stated-roles';
import { contradictingPlainly } from './denial-between';
import { maySpeakOfOneThing, surelySpeakOfOneThing, surelySpeakOfOtherThings, type Remark } from './remark';
import { repeatQuestion } from './question-repeated';
import { sharedFigures } from './shared-figures';
import type { ClaimFeatures } from './claim-features';
import type { Remarks } from './remarks';
import { tellOtherFigures } from './stated-values';
import { withRecords } from './with-records';
import { haveOneProvider, isShared, providersOf } from '../claims/who-says';

/** Least similarity of two claims of different providers on the same point. All these values were tuned on the tuning reports. */
const SAME_POINT = 0.34;
/** What a shared figure adds to the cosine of the words. */
const FIGURE = 0.14;
const MAX_FIGURES = 2;
/** Weight of the cosine of meanings in the sum. */
const MEANING = 0.3;
/** Least similarity of words, or of meanings, for claims with different figures to be on the same point. */
const SAME_WORDS = 0.28;
const SAME_MEANING = 0.53;
/** From this similarity on, two claims are on the same point regardless of their headings. */
const SURELY = 0.55;
/** A claim this similar to one member joins its group, even if it shares less with the others. */
const STRONG = 0.5;
/** Least similarity of two claims that give one role to different holders, or one event different dates. */
const SOME_WORDS = 0.18;
/** From this similarity on, a provider's sentence repeats a shared claim above it that this provider also supports. */
const REPEATED = 0.5;
/** Stands for the similarity of two claims of which a model says that they agree or exclude each other: more than any that their words give. */
const BY_MODEL = 2;
/** A third claim joins a group only if it is at least this similar to every member. */
const THIRD = 0.14;

/**
 * Claims of different providers on the same point, if nothing shows that they mean the same or exclude each other. The best claim, or the best that
 * answers the question, is the key of the others; the reader compares them. If the question compares things, claims about different ones are never on
 * the same point.
 * @param alike `likenessOnPoints` of the claims
 */
export function onSamePoint(
  likeness: Likeness,
  alike: Alike,
  isAnAnswer: (claim: Claim) => boolean,
  remarks: Remarks,
): Map<Claim, readonly Claim[]> {
  const { claims } = likeness;
  const pairs: [number, number][] = [];
  for (const right of claims.keys()) {
    for (let left = 0; left < right; left += 1) if (alike(left, right) >= SAME_POINT) pairs.push([left, right]);
  }
  pairs.sort((one, other) => alike(...other) - alike(...one));
  const groups = pointGroups(pairs, (left, right, pair) =>
    alike(...pair) === BY_MODEL
      ? fitByModel(claims[left], claims[right])
      : fit(claims[left], claims[right], alike(left, right), alike(...pair) >= STRONG ? null : remarks),
  );
  const all = withRecords(withClosest(groups, claims.length, alike, apartIn(likeness, remarks)), claims, remarks);
  const inSeveral = inSeveralOf(all);
  return new Map(
    all.flatMap((places) => {
      // A row that stands in several groups is the key of none, unless there are only such rows.
      const inOrder = places.toSorted((one, other) => Number(inSeveral.has(one)) - Number(inSeveral.has(other)) || one - other);
      const group = inOrder.flatMap((place) => claims[place] ?? []);
      const answering = group.filter(isAnAnswer);
      // Shared claims have a section of their own and are not put below a claim of one provider.
      const first = answering.find(isShared) ?? answering[0] ?? group[0];
      if (!first) return [];
      const others = group.filter((claim) => claim !== first && (!isShared(claim) || isShared(first)));
      return others.some((claim) => isShared(first) || !haveOneProvider(first, claim)) ? [[first, others] as const] : [];
    }),
  );
}

/** The places that are in more than one group. */
function inSeveralOf(groups: readonly (readonly number[])[]): ReadonlySet<number> {
  const [once, several] = [new Set<number>(), new Set<number>()];
  for (const place of groups.flat()) (once.has(place) ? several : once).add(place);
  return several;
}

/**
 * If two claims share few words and no figure, different figures, times or opposites may concern different things; a denial or a named role concerns
 * the same one.
 */
const DOUBTFUL: ReadonlySet<Remark | null> = new Set<Remark>(['figures differ', 'dates differ', 'opposite words']);

/**
 * `yes` if two claims are alike enough. Below `THIRD`, claims of one report may only come along with others. In between, not if they may conflict and
 * share no figure.
 * @param remarks null where a conflict does not matter
 */
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

/** Joins what a model compares with one claim to all on its point, however unlike the words; two claims of one report only come along. */
const fitByModel = (one: Claim | undefined, other: Claim | undefined): Fit =>
  one && other && haveOneProvider(one, other) ? 'of one report' : 'yes';

/** Whether two claims share almost no words, or have different figures, dates or denials, unless they plainly contradict each other. */
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

/** A claim with the properties that comparisons need. */
interface Known {
  place: number;
  claim: Claim;
  features: ClaimFeatures;
  isShared: boolean;
  providers: ReadonlySet<string>;
  things: ReadonlySet<number>;
}

/**
 * How alike two claims are for `onSamePoint`. At least 0; exactly 0 for claims of the same provider, or about different things that the question
 * compares.
 * @param modelsView what a model says of two claims joins them, however unlike they are
 */
export function likenessOnPoints(likeness: Likeness, remarks: Remarks, modelsView = remarks.modelsView): Alike {
  const things = thingsHeldAgainst(remarks.asked);
  const known = likeness.claims.map((claim, place): Known => ({
    place,
    claim,
    features: remarks.featuresOf(claim),
    isShared: isShared(claim),
    providers: new Set(providersOf(claim.supporting)),
    things: thingsIn(claim.reading, things),
  }));
  // All pairs in a single array, grouped by the higher position, since separate rows would have to grow many times.
  const found = new Float64Array((known.length * (known.length - 1)) / 2);
  let pair = 0;
  for (const right of known) {
    for (const left of known) {
      if (left === right) break;
      found[pair] = modelsView(left.claim, right.claim) === null ? alikeOnPoint(left, right, likeness, remarks) : byModel(left, right);
      pair += 1;
    }
  }
  return (one, other) => {
    const [left, right] = one < other ? [one, other] : [other, one];
    return left === right ? 0 : (found[(right * (right - 1)) / 2 + left] ?? 0);
  };
}

const byModel = (left: Known, right: Known): number => (areApart(left.things, right.things) ? 0 : BY_MODEL);

function alikeOnPoint(left: Known, right: Known, likeness: Likeness, remarks: Remarks): number {
  if (areApart(left.things, right.things)) return 0;
  const mayRepeat = haveCommon(left.providers, right.providers);
  if (mayRepeat && left.isShared === right.isShared) return 0;
  const words = likeness.cosineOfWords(left.place, right.place);
  const figures = Math.min(sharedFigures(right.features.figuresAndDays, left.features.figuresAndDays), MAX_FIGURES);
  const told = Math.max(words, likeness.cosine(left.place, right.place)) + FIGURE * figures;
  // Without a shared word or figure, a similar meaning proves nothing.
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
    compareOtherwise(right.features.comparison, left.features.comparison) ||
    (told >= SOME_WORDS && dateDeedOtherwise(right.claim.reading, left.claim.reading)) ||
    (told >= SOME_WORDS && giveRoleToOthers(right.features, left.features, remarks.asked));
  const isCompared = differ || bothAnswer(left.features, right.features) || repeatsQuestion(right.features, left.features);
  return isCompared && surelySpeakOfOneThing(right.claim, left.claim) ? SAME_POINT : alike;
}

const repeatsQuestion = (one: ClaimFeatures, other: ClaimFeatures): boolean => repeatQuestion(one, other) && !onlyOneAnswers(one, other);
