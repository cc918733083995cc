import type { SynthesisFailure } from '@lib/domain/job/facts';

/** Timeouts in a row, of any jobs. */
const MAX_TIMEOUTS = 3;
const LEFT_ALONE_MS = 30_000;

/** Whether a process still waits for its model. */
export interface ModelPatience {
  /** Why a report is written without the model; null if the model is asked. */
  obstacle(): string | null;
  /** Takes note of how a call ended; null for an answer. */
  learn(failure: SynthesisFailure | null): void;
}

/**
 * A report waits for a silent model for as long as its claim lasts. After some timeouts in a row, one report in each half minute still asks the
 * model, and the others are written without it. (The circuit breaker of `cockatiel` would have the others wait for the one that asks.)
 */
export function modelPatience(): ModelPatience {
  let timeouts = 0;
  let askedAgainAt = 0;
  return {
    obstacle() {
      if (timeouts < MAX_TIMEOUTS) return null;
      if (performance.now() < askedAgainAt) return `it did not answer ${timeouts} times in a row, and is left alone for a while.`;
      askedAgainAt = performance.now() + LEFT_ALONE_MS;
      return null;
    },
    learn(failure) {
      timeouts = failure === 'timeout' ? timeouts + 1 : 0;
      askedAgainAt = performance.now() + LEFT_ALONE_MS;
    },
  };
}
