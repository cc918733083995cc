import fc from '../support/properties';

import { allowanceOf, allowanceWithin } from '@lib/providers/allowance';

const prices = fc.record({
  inputMicrosPerMillionTokens: fc.nat(30_000_000),
  cachedInputMicrosPerMillionTokens: fc.nat(3_000_000),
  outputMicrosPerMillionTokens: fc.nat(180_000_000),
  perSearchMicros: fc.nat(50_000),
});
const wanted = fc
  .record({
    promptTokens: fc.nat(200_000),
    outputTokens: fc.integer({ min: 1, max: 100_000 }),
    searches: fc.nat(100),
    inputTokensPerSearch: fc.nat(30_000),
  })
  .chain((rest) => fc.nat(rest.searches).map((fewestSearches) => ({ ...rest, fewestSearches })));
const reservation = fc.nat(20_000_000);

type PriceTable = typeof prices extends fc.Arbitrary<infer Value> ? Value : never;
type Wanted = typeof wanted extends fc.Arbitrary<infer Value> ? Value : never;

function worstMicros(table: PriceTable, { promptTokens, inputTokensPerSearch }: Wanted, outputTokens: number, searches: number): number {
  const input = (promptTokens + searches * inputTokensPerSearch) * table.inputMicrosPerMillionTokens;
  return (input + outputTokens * table.outputMicrosPerMillionTokens) / 1e6 + searches * table.perSearchMicros;
}

describe('the limits of a request', () => {
  it('keep the worst case within the reservation and ask for no more than is wanted', () => {
    fc.assert(
      fc.property(reservation, prices, wanted, (reserved, table, wants) => {
        const allowance = allowanceWithin(reserved, table, wants);
        if (!allowance) return;
        expect(worstMicros(table, wants, allowance.outputTokens, allowance.searches)).toBeLessThanOrEqual(reserved);
        expect(allowance.outputTokens).toBeLessThanOrEqual(wants.outputTokens);
        expect(allowance.searches).toBeLessThanOrEqual(wants.searches);
        expect(allowance.searches).toBeGreaterThanOrEqual(wants.fewestSearches);
        expect(allowance.outputTokens).toBeGreaterThan(0);
      }),
    );
  });

  it('are all that is wanted as soon as the reservation covers it', () => {
    fc.assert(
      fc.property(prices, wanted, (table, wants) => {
        const enough = Math.ceil(worstMicros(table, wants, wants.outputTokens, wants.searches)) + 1;
        expect(allowanceWithin(enough, table, wants)).toEqual({ outputTokens: wants.outputTokens, searches: wants.searches });
      }),
    );
  });

  it('do not exist for a reservation that covers no answer: the error says what is missing and that nothing was charged', () => {
    const table = {
      inputMicrosPerMillionTokens: 0,
      cachedInputMicrosPerMillionTokens: 0,
      outputMicrosPerMillionTokens: 15_000_000,
      perSearchMicros: 10_000,
    };
    const wants = { promptTokens: 10, outputTokens: 16_000, searches: 5, fewestSearches: 1, inputTokensPerSearch: 0 };
    expect(() => allowanceOf(24_999, table, wants)).toThrow(
      expect.objectContaining({
        errorClass: 'invalid_request',
        message: expect.stringMatching(/24999 micro-dollars .* 25000 .* minReserveCents/),
        details: { runEnded: true, charge: { micros: 0, provenance: 'computed' } },
      }) as Error,
    );
    expect(allowanceOf(25_000, table, wants)).toEqual({ outputTokens: 1000, searches: 1 });
  });
});
