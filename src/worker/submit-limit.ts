import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { MINUTE_MS } from '@lib/domain/durations';

/** The longest wait in the queue before a step is tried again: by then another worker may take it, or its job may have ended. */
const MAX_WAIT_MS = 30_000;
/** The longest hold that a provider can ask for. After it the step is tried, and the answer may end it; otherwise it could wait for ever. */
const MAX_HOLD_MS = 60_000;
const KEY = 'submit';

/** Decides when this worker may submit another run to one provider. The limit applies to this process only. */
export class SubmitLimit {
  private readonly limiter: RateLimiterMemory | null;
  private readonly distanceMs: number;
  private heldUntil = 0;

  /** @param requestsPerMinute enforced as an interval between submits, so that it holds for any 60 s; null for no limit */
  constructor(requestsPerMinute: number | null) {
    this.distanceMs = MINUTE_MS / (requestsPerMinute ?? Infinity);
    this.limiter = requestsPerMinute === null ? null : new RateLimiterMemory({ points: 1, duration: this.distanceMs / 1000 });
  }

  /** @returns milliseconds to wait before the next submit; 0 permits one now, and counts it */
  async waitMs(): Promise<number> {
    const heldMs = this.heldUntil - performance.now();
    const waitMs = heldMs > 0 ? heldMs : await this.take();
    return Math.ceil(Math.min(waitMs, MAX_WAIT_MS));
  }

  /** Stops submits for the time that the provider asked for, at most a minute. */
  holdBack(milliseconds: number): void {
    this.heldUntil = Math.max(this.heldUntil, performance.now() + Math.min(milliseconds, MAX_HOLD_MS));
  }

  private async take(): Promise<number> {
    if (!this.limiter) return 0;
    try {
      await this.limiter.consume(KEY);
      return 0;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      // Each refused step waits one interval longer than the previous one, so that they do not all come back at once.
      const ahead = refused.consumedPoints - 2;
      return Math.max(1, refused.msBeforeNext + ahead * this.distanceMs);
    }
  }
}
