import { ProviderError, type RunState } from './research-provider';

/**
 * Polls a background run once. If the provider is too busy to answer, that says nothing about the run: it is polled again after the
 * pause that the provider asked for, or the usual one, until the deadline.
 */
export async function patientPoll(externalId: string, pollMs: number, look: () => Promise<RunState>): Promise<RunState> {
  try {
    return await look();
  } catch (error) {
    const isBusy = error instanceof ProviderError && (error.errorClass === 'rate_limited' || error.errorClass === 'overloaded');
    if (!isBusy) throw error;
    return { state: 'running', externalId, pollAfterMs: Math.max(error.details.retryAfterMs ?? 0, pollMs) };
  }
}
