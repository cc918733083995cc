/** How fast a bucket fills, and how much it holds. */
export interface Rate {
  perSecond: number;
  burst: number;
}

/** Fractions of a token that are lost to rounding. */
const ROUNDING = 1e-6;
/** However much others have taken, a bucket is full again after so many times the time that it takes to fill. */
const MAX_DEBT = 10;

/**
 * A bucket of tokens, told by the one moment at which it would be full (GCRA). Over any time it gives at most its burst and what flowed in
 * meanwhile, and never refuses what comes at its rate.
 */
export interface Bucket {
  /** In milliseconds, of whatever clock its moments are of. */
  fullAt: number;
}

export const fullBucket = (): Bucket => ({ fullAt: -Infinity });

/** Less than zero if others have taken more than there was. */
export const tokensIn = ({ fullAt }: Bucket, { perSecond, burst }: Rate, now: number): number =>
  burst - (Math.max(0, fullAt - now) * perSecond) / 1000;

/** Takes a token, if there is one. */
export function take(bucket: Bucket, rate: Rate, now: number): boolean {
  if (tokensIn(bucket, rate, now) < 1 - ROUNDING) return false;
  bucket.fullAt = Math.max(bucket.fullAt, now) + 1000 / rate.perSecond;
  return true;
}

/** Takes what was given out elsewhere, also if there is not as much; fewer than none are given back. */
export function settle(bucket: Bucket, rate: Rate, now: number, tokens: number): void {
  const fillMs = (rate.burst / rate.perSecond) * 1000;
  bucket.fullAt = Math.min(Math.max(bucket.fullAt, now) + (tokens * 1000) / rate.perSecond, now + MAX_DEBT * fillMs);
}

/** Until there is a token; 0 if there is one. */
export const waitMs = (bucket: Bucket, rate: Rate, now: number): number =>
  Math.max(0, ((1 - tokensIn(bucket, rate, now)) * 1000) / rate.perSecond);
