import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { MINUTE_MS } from '@lib/domain/durations';

/** A step that waits comes back to the queue after this at the latest: another worker may take it, or its job may have ended. */
const LONGEST_WAIT_MS = 30_000;
/** After this a provider is asked again even if it wanted more time: its answer then ends the step, which would otherwise wait for ever. */
const LONGEST_HOLD_MS = 60_000;
const KEY = 'submit';

/** When this worker may submit another run to one provider. The limit holds for this process alone. */
export class SubmitLimit {
  private readonly limiter: RateLimiterMemory | null;
  private readonly distanceMs: number;
  private heldUntil = 0;

  /** @param requestsPerMinute as a distance between submits, so that no minute sees more, wherever it begins; null for no limit */
  constructor(requestsPerMinute: number | null) {
    this.distanceMs = MINUTE_MS / (requestsPerMinute ?? Infinity);
    this.limiter = requestsPerMinute === null ? null : new RateLimiterMemory({ points: 1, duration: this.distanceMs / 1000 });
  }

  /** Milliseconds to wait before another submit; 0 lets one go, and counts it. */
  async waitMs(): Promise<number> {
    const heldMs = this.heldUntil - performance.now();
    const waitMs = heldMs > 0 ? heldMs : await this.take();
    return Math.ceil(Math.min(waitMs, LONGEST_WAIT_MS));
  }

  /** The provider asked for time: no submit until it is over, or for a minute if it asked for more. */
  holdBack(milliseconds: number): void {
    this.heldUntil = Math.max(this.heldUntil, performance.now() + Math.min(milliseconds, LONGEST_HOLD_MS));
  }

  private async take(): Promise<number> {
    if (!this.limiter) return 0;
    try {
      await this.limiter.consume(KEY);
      return 0;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      // Steps that were refused since the last submit come back one after the other, not all at once.
      const ahead = refused.consumedPoints - 2;
      return Math.max(1, refused.msBeforeNext + ahead * this.distanceMs);
    }
  }
}
