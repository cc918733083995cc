import type { Provenance } from './vocabulary';

/** What a provider billed for a run, in its own micro-dollars without any markup, and how we know. */
export interface Charge {
  micros: number;
  provenance: Provenance;
}

/** A million dollars for one run is somebody's mistake; sums of such amounts, with the largest markup, stay exact. */
export const LARGEST_CHARGE_MICROS = 1e12;

/** Money is integer micro-dollars inside and integer cents outside. */
export const MICROS_PER_CENT = 10_000;

export const microsFromCents = (cents: number): number => cents * MICROS_PER_CENT;

/** Rounds up, so that the sum of what is shown never falls below what was spent. Call it once, on a job's total. */
export const centsFromMicros = (micros: number): number => Math.ceil(micros / MICROS_PER_CENT);

/** A markup is a share of the provider's price, in basis points: 100 are one percent. */
const MARKUP_UNIT = 10_000;

/** What the customer pays for what a provider billed, rounded up. Whole units first, so that no product leaves the exact integers. */
export function withMarkup(providerMicros: number, markupBasisPoints: number): number {
  const rest = providerMicros % MARKUP_UNIT;
  const whole = (providerMicros - rest) / MARKUP_UNIT;
  return providerMicros + whole * markupBasisPoints + Math.ceil((rest * markupBasisPoints) / MARKUP_UNIT);
}

/** The most that a provider may bill so that the customer pays no more than this, rounded down. */
export function withoutMarkup(customerMicros: number, markupBasisPoints: number): number {
  const marked = MARKUP_UNIT + markupBasisPoints;
  const rest = customerMicros % marked;
  return ((customerMicros - rest) / marked) * MARKUP_UNIT + Math.floor((rest * MARKUP_UNIT) / marked);
}
