import { setTimeout as sleep } from 'node:timers/promises';

import { ProviderError, type RunState } from './research-provider';

/**
 * Polls a background run once. If the provider is too busy to answer, the run counts as running, to be polled again after the pause that the
 * provider asked for or the usual one. If the provider does not know the run, it is polled once more: some APIs list a run only a moment after
 * accepting it, and a lost run is paid for again.
 */
export async function patientPoll(
  externalId: string,
  pollMs: number,
  signal: AbortSignal,
  look: () => Promise<RunState>,
): Promise<RunState> {
  try {
    return await look().catch(async (error: unknown) => {
      if (!is(error, 'lost')) throw error;
      await sleep(pollMs, undefined, { signal });
      return look();
    });
  } catch (error) {
    if (!is(error, 'rate_limited') && !is(error, 'overloaded')) throw error;
    return { state: 'running', externalId, pollAfterMs: Math.max(error.details.retryAfterMs ?? 0, pollMs) };
  }
}

const is = (error: unknown, errorClass: ProviderError['errorClass']): error is ProviderError =>
  error instanceof ProviderError && error.errorClass === errorClass;
