import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@lib/domain/durations';
import type { JobState } from '@lib/domain/job/state';
import { isSettled, type StepState } from '@lib/domain/job/step';
import { microsFromCents, MICROS_PER_CENT } from '@lib/domain/money';

/** Why a step did not complete: the text of the recorded error, or the reason in words if there is none; and why no other try followed. */
export function explainFailure(step: StepState, job: JobState, errorMessage: string | null): string {
  const reason = errorMessage ?? reasonOf(step, job);
  const refusal = refusalOf(step, job);
  if (refusal === null) return reason;
  return `${/[.!?]\s*$/.test(reason) ? reason.trimEnd() : `${reason}.`} ${refusal}`;
}

/** Null for a step that did not fail, whether its report is still there or not. */
export const failureOf = (step: StepState, job: JobState, errorMessage: string | null): string | null =>
  isSettled(step) && step.status !== 'completed' ? explainFailure(step, job, errorMessage) : null;

function reasonOf(step: StepState, job: JobState): string {
  switch (step.failure) {
    case 'budget':
      return `Skipped: this provider needs at least ${cents(step.entry.minReserveMicros)}, but ${remaining(leftFor(step, job), job)} for it.`;
    case 'deadline':
      return deadlineReason(step, job);
    case 'cancelled':
      return `${verbOf(step)}: the job was cancelled ${momentOf(step)}.`;
    case 'circuit_open':
      return 'Skipped: provider unavailable. Its last calls had failed one after the other, and the job could wait no longer.';
    case 'lost':
      return 'Failed: the worker that ran this step was lost.';
    default:
      return `Failed: ${step.failure ?? 'unknown reason'}.`;
  }
}

function deadlineReason(step: StepState, { startedAt, deadlines }: JobState): string {
  if (startedAt === null)
    return `Skipped: the job's deadline was reached, since no step was started within ${duration(deadlines.queueMs)}.`;
  return `${verbOf(step)}: the job's deadline of ${duration(deadlines.jobMs)} was reached ${momentOf(step)}.`;
}

const verbOf = ({ status }: StepState): string => (status === 'skipped' ? 'Skipped' : 'Stopped');

function momentOf({ status, attempts }: StepState): string {
  if (status !== 'skipped') return 'before this provider had reported';
  return attempts.length === 0 ? 'before this step started' : 'before this step was tried again';
}

function refusalOf({ retryRefusal, entry, attempts }: StepState, job: JobState): string | null {
  if (!retryRefusal) return null;
  switch (retryRefusal.reason) {
    case 'budget':
      return `Not tried again: another try needs at least ${cents(entry.minReserveMicros)}, but ${remaining(retryRefusal.leftMicros, job)}.`;
    case 'deadline':
      return 'Not tried again: no time was left for it.';
    case 'attempts':
      return `Given up after ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}.`;
  }
}

/** What the plan's earlier steps and the synthesis had left over when the plan was made. */
function leftFor({ stepId }: StepState, { steps, budgetCapCents, synthesisReserveMicros }: JobState): number {
  const index = steps.findIndex((step) => step.stepId === stepId);
  const taken = steps.slice(0, index).reduce((sum, { entry }) => sum + entry.reservedMicros, synthesisReserveMicros);
  return Math.max(0, microsFromCents(budgetCapCents) - taken);
}

const remaining = (micros: number, { budgetCapCents }: JobState): string =>
  `only ${micros / MICROS_PER_CENT} of the budget's ${cents(microsFromCents(budgetCapCents))} remained`;

/** Exact, for a micro-dollar is a ten-thousandth of a cent. */
const cents = (micros: number): string => `${micros / MICROS_PER_CENT} ${micros === MICROS_PER_CENT ? 'cent' : 'cents'}`;

const LARGER_UNITS = [
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** In the largest unit that divides it, or in seconds. */
function duration(milliseconds: number): string {
  const [unit, length] = LARGER_UNITS.find(([, length]) => milliseconds % length === 0) ?? (['second', SECOND_MS] as const);
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(milliseconds / length);
}
