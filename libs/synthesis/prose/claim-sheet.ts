import type { Confidence, ProviderId } from '@lib/domain/vocabulary';
import type { IdentifiedClaim } from '../synthesize';

/** A claim as a model may write about it. */
export interface SheetClaim {
  claim: IdentifiedClaim;
  id: string;
  text: string;
  confidence: Confidence;
  saidBy: ProviderId[];
  /** Ids of the claims that say the opposite. */
  disputedBy: string[];
}

/** By id, in the order of the claim table. */
export type ClaimSheet = ReadonlyMap<string, SheetClaim>;

/**
 * What a model may write about. A disputed claim is on it only beside its other side: one whose other side has no place in the claim
 * table stands in the table of disputes alone.
 */
export function claimSheet(claims: readonly IdentifiedClaim[]): ClaimSheet {
  const listed = claims.map((claim): SheetClaim => {
    const against = new Set(claim.contradicting);
    const others = claims.filter(({ supporting }) => supporting.some((statement) => against.has(statement)));
    const saidBy = [...new Set(claim.supporting.map(({ provider }) => provider))];
    return { claim, id: claim.id, text: claim.text, confidence: claim.confidence, saidBy, disputedBy: others.map(({ id }) => id) };
  });
  const tellable = listed.filter(({ claim, disputedBy }) => claim.contradicting.length === 0 || disputedBy.length > 0);
  return new Map(tellable.map((claim) => [claim.id, claim]));
}
