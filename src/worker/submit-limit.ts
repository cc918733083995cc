import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** A step that waits is looked at again after this at the latest: another worker may take it, or its job may have ended. */
const LONGEST_WAIT_MS = 30_000;
/** A provider that wants more time is asked again after this, so that a step ends with the provider's own words instead of waiting for ever. */
const LONGEST_HOLD_MS = 60_000;
const MINUTE_MS = 60_000;
const KEY = 'submit';

/** When this worker may submit another run to one provider. Limits are of this process: it knows of no other worker. */
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
      // Those that were refused since the last submit come one by one, not all at once.
      const ahead = refused.consumedPoints - 2;
      return Math.max(1, refused.msBeforeNext + ahead * this.distanceMs);
    }
  }
}
