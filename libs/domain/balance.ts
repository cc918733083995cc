import { centsFromMicros } from './money';

/**
 * Kinds of changes of a tenant's balance. `top_up` and `adjustment` are made by the operator; a job causes `reservation` when it is created and
 * `settlement` when it ends.
 */
export const BALANCE_CHANGES = ['top_up', 'adjustment', 'reservation', 'settlement'] as const;
export type BalanceChange = (typeof BALANCE_CHANGES)[number];

/** In cents, zero or more: what jobs may still reserve, and what open jobs hold. */
export interface Balance {
  availableCents: number;
  reservedCents: number;
}

/** No balance grows beyond ten billion dollars, so that sums of balances stay exact numbers. */
export const MAX_BALANCE_CENTS = 1e12;

/** What an ended job costs its tenant's balance: its total, rounded up once, and never more than the job reserved. */
export const settledCents = (reservedCents: number, chargedMicros: number): number =>
  Math.min(reservedCents, centsFromMicros(chargedMicros));
