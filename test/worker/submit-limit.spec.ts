import { MINUTE_MS } from '@lib/domain/durations';

import fc from '../support/properties';
import { SubmitLimit } from '../../src/worker/submit-limit';

const MAX_WAIT_MS = 30_000;

/** The clocks stand still until the test moves them. */
let now = 0;
const real = { date: Date.now, performance: performance.now.bind(performance) };
beforeEach(() => {
  now = Date.UTC(2026, 10, 21);
  Date.now = () => now;
  performance.now = () => now;
});
afterEach(() => {
  Date.now = real.date;
  performance.now = real.performance;
});

describe('a limit of submits', () => {
  it('lets no minute see more of them, wherever it begins, whoever asks when', async () => {
    const pauses = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 300, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), pauses, async (requestsPerMinute, between) => {
        const limit = new SubmitLimit(requestsPerMinute);
        const submits: number[] = [];
        for (const pause of between) {
          now += pause;
          if ((await limit.waitMs()) === 0) submits.push(now);
        }
        const inMinuteFrom = (start: number) => submits.filter((at) => at >= start && at < start + MINUTE_MS).length;
        for (const start of submits) expect(inMinuteFrom(start)).toBeLessThanOrEqual(requestsPerMinute);
      }),
    );
  });

  it('is used up by those that come back when they were told to', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: 600 }), fc.integer({ min: 1, max: 40 }), async (requestsPerMinute, steps) => {
        const limit = new SubmitLimit(requestsPerMinute);
        const started = now;
        const waiting = Array.from({ length: steps }, () => started);
        for (let left = steps; left > 0;) {
          waiting.sort((one, other) => one - other);
          now = Math.max(now, waiting[0] ?? 0);
          const waitMs = await limit.waitMs();
          if (waitMs === 0) left -= waiting.splice(0, 1).length;
          else waiting[0] = now + waitMs;
          expect(waitMs).toBeLessThanOrEqual(MAX_WAIT_MS);
        }
        // Each may come a moment late for its turn, and one that was told to wait for long may find that it was its turn before.
        expect(now - started).toBeLessThanOrEqual((steps * MINUTE_MS) / requestsPerMinute + steps + MAX_WAIT_MS);
      }),
    );
  });

  it('tells those that ask together to come back one by one', async () => {
    const limit = new SubmitLimit(60);
    const waits: number[] = [];
    for (let step = 1; step <= 5; step += 1) waits.push(await limit.waitMs());
    expect(waits).toEqual([0, 1_000, 2_000, 3_000, 4_000]);
  });

  it('is none where none is set', async () => {
    const limit = new SubmitLimit(null);
    for (let submits = 0; submits < 1000; submits += 1) expect(await limit.waitMs()).toBe(0);
  });
});

describe('a provider that asked for time', () => {
  it.each([
    [null, 0],
    [600, 100],
  ])('gets it, with a limit of %p, and the first submit after it counts', async (requestsPerMinute, second) => {
    const limit = new SubmitLimit(requestsPerMinute);
    limit.holdBack(5_000);
    expect(await limit.waitMs()).toBe(5_000);
    now += 4_999;
    expect(await limit.waitMs()).toBe(1);
    now += 1;
    expect([await limit.waitMs(), await limit.waitMs()]).toEqual([0, second]);
  });

  it('gets the last part of a millisecond, too', async () => {
    const limit = new SubmitLimit(null);
    limit.holdBack(0.25);
    expect(await limit.waitMs()).toBe(1);
  });

  it('is not asked sooner because another call was told less', async () => {
    const limit = new SubmitLimit(null);
    limit.holdBack(20_000);
    limit.holdBack(1_000);
    limit.holdBack(0);
    expect(await limit.waitMs()).toBe(20_000);
  });

  it('is asked again after a minute if it wants more, and steps look earlier whether they still have to wait', async () => {
    const limit = new SubmitLimit(null);
    limit.holdBack(24 * 60 * MINUTE_MS);
    expect(await limit.waitMs()).toBe(MAX_WAIT_MS);
    now += MINUTE_MS;
    expect(await limit.waitMs()).toBe(0);
  });
});
