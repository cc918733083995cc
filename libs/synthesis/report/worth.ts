import type { Confidence } from '@lib/domain/vocabulary';
import type { Claim } from '../claims/claim-table';
import type { Closeness } from './relevance';
import { providersOf } from '../claims/who-says';
import { selectDiverse } from './selection';

const TRUST: Readonly<Record<Confidence, number>> = { high: 1, medium: 0.8, low: 0.6 };
/** Factor for a claim that may be contradicted, so that a lone voice does not rank above an undisputed claim. */
const DIFFERING = 0.75;
/** Factor for a claim that another provider likely makes too, or whose figures another also has. */
const ALSO_STATED = 1.2;
/** What each further provider on the same point adds. */
const VOICE = 0.25;

/** The beginning of a report usually is its answer: in UTF-16 units. */
export const LEAD_LENGTH = 350;
/** Factor for a sentence there, if it is worth enough already. */
const LEAD = 1.2;

/** How claims compare with others on the same point, as shown to the reader. */
interface Seen {
  differing: ReadonlyMap<Claim, unknown>;
  alsoStated: ReadonlySet<Claim>;
}

/** Selects the best of some claims, in the order of `claims`, leaving out those below a share of the best one's worth. */
export type Select = (some: readonly Claim[], most: number, share?: number) => Claim[];

export interface Selector {
  select: Select;
  worthOf: (claim: Claim) => number;
  /** What it is worth regardless of the question, about 1 at most. */
  standingOf: (claim: Claim) => number;
}

export function selectorOf(
  { relevanceOf, cosineOf }: Closeness,
  { differing, alsoStated }: Seen,
  samePoint: ReadonlyMap<Claim, readonly Claim[]>,
): Selector {
  const voices = new Map([...samePoint].map(([claim, others]) => [claim, 1 + VOICE * othersOf(claim, others)]));
  const standingOf = (claim: Claim): number =>
    TRUST[claim.confidence] * (voices.get(claim) ?? 1) * (differing.has(claim) ? DIFFERING : alsoStated.has(claim) ? ALSO_STATED : 1);
  const worthOf = (claim: Claim): number => relevanceOf(claim) * standingOf(claim);
  const select: Select = (some, most, share = 0) => {
    const least = share * Math.max(0, ...some.map(worthOf));
    const worthy = some.filter((claim) => worthOf(claim) >= least);
    const worths = worthy.map((claim) => worthOf(claim) * (isLead(claim) ? LEAD : 1));
    const likeness = (left: number, right: number): number => cosineOf(worthy[left], worthy[right]);
    return selectDiverse(worths, likeness, most).flatMap((position) => worthy[position] ?? []);
  };
  return { select, worthOf, standingOf };
}

/** How many providers mention the point without making this claim. */
function othersOf({ supporting }: Claim, others: readonly Claim[]): number {
  return new Set(others.flatMap((other) => providersOf(other.supporting))).difference(new Set(providersOf(supporting))).size;
}

const isLead = ({ supporting }: Claim): boolean => supporting.some(({ start, quotation }) => quotation === null && start < LEAD_LENGTH);
