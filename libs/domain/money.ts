import type { Provenance } from './vocabulary';

/** What a run cost, in micro-dollars, and how we know. */
export interface Charge {
  micros: number;
  provenance: Provenance;
}

/** Money is integer micro-dollars inside and integer cents outside. */
export const MICROS_PER_CENT = 10_000;

export const microsFromCents = (cents: number): number => cents * MICROS_PER_CENT;

/** Rounds up, so that the sum of what is shown never falls below what was spent. Call it once, on a job's total. */
export const centsFromMicros = (micros: number): number => Math.ceil(micros / MICROS_PER_CENT);
