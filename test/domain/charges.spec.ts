import { addCharges, NO_CHARGE, type Charge } from '@lib/domain/money';

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
    expect(addCharges(charge(5), charge(7))).toEqual(charge(12, { usage: { ...usage, inputTokens: 2_000, outputTokens: 20 } }));
  });

  it('has the basis of the one where the other is nothing', () => {
    expect(addCharges(NO_CHARGE, charge(7))).toMatchObject({ micros: 7, usage, pricesSha256: 'ab' });
    expect(addCharges(charge(7), NO_CHARGE)).toMatchObject({ micros: 7, usage, pricesSha256: 'ab' });
  });

  it('counts what was free as used, and does not know a count that one of them does not know', () => {
    const searched = { ...usage, cachedInputTokens: 4, searches: null };
    const both = { ...usage, inputTokens: 2_000, cachedInputTokens: null, outputTokens: 20, searches: null };
    expect(addCharges(charge(0, { usage: searched }), charge(7))).toEqual(charge(7, { usage: both }));
    expect(addCharges(charge(7), charge(0, { usage: searched }))).toEqual(charge(7, { usage: both }));
  });

  it('says nothing of a price table where there is none', () => {
    const unpriced: Charge = { micros: 3, provenance: 'reported', usage };
    const twice = { ...usage, inputTokens: 2_000, outputTokens: 20 };
    expect(addCharges(unpriced, unpriced)).toStrictEqual({ micros: 6, provenance: 'reported', usage: twice });
    expect(addCharges(NO_CHARGE, unpriced)).toStrictEqual(unpriced);
    expect(addCharges(NO_CHARGE, NO_CHARGE)).toStrictEqual(NO_CHARGE);
  });

  it('cannot be computed again where one of them cannot, or by another price table', () => {
    const estimated: Charge = { micros: 3, provenance: 'estimated' };
    expect(addCharges(charge(5), estimated)).toEqual({ micros: 8, provenance: 'estimated' });
    expect(addCharges(estimated, charge(5))).toEqual({ micros: 8, provenance: 'estimated' });
    const unused: Charge = { micros: 3, provenance: 'computed', pricesSha256: 'ab' };
    expect(addCharges(charge(5), unused)).toEqual({ micros: 8, provenance: 'computed' });
    expect(addCharges(unused, charge(5))).toEqual({ micros: 8, provenance: 'computed' });
    expect(addCharges(charge(5), charge(3, { pricesSha256: 'cd' }))).toEqual({ micros: 8, provenance: 'computed' });
  });
});
