import { LRUCache } from 'lru-cache';

import { ProviderError, type RunState } from './research-provider';

/** A run that the provider did not know at so many polls, without one in between that saw it, is lost. */
export const LOST_AFTER_POLLS = 8;
/** Runs that one process follows at the same time, at most; of one that is forgotten the counting begins again. */
const MAX_UNKNOWN = 10_000;

/**
 * Polls background runs. An answer that the provider is too busy says nothing about a run: it is polled again after the pause that the provider asked
 * for, or the usual one, until the deadline. Nor does it mean much that the provider does not know a run once: an API may list a run only a moment
 * after accepting it, or be asked at a replica that is behind, and a run that we count as lost is paid for again.
 */
export class PatientPoll {
  /** How often in a row each run was not known. */
  private readonly unknown = new LRUCache<string, number>({ max: MAX_UNKNOWN });

  /** @param cancel stops a run that is given up, in case it goes on although it cannot be seen */
  constructor(
    private readonly pollMs: number,
    private readonly cancel: (externalId: string) => Promise<unknown>,
  ) {}

  /** @throws ProviderError of the class `lost` if the run is */
  async poll(externalId: string, look: () => Promise<RunState>): Promise<RunState> {
    try {
      return await this.seen(externalId, look);
    } catch (error) {
      if (isBusy(error)) return this.again(externalId, error.details.retryAfterMs);
      if (!is(error, 'lost')) throw error;
      const times = (this.unknown.get(externalId) ?? 0) + 1;
      this.unknown.set(externalId, times);
      return times < LOST_AFTER_POLLS ? this.again(externalId) : this.giveUp(externalId, look);
    }
  }

  private async seen(externalId: string, look: () => Promise<RunState>): Promise<RunState> {
    const state = await look();
    this.unknown.delete(externalId);
    return state;
  }

  /** Stops the run, and looks once more: what can be seen is not lost. As long as nobody knows whether it was stopped, it is polled again. */
  private async giveUp(externalId: string, look: () => Promise<RunState>): Promise<RunState> {
    try {
      await this.cancel(externalId);
    } catch {
      return this.again(externalId);
    }
    try {
      return await this.seen(externalId, look);
    } catch (error) {
      if (isBusy(error)) return this.again(externalId, error.details.retryAfterMs);
      if (is(error, 'lost')) this.unknown.delete(externalId);
      throw error;
    }
  }

  private again(externalId: string, afterMs = 0): RunState {
    return { state: 'running', externalId, pollAfterMs: Math.max(afterMs, this.pollMs) };
  }
}

const isBusy = (error: unknown): error is ProviderError => is(error, 'rate_limited') || is(error, 'overloaded');
const is = (error: unknown, errorClass: ProviderError['errorClass']): error is ProviderError =>
  error instanceof ProviderError && error.errorClass === errorClass;
