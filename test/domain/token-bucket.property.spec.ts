import { fullBucket, settle, take, tokensIn, waitMs, type Rate } from '@lib/domain/token-bucket';
import fc from '../support/properties';

const rates = fc.record({
  perSecond: fc.oneof(fc.double({ min: 0.01, max: 1000, noNaN: true }), fc.integer({ min: 1, max: 100_000 })),
  burst: fc.integer({ min: 1, max: 1000 }),
});
/** Pauses between requests, in milliseconds. */
const pauses = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 5000, noNaN: true })), { minLength: 1, maxLength: 300 });

/** When of these moments a token was taken. */
function takenAt(rate: Rate, gaps: readonly number[], startedAt = 1000): number[] {
  const bucket = fullBucket();
  let now = startedAt;
  return gaps.flatMap((gap) => {
    now += gap;
    return take(bucket, rate, now) ? [now] : [];
  });
}

it('over any time a bucket gives at most its burst and what flowed in meanwhile', () => {
  fc.assert(
    fc.property(rates, pauses, (rate, gaps) => {
      const taken = takenAt(rate, gaps);
      taken.forEach((from, first) => {
        for (let last = first; last < taken.length; last += 1) {
          const most = rate.burst + ((taken[last] ?? 0) - from) * (rate.perSecond / 1000);
          expect(last - first + 1).toBeLessThanOrEqual(most + 1e-3);
        }
      });
    }),
  );
});

it('it never refuses what comes at its rate or slower, however it was used before', () => {
  fc.assert(
    fc.property(rates, pauses, fc.integer({ min: 1, max: 200 }), (rate, gaps, count) => {
      const bucket = fullBucket();
      let now = 0;
      for (const gap of gaps) take(bucket, rate, (now += gap));
      for (let place = 0; place < count; place += 1) expect(take(bucket, rate, (now += 1000 / rate.perSecond))).toBe(true);
    }),
  );
});

it('it gives as many at once as it says are left, and the next one when it says', () => {
  fc.assert(
    fc.property(rates, pauses, (rate, gaps) => {
      const bucket = fullBucket();
      let now = 0;
      for (const gap of gaps) take(bucket, rate, (now += gap));
      const left = Math.floor(tokensIn(bucket, rate, now) + 1e-6);
      for (let place = 0; place < left; place += 1) expect(take(bucket, rate, now)).toBe(true);
      expect(take(bucket, rate, now)).toBe(false);
      const wait = waitMs(bucket, rate, now);
      expect(take(bucket, rate, now + wait * 0.99)).toBe(false);
      expect(take(bucket, rate, now + wait + 1e-3)).toBe(true);
    }),
  );
});

it('what was given out elsewhere is owed token by token, up to ten times what it holds', () => {
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 5_000 }), (rate, tokens) => {
      const bucket = fullBucket();
      settle(bucket, rate, 1000, tokens);
      expect(tokensIn(bucket, rate, 1000)).toBeCloseTo(rate.burst - Math.min(tokens, 10 * rate.burst), 3);
      settle(bucket, rate, 1000, -tokens);
      expect(tokensIn(bucket, rate, 1000)).toBeGreaterThanOrEqual(rate.burst - 10 * rate.burst - 1e-3);
    }),
  );
});

it('several that tell each other what they gave out give no more than one would, but for what was not told yet', () => {
  const events = fc.array(fc.tuple(fc.nat(3), fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 })), fc.boolean()), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 4 }), events, (rate, processes, steps) => {
      const buckets = Array.from({ length: processes }, fullBucket);
      const untold = buckets.map(() => 0);
      let now = 0;
      let given = 0;
      let toldAt = 0;
      let longestUntoldMs = 0;
      for (const [process, pause, tells] of steps) {
        now += pause;
        const from = process % processes;
        const bucket = buckets[from];
        if (bucket && take(bucket, rate, now)) {
          untold[from] = (untold[from] ?? 0) + 1;
          given += 1;
        }
        longestUntoldMs = Math.max(longestUntoldMs, now - toldAt);
        if (!tells) continue;
        untold.forEach((tokens, teller) =>
          buckets.forEach((other, place) => tokens > 0 && place !== teller && settle(other, rate, now, tokens)),
        );
        untold.fill(0);
        toldAt = now;
      }
      const flowed = (ms: number) => (ms * rate.perSecond) / 1000;
      const most = rate.burst + flowed(now) + (processes - 1) * (rate.burst + flowed(longestUntoldMs));
      expect(given).toBeLessThanOrEqual(most + 1e-3);
    }),
  );
});
