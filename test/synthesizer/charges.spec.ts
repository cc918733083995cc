import type { Charge } from '@lib/domain/money';
import { sum } from '../../src/synthesizer/charges';

const usage = { inputTokens: 1_000, cachedInputTokens: null, outputTokens: 10, searches: 0 };
const charge = (micros: number, changes: Partial<Charge> = {}): Charge => ({
  micros,
  provenance: 'computed',
  usage,
  pricesSha256: 'ab',
  ...changes,
});

describe('the sum of two charges', () => {
  it('can be computed again from the sum of what was used, by the same price table', () => {
    expect(sum(charge(5), charge(7))).toEqual(charge(12, { usage: { ...usage, inputTokens: 2_000, outputTokens: 20 } }));
  });

  it('has the basis of the one where the other is nothing', () => {
    const nothing: Charge = { micros: 0, provenance: 'reported' };
    expect(sum(nothing, charge(7))).toMatchObject({ micros: 7, usage, pricesSha256: 'ab' });
    expect(sum(charge(7), nothing)).toMatchObject({ micros: 7, usage, pricesSha256: 'ab' });
  });

  it('counts what was free as used, and does not know a count that one of them does not know', () => {
    const searched = { ...usage, cachedInputTokens: 4, searches: null };
    const both = { ...usage, inputTokens: 2_000, cachedInputTokens: null, outputTokens: 20, searches: null };
    expect(sum(charge(0, { usage: searched }), charge(7))).toEqual(charge(7, { usage: both }));
    expect(sum(charge(7), charge(0, { usage: searched }))).toEqual(charge(7, { usage: both }));
  });

  it('says nothing of a price table where there is none', () => {
    const unpriced: Charge = { micros: 3, provenance: 'reported', usage };
    const nothing: Charge = { micros: 0, provenance: 'reported' };
    const twice = { ...usage, inputTokens: 2_000, outputTokens: 20 };
    expect(sum(unpriced, unpriced)).toStrictEqual({ micros: 6, provenance: 'reported', usage: twice });
    expect(sum(nothing, unpriced)).toStrictEqual(unpriced);
    expect(sum(nothing, nothing)).toStrictEqual(nothing);
  });

  it('cannot be computed again where one of them cannot, or by another price table', () => {
    const estimated: Charge = { micros: 3, provenance: 'estimated' };
    expect(sum(charge(5), estimated)).toEqual({ micros: 8, provenance: 'estimated' });
    expect(sum(estimated, charge(5))).toEqual({ micros: 8, provenance: 'estimated' });
    const unused: Charge = { micros: 3, provenance: 'computed', pricesSha256: 'ab' };
    expect(sum(charge(5), unused)).toEqual({ micros: 8, provenance: 'computed' });
    expect(sum(unused, charge(5))).toEqual({ micros: 8, provenance: 'computed' });
    expect(sum(charge(5), charge(3, { pricesSha256: 'cd' }))).toEqual({ micros: 8, provenance: 'computed' });
  });
});
