import type { Citation } from '@lib/domain/citation';
import { claimIdOf } from '@lib/domain/claim-id';
import type { RecordedClaim, RecordedEvidence } from '@lib/domain/job/events';
import { MEASURED_CONFIDENCE } from '@lib/domain/measured-confidence';
import type { ClaimListItemView, ClaimSourceView } from './claim.view';
import { providersOf } from './job-document';

/** The citations of each report, by step. */
export type CitationsOfSteps = ReadonlyMap<string, readonly Citation[]>;

/** The steps whose citations a claim's sources come from. */
export const citedSteps = ({ supporting }: RecordedClaim): string[] =>
  supporting.flatMap(({ stepId, citationIndexes }) => (citationIndexes.length > 0 ? [stepId] : []));

/** @param place of the claim in the job's list, from 1 */
export function claimListItem(jobId: string, place: number, claim: RecordedClaim, citations: CitationsOfSteps): ClaimListItemView {
  return {
    id: claimIdOf(jobId, place),
    jobId,
    content: claim.claim,
    confidence: MEASURED_CONFIDENCE[claim.confidence],
    confidenceLevel: claim.confidence,
    supportingProviders: providersOf(claim.supporting),
    contradictingProviders: providersOf(claim.contradicting),
    sources: sourcesOf(claim.supporting, citations),
  };
}

/** What the quote cites, as its report lists it. */
const citedBy = ({ stepId, citationIndexes }: RecordedEvidence, citations: CitationsOfSteps): Citation[] =>
  (citations.get(stepId) ?? []).filter(({ index }) => citationIndexes.includes(index));

function sourcesOf(supporting: readonly RecordedEvidence[], citations: CitationsOfSteps): ClaimSourceView[] {
  const byUrl = new Map<string, ClaimSourceView>();
  for (const evidence of supporting) {
    for (const { url, title, domain, publishedAt } of citedBy(evidence, citations)) {
      const source = byUrl.get(url) ?? { url, title, domain, publishedAt, providers: [] };
      if (!source.providers.includes(evidence.provider)) source.providers.push(evidence.provider);
      byUrl.set(url, source);
    }
  }
  return [...byUrl.values()];
}
