import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

import { MINUTE_MS } from '@lib/domain/durations';

/** A step comes back from the queue after this time at the latest: another worker may take it then, or its job may have ended. */
const MAX_WAIT_MS = 30_000;
/** A provider is asked again after this time even if it wanted more. Its answer then ends the step, which would otherwise wait for ever. */
const MAX_HOLD_MS = 60_000;
const KEY = 'submit';

/** When this worker may submit another run to one provider. The limit holds for this process alone. */
export class SubmitLimit {
  private readonly limiter: RateLimiterMemory | null;
  private readonly distanceMs: number;
  private heldUntil = 0;

  /** @param requestsPerMinute kept as a distance between submits, so that no minute has more, wherever it begins; null for no limit */
  constructor(requestsPerMinute: number | null) {
    this.distanceMs = MINUTE_MS / (requestsPerMinute ?? Infinity);
    this.limiter = requestsPerMinute === null ? null : new RateLimiterMemory({ points: 1, duration: this.distanceMs / 1000 });
  }

  /** Milliseconds to wait before another submit; 0 lets one go, and counts it. */
  async waitMs(): Promise<number> {
    const heldMs = this.heldUntil - performance.now();
    const waitMs = heldMs > 0 ? heldMs : await this.take();
    return Math.ceil(Math.min(waitMs, MAX_WAIT_MS));
  }

  /** The provider asked for time: no submit until it is over, or for a minute if it asked for more. */
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
      // Each step that is refused waits one distance longer than the one before, so that they do not come back all at once.
      const ahead = refused.consumedPoints - 2;
      return Math.max(1, refused.msBeforeNext + ahead * this.distanceMs);
    }
  }
}
