/** How fast a bucket fills, and how much it holds. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Fractions of a token that are lost to rounding. */
const ROUNDING = 1e-6;
/** However much others have taken, a bucket is full again after this many times its filling time. */
const MAX_DEBT = 10;

/**
 * A token bucket stored as a single value, the moment at which it would be full (GCRA). Over any period it gives out at most its burst plus what
 * flowed in meanwhile, and it never refuses requests that come at its rate.
 */
export interface Bucket {
  /** In milliseconds, on the same clock as all other moments given to it. */
  fullAt: number;
}

export const fullBucket = (): Bucket => ({ fullAt: -Infinity });

/** Below 0 if others have taken more than there was. */
export const tokensIn = ({ fullAt }: Bucket, { perSecond, burst }: Rate, now: number): number =>
  burst - (Math.max(0, fullAt - now) * perSecond) / 1000;

/** Takes a token. @returns false if there is none */
export function take(bucket: Bucket, rate: Rate, now: number): boolean {
  if (tokensIn(bucket, rate, now) < 1 - ROUNDING) return false;
  bucket.fullAt = Math.max(bucket.fullAt, now) + 1000 / rate.perSecond;
  return true;
}

/** Takes tokens that were given out elsewhere, even if the bucket holds fewer. A negative number gives tokens back. */
export function settle(bucket: Bucket, rate: Rate, now: number, tokens: number): void {
  const fillMs = (rate.burst / rate.perSecond) * 1000;
  bucket.fullAt = Math.min(Math.max(bucket.fullAt, now) + (tokens * 1000) / rate.perSecond, now + MAX_DEBT * fillMs);
}

/** Milliseconds until there is a token; 0 if there is one. */
export const waitMs = (bucket: Bucket, rate: Rate, now: number): number =>
  Math.max(0, ((1 - tokensIn(bucket, rate, now)) * 1000) / rate.perSecond);
