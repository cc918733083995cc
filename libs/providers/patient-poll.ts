import { ProviderError, type RunState } from './research-provider';

/**
 * One look at a run in the background. A provider that is too busy to answer says nothing about the run: it is asked again, when it
 * said or else after the usual pause, until the deadline.
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
