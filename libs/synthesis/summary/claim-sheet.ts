import type { RecordedEvidence } from '@lib/domain/job/recorded-report';
import type { Confidence, ProviderId } from '@lib/domain/vocabulary';
import type { AcceptedProposals } from '../proposals/accepted';
import type { SynthesisInput } from '../synthesis';
import { confidenceShown } from '../report/outline';
import { findingsOf, type Findings } from '../synthesize';
import { providersOf } from '../claims/who-says';

/** A claim in the form in which a model may write about it. */
export interface SheetClaim {
  id: string;
  text: string;
  confidence: Confidence;
  saidBy: ProviderId[];
  /** Ids of the claims that say the opposite. */
  disputedBy: string[];
  /** Its evidence, with the citation numbers of its sources. */
  evidence: Pick<RecordedEvidence, 'stepId' | 'citationIndexes'>[];
}

/** By id, in the order of the claim table. */
export type ClaimSheet = ReadonlyMap<string, SheetClaim>;

export const sheetOf = (input: SynthesisInput, accepted: AcceptedProposals | null = null): ClaimSheet =>
  claimSheet(findingsOf(input, accepted));

/**
 * The claims that a model may write about. A disputed claim is only included together with its other side; if that is not in the claim table, the
 * dispute is only shown in the table of disputes.
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
