import { HOUR_MS } from '../durations';

import { reservationFor } from '../budget';
import { OUTAGE_ERROR_CLASSES, RETRYABLE_ERROR_CLASSES } from '../vocabulary';
import type { NextTry, RetryRefusal, StepFailure } from './facts';
import { availableMicros, type PaidRun } from './reservations';
import { stepOf, type JobState } from './state';
import { runOf, type StepState } from './step';
import { stepTimeLeftMs } from './time-left';

/** Most paid submits of one step; attempts that resume a run do not count. */
export const MAX_SUBMITS = 3;
/** Most submits after an unreadable answer: it may have been paid for, and the next one is likely to be unreadable too. */
const MAX_SUBMITS_IF_MALFORMED = 2;
/** Most attempts of one step that may have called its provider, so that a step ends even if its workers keep dying. */
const MAX_ATTEMPTS = 10;
/** Longest wait, even if a provider asks for a longer one. */
const MAX_RETRY_DELAY_MS = HOUR_MS;

/** Doubles with each attempt up to a minute; half of it is random. */
export const backoffMs = (attempt: number, jitter: number, firstMs = 1000): number =>
  Math.round(Math.min(firstMs * 2 ** (attempt - 1), 60_000) * (0.5 + jitter / 2));

/**
 * First pause after a rate limit, if the provider names none: most limits are per minute, and the pauses between a step's submits must outlast
 * that.
 */
const LIMIT_PAUSE_MS = 20_000;

/**
 * Longest pause before the last submit to a provider that seems to be down, so that an outage of seconds, such as a restart, fails no job. Once
 * more jobs have failed, the circuit is open for all of them for the same time (`CIRCUIT`).
 */
const OUTAGE_PAUSE_MS = 30_000;

interface FailedTry {
  stepId: string;
  run: number;
  failure: StepFailure;
}

/** The pause after a failed attempt, if the provider does not ask for one. */
export function pauseMs(state: JobState, failed: FailedTry & { attempt: number }, at: string, jitter: number): number {
  const { stepId, run, failure, attempt } = failed;
  const step = stepOf(state, stepId);
  if (failure === 'rate_limited') return backoffMs(attempt, jitter, LIMIT_PAUSE_MS);
  const isOutage = (OUTAGE_ERROR_CLASSES as readonly string[]).includes(failure);
  if (!isOutage || runThatGoesOn(step, run) !== undefined || !isLastSubmitNext(state, step, run)) return backoffMs(attempt, jitter);
  // Half of its time is left for the run itself.
  return backoffMs(1, jitter, Math.min(OUTAGE_PAUSE_MS, Math.max(stepTimeLeftMs(state, step, at) / 2, 0)));
}

export const NO_OTHER_TRY: NextTry = { retry: null, retryRefusal: null };

/** The next try after a failure, with its reservation, or the reason against it. */
export function nextTry(state: JobState, { stepId, run, failure, delayMs }: FailedTry & { delayMs: number }, at: string): NextTry {
  const step = stepOf(state, stepId);
  if (!(RETRYABLE_ERROR_CLASSES as readonly string[]).includes(failure)) return NO_OTHER_TRY;
  const leftMicros = availableMicros(state);
  const refused = (reason: RetryRefusal['reason']): NextTry => ({ retry: null, retryRefusal: { reason, leftMicros } });
  if (step.attempts.filter(({ returned }) => !returned).length >= MAX_ATTEMPTS) return refused('attempts');
  const delay = Math.min(delayMs, MAX_RETRY_DELAY_MS);
  // A try that begins after the step's time would not start, or would take the time of later waves. So the step ends now, with its provider's error.
  if (delay >= stepTimeLeftMs(state, step, at)) return refused('deadline');
  const goesOn = runThatGoesOn(step, run);
  if (goesOn) return { retry: { run: goesOn.run, resumes: true, reservedMicros: 0, delayMs: delay }, retryRefusal: null };
  if (submitsOf(step) >= (failure === 'malformed' ? MAX_SUBMITS_IF_MALFORMED : MAX_SUBMITS)) return refused('attempts');
  const reservedMicros = reservationFor(step.entry, leftMicros);
  if (reservedMicros === null) return refused('budget');
  return { retry: { run: step.runs.length + 1, resumes: false, reservedMicros, delayMs: delay }, retryRefusal: null };
}

/** By their number, or because the budget holds what this failure may have cost and has no room for another one after the next. */
function isLastSubmitNext(state: JobState, step: StepState, run: number): boolean {
  if (submitsOf(step) === MAX_SUBMITS - 1) return true;
  const leftMicros = availableMicros(state);
  const nextMicros = runOf(step, run).held ? reservationFor(step.entry, leftMicros) : null;
  return nextMicros !== null && reservationFor(step.entry, leftMicros - nextMicros) === null;
}

const submitsOf = (step: StepState): number => step.runs.filter(({ submitted }) => submitted).length;

/** An older run counts too: the worker of a lost attempt may have told its id only after the next try had begun. */
const runThatGoesOn = (step: StepState, run: number): PaidRun | undefined =>
  [runOf(step, run), ...step.runs.toReversed()].find(({ external, ended, held }) => external && !ended && held);
