import type { RecordedEvidence } from '@lib/domain/job/recorded-report';
import type { Confidence, ProviderId } from '@lib/domain/vocabulary';
import type { AcceptedProposals } from '../proposals/accepted';
import type { SynthesisInput } from '../synthesis';
import { confidenceShown } from '../report/outline';
import { findingsOf, type Findings } from '../synthesize';
import { providersOf } from '../claims/who-says';

/** A claim as a model may write about it. */
export interface SheetClaim {
  id: string;
  text: string;
  confidence: Confidence;
  saidBy: ProviderId[];
  /** Ids of the claims that say the opposite. */
  disputedBy: string[];
  /** Where its sources are named. */
  evidence: Pick<RecordedEvidence, 'stepId' | 'citationIndexes'>[];
}

/** By id, in the order of the claim table. */
export type ClaimSheet = ReadonlyMap<string, SheetClaim>;

export const sheetOf = (input: SynthesisInput, accepted: AcceptedProposals | null = null): ClaimSheet =>
  claimSheet(findingsOf(input, accepted));

/**
 * What a model may write about. A disputed claim is on it only beside its other side: one whose other side has no place in the claim
 * table stands in the table of disputes alone.
 */
export function claimSheet({ claims, outline }: Pick<Findings, 'claims' | 'outline'>): ClaimSheet {
  const tellable = claims.flatMap((claim): SheetClaim[] => {
    const against = new Set(claim.contradicting);
    const others = claims.filter(({ supporting }) => supporting.some((statement) => against.has(statement)));
    if (against.size > 0 && others.length === 0) return [];
    const { id, text } = claim;
    const saidBy = providersOf(claim.supporting);
    const evidence = claim.supporting.map(({ stepId, citationIndexes }) => ({ stepId, citationIndexes }));
    return [{ id, text, confidence: confidenceShown(claim, outline), saidBy, disputedBy: others.map((other) => other.id), evidence }];
  });
  return new Map(tellable.map((claim) => [claim.id, claim]));
}
