import type { Citation } from '@lib/domain/citation';
import { claimIdOf } from '@lib/domain/claim-id';
import type { RecordedClaim, RecordedContradiction, RecordedEvidence } from '@lib/domain/job/recorded-report';
import { MEASURED_CONFIDENCE } from '@lib/domain/measured-confidence';
import type { ClaimEvidenceView, ClaimListItemView, ClaimSourceView } from './claim.view';
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

/** @param claims of the same job, including the other side of a contradiction */
export function evidenceOf(
  jobId: string,
  claim: RecordedClaim,
  claims: readonly RecordedClaim[],
  citations: CitationsOfSteps,
): ClaimEvidenceView[] {
  const opposedQuotes = claim.supporting.map(({ quote }) => quote);
  return [
    ...claim.supporting.map((evidence) => ({
      relation: 'supports' as const,
      ...quoted(evidence, citations),
      cue: null,
      opposedQuotes: [],
      opposingClaimId: null,
    })),
    ...claim.contradicting.map((evidence) => ({
      relation: 'contradicts' as const,
      ...quoted(evidence, citations),
      // Schema version 1 of the event has none.
      cue: (evidence as Partial<RecordedContradiction>).cue ?? null,
      opposedQuotes,
      opposingClaimId: supportedBy(jobId, evidence, claims),
    })),
  ];
}

const quoted = (evidence: RecordedEvidence, citations: CitationsOfSteps) => ({
  provider: evidence.provider,
  stepId: evidence.stepId,
  quote: evidence.quote,
  startIndex: evidence.start,
  endIndex: evidence.end,
  citations: citedBy(evidence, citations),
});

function supportedBy(jobId: string, { stepId, start, end }: RecordedEvidence, claims: readonly RecordedClaim[]): string | null {
  const isSame = (other: RecordedEvidence) => other.stepId === stepId && other.start === start && other.end === end;
  const place = claims.findIndex(({ supporting }) => supporting.some(isSame));
  return place < 0 ? null : claimIdOf(jobId, place + 1);
}

/** The citations of the quote, as its report lists them. */
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
