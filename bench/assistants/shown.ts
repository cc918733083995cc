import type { Claim } from '@lib/synthesis/claims/claim-table';
import type { Findings } from '@lib/synthesis/synthesize';

/** Where a sentence stands in a report, in UTF-16 units. */
export interface Place {
  stepId: string;
  start: number;
  end: number;
}

/** What a reader of a report sees of two sentences. */
export const SHOWN = ['told to differ', 'both', 'one of them', 'neither'] as const;
export type Shown = (typeof SHOWN)[number];

/** Whether the report shows a claim of each sentence, and whether it says that the two may not both be true. */
export function shownOf({ claims, outline }: Findings, one: Place, other: Place): Shown {
  const visible = new Set([
    ...outline.shown.flatMap((claim) => [claim, ...(outline.samePoint.get(claim) ?? []), ...(outline.twins.get(claim) ?? [])]),
    ...outline.disputed.map(({ claim }) => claim),
  ]);
  const [ones, others] = [one, other].map((place) => claims.filter((claim) => visible.has(claim) && isBehind(claim, place)));
  const isSideOf = (place: Place): boolean => claims.some(({ contradicting }) => contradicting.some((said) => isWithin(said, place)));
  if (ones?.some((claim) => opposes(claim, other)) || others?.some((claim) => opposes(claim, one))) return 'told to differ';
  const isTold = ones?.some((mine) => others?.some((theirs) => areComparedIn(outline, mine, theirs)));
  if (isTold) return 'told to differ';
  const seen = [ones?.length || isSideOf(one), others?.length || isSideOf(other)].filter(Boolean).length;
  return seen === 2 ? 'both' : seen === 1 ? 'one of them' : 'neither';
}

const areComparedIn = ({ samePoint, remarks }: Findings['outline'], one: Claim, other: Claim): boolean =>
  one !== other &&
  samePoint.entries().some(([first, group]) => [one, other].every((claim) => claim === first || group.includes(claim))) &&
  remarks.mayDiffer(one, other);

const opposes = ({ contradicting }: Claim, place: Place): boolean => contradicting.some((said) => isWithin(said, place));
const isBehind = ({ supporting }: Claim, place: Place): boolean => supporting.some((said) => isWithin(said, place));

/** Whether a statement and a sentence overlap. */
export const isWithin = (said: Place, { stepId, start, end }: Place): boolean =>
  said.stepId === stepId && said.start < end && said.end > start;
