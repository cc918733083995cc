import type { JobState } from '@lib/domain/job/state';
import { stepOf } from '@lib/domain/job/state';
import { runOf } from '@lib/domain/job/step';
import { stepTimeLeftMs } from '@lib/domain/job/time-left';
import { OUTAGE_ERROR_CLASSES, type ErrorClass, type ProviderId } from '@lib/domain/vocabulary';
import type { EventRecord } from '@lib/store/history/event-record';

/** What an event says about the provider: it answers, it seems to be down, or it asked callers to wait. */
export type ProviderSignal = { provider: ProviderId } & (
  { kind: 'answer' } | { kind: 'failure'; errorClass: ErrorClass } | { kind: 'hold'; milliseconds: number }
);

/** Failures that say nothing about the provider, because no answer of it was received. */
const SILENT: ReadonlySet<string> = new Set<ErrorClass | 'deadline' | 'cancelled'>([
  'lost',
  'not_called',
  'circuit_open',
  'deadline',
  'cancelled',
]);
/** The longest wait granted to a provider that asks for one, since it delays the steps of all jobs. */
const MAX_HOLD_MS = 60_000;
/** A timeout this close to the step's own deadline is due to that deadline, and says nothing about the provider. */
const NEAR_MS = 1_000;

/** Whether an event of this type can carry a signal. */
export const maySignal = ({ type }: Pick<EventRecord, 'type'>): boolean => isAnswer(type) || type === 'StepFailed';

/** Events that show that a provider answers. They are so frequent that they are looked at only while some provider has failed. */
export const isAnswer = (type: string): boolean => type === 'StepCompleted' || type === 'StepExternalIdRecorded';

/** @param state the job's state, at this event or later */
export function signalOf({ type, facts, meta }: EventRecord, state: JobState): ProviderSignal | null {
  const { stepId, run, failure, retry } = facts as { stepId: string; run: number; failure: string; retry?: { delayMs: number } | null };
  const step = stepOf(state, stepId);
  const { provider } = step.entry;
  if (isAnswer(type)) return { provider, kind: 'answer' };
  if (SILENT.has(failure)) return null;
  if (failure === 'rate_limited') {
    return { provider, kind: 'hold', milliseconds: Math.min(retry?.delayMs ?? 0, MAX_HOLD_MS) };
  }
  if (!(OUTAGE_ERROR_CLASSES as readonly string[]).includes(failure)) return { provider, kind: 'answer' };
  // The provider had accepted the run, and only a poll of it failed.
  if (runOf(step, run).external) return null;
  if (failure === 'timeout' && stepTimeLeftMs(state, step, meta.occurredAt) <= NEAR_MS) return null;
  return { provider, kind: 'failure', errorClass: failure as ErrorClass };
}
