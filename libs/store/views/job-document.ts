import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import type { JobState } from '@lib/domain/job/state';
import type { StepState } from '@lib/domain/job/step';
import { centsFromMicros } from '@lib/domain/money';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { JobContents } from '../sealing/job-contents';
import { failureOf } from './explain-failure';
import type { ClaimView, JobView } from './job.view';
import type { StepView } from './step.view';

/** A final job exactly as the contract shows it; null if its content was erased. */
export async function jobDocument(jobId: string, state: JobState, contents: JobContents): Promise<JobView | null> {
  const query = await contents.question();
  return query === null ? null : finalJobDocument(jobId, state, contents, query);
}

/** @param query the research question; empty where the content was erased */
export async function finalJobDocument(jobId: string, state: JobState, contents: JobContents, query: string): Promise<JobView> {
  const [synthesis, steps] = await Promise.all([
    contents.synthesis(state),
    Promise.all(state.steps.map((step) => stepView(step, state, contents))),
  ]);
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
    steps,
  };
}

/** Each provider once, in the order of their names. */
export const providersOf = (evidence: readonly { provider: ProviderId }[]): ProviderId[] => {
  const providers: ProviderId[] = [];
  for (const { provider } of evidence) if (!providers.includes(provider)) providers.push(provider);
  return providers.sort();
};

const claimView = ({ claim, confidence, supporting, contradicting }: RecordedClaim): ClaimView => ({
  claim,
  confidence,
  supportingProviders: providersOf(supporting),
  contradictingProviders: providersOf(contradicting),
});

async function stepView(step: StepState, state: JobState, contents: JobContents): Promise<StepView> {
  const [report, errorMessage] = await Promise.all([contents.report(step), contents.errorMessage(step)]);
  return {
    id: step.stepId,
    provider: step.entry.provider,
    status: step.status,
    reportMarkdown: report?.reportMarkdown ?? '',
    citations: report?.citations ?? [],
    durationSeconds: step.startedAt ? secondsBetween(step.startedAt, step.completedAt) : 0,
    errorMessage: failureOf(step, state, errorMessage),
    createdAt: step.plannedAt,
    completedAt: step.completedAt ?? state.completedAt ?? step.plannedAt,
  };
}

export const secondsBetween = (from: string, to: string | null): number =>
  to === null ? 0 : Math.round((Date.parse(to) - Date.parse(from)) / 1000);
