import { MAX_FAILING_MS, retryDelayMs } from '@lib/domain/webhook';
import fc from '../support/properties';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** As the documentation promises them. */
const PROMISED = [5_000, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR];

it('an attempt that failed is repeated at the promised distances, a tenth more or less, and then no more', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), chance, (failures, luck) => {
      const delay = retryDelayMs(failures, luck);
      const promised = PROMISED[failures - 1];
      if (promised === undefined) return expect(delay).toBeNull();
      expect(delay).toBeGreaterThanOrEqual(promised * 0.9 - 1);
      expect(delay).toBeLessThanOrEqual(promised * 1.1 + 1);
    }),
  );
  expect(retryDelayMs(PROMISED.length + 1, 0.5)).toBeNull();
});

it('of a chance in the middle the distances are exact, and a week of failures is the most', () => {
  expect(PROMISED.map((_, place) => retryDelayMs(place + 1, 0.5))).toEqual(PROMISED);
  expect([retryDelayMs(2, 0), retryDelayMs(2, 1), retryDelayMs(8, 0.5)]).toEqual([4.5 * MINUTE, 5.5 * MINUTE, null]);
  expect(MAX_FAILING_MS).toBe(7 * 24 * HOUR);
});

it('a receiver that asks for it is left alone for longer, but never asked sooner or more often', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), chance, fc.nat(24 * HOUR), (failures, luck, askedMs) => {
      const delay = retryDelayMs(failures, luck);
      expect(retryDelayMs(failures, luck, askedMs)).toBe(delay === null ? null : Math.max(delay, askedMs));
    }),
  );
});

it('what failed together does not come again together', () => {
  const delays = Array.from({ length: 100 }, () => retryDelayMs(2, Math.random()));
  expect(new Set(delays).size).toBeGreaterThan(50);
});
