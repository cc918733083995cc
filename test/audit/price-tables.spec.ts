import type { AuditedEvent } from '@lib/audit/audited-event';
import { PriceTables } from '@lib/audit/bundle/prices';
import { lineOf } from '@lib/audit/format/bundle/lines';
import { costOf, Prices } from '@lib/providers/prices';
import { readPriceTables } from '@lib/settings/price-tables';

/** As provider-a has it in the file that we ship. */
const PRICES: Prices = Object.assign(new Prices(), {
  inputMicrosPerMillionTokens: 250_000,
  cachedInputMicrosPerMillionTokens: 62_500,
  outputMicrosPerMillionTokens: 2_500_000,
  perSearchMicros: 5_000,
});
const USAGE = { inputTokens: 12_345, cachedInputTokens: 1_001, outputTokens: 777, searches: 3 };
const charge = costOf(USAGE, PRICES, 1);
const eventWith = (facts: object) => ({ streamId: 'job_1', version: 5, facts }) as unknown as AuditedEvent;

it('finds the table that a charge names among those of the providers file, and computes the charge again', () => {
  const sha256 = charge.pricesSha256 ?? '';
  const prices = readPriceTables(undefined).get(sha256);
  expect(prices).toEqual({ ...PRICES });
  const tables = new PriceTables();
  tables.add(lineOf({ sha256, prices }).trimEnd());
  expect(tables.faultOf(eventWith({ charge }))).toBeNull();
  expect(tables.faultOf(eventWith({ charge: { ...charge, micros: charge.micros + 1 } }))).toMatchObject({
    ...{ streamId: 'job_1', version: 5, field: 'facts.charge' },
    what: `says ${charge.micros + 1} micro-dollars, and by its usage and price table it is ${charge.micros}`,
  });
  // Each of several calls is rounded up on its own.
  expect(tables.faultOf(eventWith({ charge: { ...charge, micros: charge.micros + 1 }, calls: [{}, {}] }))).toBeNull();
});

it('says nothing of a charge that was reported, and counts those whose table is null', () => {
  const tables = new PriceTables();
  tables.add(lineOf({ sha256: charge.pricesSha256, prices: null }).trimEnd());
  expect(tables.faultOf(eventWith({ charge: { ...charge, micros: 1 } }))).toBeNull();
  expect(tables.unchecked).toBe(1);
  expect(tables.faultOf(eventWith({ charge: { micros: 1, provenance: 'reported' } }))).toBeNull();
  expect(tables.faultOf(eventWith({}))).toBeNull();
  expect(tables.unchecked).toBe(1);
});
