import type { JobState } from '@lib/domain/job/state';
import { stepOf } from '@lib/domain/job/state';
import { runOf } from '@lib/domain/job/step';
import { stepTimeLeftMs } from '@lib/domain/job/time-left';
import type { ErrorClass, ProviderId } from '@lib/domain/vocabulary';
import type { EventRecord } from '@lib/store/history/event-record';

/** What an event says of the provider itself: that it answers, that it seems to be down, or that it asks for time. */
export type ProviderSignal = { provider: ProviderId } & (
  { kind: 'answer' } | { kind: 'failure'; errorClass: ErrorClass } | { kind: 'hold'; milliseconds: number }
);

/**
 * Failures of a submit that say that the provider is down. What is wrong with one job's input (`invalid_request`, `malformed` …) says nothing
 * about the next job's. `auth` and `quota` end a step at once and free of charge, in the provider's own words, which tell the operator what to do.
 */
const DOWN: ReadonlySet<string> = new Set<ErrorClass>(['overloaded', 'unavailable', 'timeout']);
/** Failures that say nothing about the provider, because no answer of it was received. */
const SILENT: ReadonlySet<string> = new Set<ErrorClass | 'deadline' | 'cancelled'>([
  'lost',
  'not_called',
  'circuit_open',
  'deadline',
  'cancelled',
]);
/** A provider that asks for more time than this gets no more: it would hold back the steps of other jobs too. */
const MAX_HOLD_MS = 60_000;
/** A timeout so shortly before the end of the step's time is the step's own, and says nothing of the provider. */
const NEAR_MS = 1_000;

/** Whether the event may say something of a provider. */
export const maySignal = ({ type }: Pick<EventRecord, 'type'>): boolean => isAnswer(type) || type === 'StepFailed';

/** Events that show that a provider answers. They are so frequent that they are looked at only while some provider has failed. */
export const isAnswer = (type: string): boolean => type === 'StepCompleted' || type === 'StepExternalIdRecorded';

/** @param state the job, with this event in it or a later one */
export function signalOf({ type, facts, meta }: EventRecord, state: JobState): ProviderSignal | null {
  const { stepId, run, failure, retry } = facts as { stepId: string; run: number; failure: string; retry?: { delayMs: number } | null };
  const step = stepOf(state, stepId);
  const { provider } = step.entry;
  if (isAnswer(type)) return { provider, kind: 'answer' };
  if (SILENT.has(failure)) return null;
  if (failure === 'rate_limited') {
    return { provider, kind: 'hold', milliseconds: Math.min(retry?.delayMs ?? 0, MAX_HOLD_MS) };
  }
  if (!DOWN.has(failure)) return { provider, kind: 'answer' };
  // The provider had accepted the run, and only a poll of it failed.
  if (runOf(step, run).external) return null;
  if (failure === 'timeout' && stepTimeLeftMs(state, step, meta.occurredAt) <= NEAR_MS) return null;
  return { provider, kind: 'failure', errorClass: failure as ErrorClass };
}
