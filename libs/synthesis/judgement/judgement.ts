import { oneHoldsTheOther } from '@lib/language/sets';
import { areNegatedAlikeInAll } from '../difference/same-terms';
import { saidBy } from '../proposals/same-or-other';
import type { Alike } from '../same-point/closest';
import type { ComparedClaim } from '../same-point/claim-features';
import type { Likeness } from '../same-point/likeness';
import type { Remark } from '../same-point/remark';
import type { Remarks } from '../same-point/remarks';
import { pairMeasures, type PairMeasures } from './pair-measures';
import { CONTRADICTING, SAME, UNRELATED, type Weights } from './weights';

/**
 * How a reader would judge two claims, by what is measured of them. `make bench-judgement` fits the weights to pairs that readers judged, and shows how
 * often each judgement is right.
 */
export class Judgement {
  private readonly places: ReadonlyMap<ComparedClaim, number>;
  private readonly known = new Map<number, PairMeasures | null>();
  private readonly same = new Map<number, boolean>();

  constructor(
    private readonly likeness: Likeness,
    private readonly alike: Alike,
    private readonly remarks: Remarks,
  ) {
    this.places = new Map<ComparedClaim, number>(likeness.claims.map((claim, place) => [claim, place]));
  }

  /** Whether another provider likely says the same with the second claim, in words of its own. */
  areLikelyTheSame(one: ComparedClaim, other: ComparedClaim): boolean {
    const key = addsProvider(one, other) ? this.keyOf(one, other) : null;
    if (key === null) return false;
    let areSame = this.same.get(key);
    if (areSame === undefined) this.same.set(key, (areSame = this.saySameInOtherWords(one, other)));
    return areSame;
  }

  private saySameInOtherWords(one: ComparedClaim, other: ComparedClaim): boolean {
    const measures = this.measuresOf(one, other);
    return isLikely(SAME, measures, false) && this.mayBeTheSame(one, other) && (!areCopies(measures) || this.isSaidByOne(one, other));
  }

  /** Whether neither has a figure, name or denial that shows at once that they are not the same. */
  mayBeTheSame(one: ComparedClaim, other: ComparedClaim): boolean {
    const [mine, theirs] = [one.reading, other.reading];
    return (
      areNegatedAlikeInAll(mine, theirs) &&
      oneHoldsTheOther(mine.numbers, theirs.numbers) &&
      MAY_BE_THE_SAME.has(this.remarks.byRules(one, other)) &&
      this.remarks.modelsView(one, other) !== 'contradiction'
    );
  }

  /** Whether one says all that the other says, as far as the program can tell where a model claims it. */
  private isSaidByOne({ reading: one }: ComparedClaim, { reading: other }: ComparedClaim): boolean {
    const asked = this.remarks.asked.stems;
    return saidBy(one, other, asked) !== null || saidBy(other, one, asked) !== null;
  }

  /** Whether a remark that the two may conflict is likely right. */
  mayConflict(one: ComparedClaim, other: ComparedClaim): boolean {
    const measures = this.measuresOf(one, other);
    const mayTell = measures === null || measures.words >= DENYING || this.remarks.byRules(one, other) !== 'one denies it';
    return mayTell && isLikely(CONTRADICTING, measures, true);
  }

  /** Whether a reader would likely find nothing to compare, though they share words. Where anything is remarked on the two, there is something. */
  areUnrelated(one: ComparedClaim, other: ComparedClaim): boolean {
    return isLikely(UNRELATED, this.measuresOf(one, other), false) && this.remarks.between(one, other) === null;
  }

  /** Null if one of them is not among the compared claims. */
  measuresOf(one: ComparedClaim, other: ComparedClaim): PairMeasures | null {
    const key = this.keyOf(one, other);
    if (key === null) return null;
    let measures = this.known.get(key);
    if (measures === undefined) {
      const places: [number, number] = [key % this.places.size, Math.floor(key / this.places.size)];
      this.known.set(key, (measures = pairMeasures(places, this.likeness, this.alike, this.remarks)));
    }
    return measures;
  }

  /** The same for two claims in either order; null if one is not among the compared claims, or if they are one. */
  private keyOf(one: ComparedClaim, other: ComparedClaim): number | null {
    const [left, right] = [this.places.get(one), this.places.get(other)];
    if (left === undefined || right === undefined || left === right) return null;
    return Math.max(left, right) * this.places.size + Math.min(left, right);
  }
}

const addsProvider = ({ supporting: mine }: ComparedClaim, { supporting: theirs }: ComparedClaim): boolean =>
  theirs.some(({ provider }) => !mine.some((said) => said.provider === provider));

/** From this share of common words on, or where the shorter one has only one other, these or their order tell whether two claims are the same. */
const COPIED = 0.8;
const areCopies = (measures: PairMeasures | null): boolean => measures !== null && (measures.common >= COPIED || measures.lacking <= 1);

/** Least cosine of words where one claim denies the other: in other words it mostly denies something else. */
const DENYING = 0.35;

const MAY_BE_THE_SAME: ReadonlySet<Remark | null> = new Set<Remark | null>([null, 'same figures', 'same year']);

function isLikely({ bias, least, ...weights }: Weights, measures: PairMeasures | null, otherwise: boolean): boolean {
  return measures === null ? otherwise : chanceBy({ bias, ...weights }, measures) >= least;
}

/** The chance that logistic regression gives, from 0 to 1. */
export function chanceBy({ bias, ...weights }: Omit<Weights, 'least'>, measures: PairMeasures): number {
  let sum = bias;
  for (const [name, weight] of Object.entries(weights)) sum += weight * measures[name as keyof PairMeasures];
  return 1 / (1 + Math.exp(-sum));
}
