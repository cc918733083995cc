import { committedMicros } from '@lib/domain/job/reservations';
import type { JobState } from '@lib/domain/job/state';
import { centsFromMicros } from '@lib/domain/money';

/** The job's row without its sealed document. It follows from the state alone, so that a replay gives the same row. */
export interface JobRow {
  id: string;
  tenantId: string;
  threadId: string;
  parentJobId: string | null;
  version: number;
  status: string;
  budgetTier: string;
  budgetCapCents: number;
  createdAt: string;
  completedAt: string | null;
  costCents: number;
  steps: StepProgress[];
}

/** A step's progress without content: `contentVersion` refers to the event that holds it. */
export interface StepProgress {
  id: string;
  provider: string;
  status: string;
  attempts: number;
  startedAt: string | null;
  completedAt: string | null;
  contentVersion: number | null;
  failure: string | null;
  /**
   * What the customer pays for the step. Absent from all steps while the job is open, and if anything was charged after its end, which the operator
   * pays.
   */
  chargedMicros?: number;
}

export const jobRow = (id: string, state: JobState): JobRow => ({
  id,
  tenantId: state.tenantId,
  threadId: state.threadId,
  parentJobId: state.parentJobId,
  version: state.version,
  status: state.status,
  budgetTier: state.budgetTier,
  budgetCapCents: state.budgetCapCents,
  createdAt: state.createdAt,
  completedAt: state.completedAt,
  costCents: centsFromMicros(state.totals?.chargedMicros ?? 0),
  steps: state.steps.map((step) => ({
    id: step.stepId,
    provider: step.entry.provider,
    status: step.status,
    attempts: step.attempts.length,
    startedAt: step.startedAt,
    completedAt: step.completedAt,
    contentVersion: step.contentVersion,
    failure: step.failure,
    ...(isChargedAsItEnded(state) && { chargedMicros: step.runs.reduce((sum, run) => sum + run.committedMicros, 0) }),
  })),
});

const isChargedAsItEnded = (state: JobState): boolean => committedMicros(state) === state.totals?.chargedMicros;
