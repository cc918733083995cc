import type { SynthesisFailure } from '@lib/domain/job/facts';

/** Consecutive timeouts, of any jobs, after which the model is asked less often. */
const MAX_TIMEOUTS = 3;
const LEFT_ALONE_MS = 30_000;

/** Decides whether reports still ask the model. */
export interface ModelPatience {
  /** Why a report is written without the model; null if the model is asked. */
  obstacle(): string | null;
  /** Records how a call ended; null for an answer. */
  learn(failure: SynthesisFailure | null): void;
}

/**
 * A report may wait for a silent model as long as its claim lasts. So after `MAX_TIMEOUTS` timeouts in a row, only one report per half minute asks
 * the model; the others are written without it. (With `cockatiel`'s circuit breaker the others would wait for the one that asks.)
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
