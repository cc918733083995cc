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

  it('cannot be computed again where one of them cannot, or by another price table', () => {
    const estimated: Charge = { micros: 3, provenance: 'estimated' };
    expect(sum(charge(5), estimated)).toEqual({ micros: 8, provenance: 'estimated' });
    expect(sum(charge(5), charge(3, { pricesSha256: 'cd' }))).toEqual({ micros: 8, provenance: 'computed' });
  });
});
