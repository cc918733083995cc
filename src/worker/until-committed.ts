import { setTimeout as sleep } from 'node:timers/promises';
import { REPORT_AGAIN_MS } from '@lib/settings/lease-times';
import { isRefusal } from './saga-client';

const FIRST_DELAY_MS = 200;

/**
 * Repeats a call until the saga has committed it. A call that gave up after a while has sent its request several times, so its time counts as part
 * of the pause: a saga that is back is asked within `REPORT_AGAIN_MS`.
 * @param leaving ends a pause early: the call is tried once more at once
 * @throws Error if the saga refuses, or if the call fails once `leaving` has aborted
 */
export async function untilCommitted(
  call: () => Promise<unknown>,
  leaving: AbortSignal,
  unanswered: (error: unknown) => void,
): Promise<void> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, REPORT_AGAIN_MS)) {
    const calledAt = performance.now();
    try {
      await call();
      return;
    } catch (error) {
      if (isRefusal(error) || leaving.aborted) throw error;
      unanswered(error);
      const pauseMs = Math.max(0, delayMs - (performance.now() - calledAt));
      await sleep(pauseMs, undefined, { signal: leaving }).catch(() => undefined);
    }
  }
}
