import { createHash } from 'node:crypto';
import type { Usage } from '@lib/domain/money';
import fc from '../support/properties';

import { costOf, reportedDollars, reportedTicks } from '@lib/providers/prices';

const PRICES = {
  inputMicrosPerMillionTokens: 5_000_000,
  cachedInputMicrosPerMillionTokens: 500_000,
  outputMicrosPerMillionTokens: 30_000_000,
  perSearchMicros: 10_000,
};
const USAGE: Usage = { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 2000, searches: 3 };

describe('a computed charge', () => {
  it('adds tokens, cached ones at their own price, and searches', () => {
    expect(costOf(USAGE, PRICES, 1)).toMatchObject({ micros: 3000 + 200 + 60_000 + 30_000, provenance: 'computed' });
  });

  it('rounds up', () => {
    const usage = { inputTokens: 1, cachedInputTokens: null, outputTokens: 0, searches: 0 };
    expect(costOf(usage, { ...PRICES, inputMicrosPerMillionTokens: 1 }, 9)).toMatchObject({ micros: 1, provenance: 'computed' });
  });

  it('never counts more cached tokens than tokens', () => {
    expect(costOf({ ...USAGE, cachedInputTokens: 5000 }, PRICES, 1).micros).toBe(500 + 60_000 + 30_000);
  });

  it.each([
    ['no usage', null],
    ['no input count', { ...USAGE, inputTokens: null }],
    ['no output count', { ...USAGE, outputTokens: null }],
    ['no count of searches', { ...USAGE, searches: null }],
    ['a negative count', { ...USAGE, outputTokens: -5 }],
    ['no number', { ...USAGE, inputTokens: Number.NaN }],
    ['a count without end', { ...USAGE, searches: Infinity }],
    ['a count that is too large to be counted', { ...USAGE, inputTokens: Number.MAX_SAFE_INTEGER }],
  ])('with %s gives way to the estimate', (_, usage) => {
    expect(costOf(usage, PRICES, 77)).toMatchObject({ micros: 77, provenance: 'estimated' });
  });

  it('is always a whole number of micro-dollars from 0', () => {
    const count = fc.option(fc.double({ noInteger: false }));
    const usage = fc.record({ inputTokens: count, cachedInputTokens: count, outputTokens: count, searches: count });
    fc.assert(
      fc.property(usage, (used) => {
        const { micros } = costOf(used, PRICES, 5);
        expect(Number.isSafeInteger(micros) && micros >= 0).toBe(true);
      }),
    );
  });
});

describe('a reported charge', () => {
  it.each([
    [0, 0],
    [0.0123, 12_300],
    [0.62, 620_000],
    [0.00000049, 1],
    [1.1, 1_100_000],
  ])('of %d dollars is %d micro-dollars', (dollars, micros) => {
    expect(reportedDollars(dollars)).toEqual({ micros, provenance: 'reported' });
  });

  it.each([
    [10_000_000_000, 1_000_000],
    [1, 1],
    [20_001, 3],
  ])('of %d ticks is %d micro-dollars', (ticks, micros) => {
    expect(reportedTicks(ticks)).toEqual({ micros, provenance: 'reported' });
  });

  it.each([undefined, null, '0.5', -0.01, Number.NaN, Infinity, 1e30, {}])('is none as %p', (value) => {
    expect(reportedDollars(value)).toBeNull();
    expect(reportedTicks(value)).toBeNull();
  });

  it('is none above what can be recorded, so that no report is lost to it', () => {
    expect(reportedDollars(1_000_000)).toEqual({ micros: 1e12, provenance: 'reported' });
    expect(reportedDollars(1_000_000.01)).toBeNull();
    expect(costOf({ ...USAGE, outputTokens: 1e11 }, PRICES, 77)).toMatchObject({ micros: 77, provenance: 'estimated' });
  });
});

describe('what a charge can be computed from again', () => {
  const digest = createHash('sha256')
    .update(
      '{"cachedInputMicrosPerMillionTokens":CACHED,"inputMicrosPerMillionTokens":INPUT,"outputMicrosPerMillionTokens":OUTPUT,"perSearchMicros":SEARCH}'
        .replace('CACHED', String(PRICES.cachedInputMicrosPerMillionTokens))
        .replace('INPUT', String(PRICES.inputMicrosPerMillionTokens))
        .replace('OUTPUT', String(PRICES.outputMicrosPerMillionTokens))
        .replace('SEARCH', String(PRICES.perSearchMicros)),
    )
    .digest('hex');

  it('goes with it: the usage, and the digest of the price table', () => {
    expect(costOf(USAGE, PRICES, 1)).toMatchObject({ usage: USAGE, pricesSha256: digest });
  });

  it('is the usage alone where the provider reported the charge', () => {
    const reported = { micros: 5, provenance: 'reported' } as const;
    expect(costOf(USAGE, PRICES, 1, reported)).toEqual({ ...reported, usage: USAGE });
  });

  it('is nothing where no tokens were told, and a count that cannot be is not known', () => {
    expect(costOf(null, PRICES, 1)).toEqual({ micros: 1, provenance: 'estimated' });
    expect(costOf({ ...USAGE, inputTokens: null, outputTokens: null }, PRICES, 1)).toEqual({ micros: 1, provenance: 'estimated' });
    expect(costOf({ ...USAGE, searches: -1 }, PRICES, 1).usage).toEqual({ ...USAGE, searches: null });
  });
});
