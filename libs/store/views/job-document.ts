import type { Citation } from '@lib/domain/citation';
import type { RecordedClaim } from '@lib/domain/job/events';
import type { JobState } from '@lib/domain/job/state';
import type { StepState } from '@lib/domain/job/step';
import { centsFromMicros } from '@lib/domain/money';
import type { ContentPlace } from '../sealing/contents';
import { explainFailure } from './explain-failure';
import type { ClaimView, JobView } from './job.view';
import type { StepView } from './step.view';

/** The contents that a finished job's document is made of, in this order: the query, the synthesis if any, each step's. */
export function documentContents(jobId: string, state: JobState): ContentPlace[] {
  const versions = [1, state.synthesisVersion, ...state.steps.map((step) => step.contentVersion)];
  return versions.filter((version) => version !== null).map((version) => ({ streamId: jobId, version, threadId: state.threadId }));
}

/** The job exactly as the contract shows it once it is final. `contents` are by event version. */
export function jobDocument(jobId: string, state: JobState, contents: ReadonlyMap<number, object>): JobView {
  const { query } = contents.get(1) as { query: string };
  const synthesis = contents.get(state.synthesisVersion ?? 0) as { markdown: string; claims: RecordedClaim[] } | undefined;
  return {
    id: jobId,
    threadId: state.threadId,
    status: state.status,
    budgetTier: state.budgetTier,
    budgetCapCents: state.budgetCapCents,
    query,
    synthesisMarkdown: synthesis?.markdown ?? null,
    synthesisClaimsJson: synthesis?.claims.map(claimView) ?? null,
    totalCustomerCostCents: centsFromMicros(state.totals?.chargedMicros ?? 0),
    durationSeconds: secondsBetween(state.createdAt, state.completedAt),
    createdAt: state.createdAt,
    completedAt: state.completedAt,
    steps: state.steps.map((step) => stepView(step, state, contents.get(step.contentVersion ?? 0))),
  };
}

const providersOf = (evidence: RecordedClaim['supporting']) => [...new Set(evidence.map(({ provider }) => provider))].sort();

const claimView = ({ claim, confidence, supporting, contradicting }: RecordedClaim): ClaimView => ({
  claim,
  confidence,
  supportingProviders: providersOf(supporting),
  contradictingProviders: providersOf(contradicting),
});

function stepView(step: StepState, state: JobState, content: object | undefined): StepView {
  const report = step.status === 'completed' ? (content as { reportMarkdown: string; citations: Citation[] }) : undefined;
  return {
    id: step.stepId,
    provider: step.entry.provider,
    status: step.status,
    reportMarkdown: report?.reportMarkdown ?? '',
    citations: report?.citations ?? [],
    durationSeconds: step.startedAt ? secondsBetween(step.startedAt, step.completedAt) : 0,
    errorMessage: report ? null : explainFailure(step, state, content),
    createdAt: state.createdAt,
    completedAt: step.completedAt ?? state.completedAt ?? state.createdAt,
  };
}

const secondsBetween = (from: string, to: string | null): number =>
  to === null ? 0 : Math.round((Date.parse(to) - Date.parse(from)) / 1000);
