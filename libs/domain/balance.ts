import { centsFromMicros } from './money';

/**
 * What a tenant's balance moved by. `top_up` and `adjustment` are the operator's; `reservation` and `settlement` are those of a job, at its
 * creation and its end.
 */
export const BALANCE_CHANGES = ['top_up', 'adjustment', 'reservation', 'settlement'] as const;
export type BalanceChange = (typeof BALANCE_CHANGES)[number];

/** Both are cents, and zero or more: what jobs may still reserve, and what open jobs hold. */
export interface Balance {
  availableCents: number;
  reservedCents: number;
}

/** No balance grows beyond ten billion dollars, so that sums of balances stay exact numbers. */
export const MAX_BALANCE_CENTS = 1e12;

/** What an ended job costs its tenant's balance: its total, rounded up once as everywhere, and never more than it held. */
export const settledCents = (reservedCents: number, chargedMicros: number): number =>
  Math.min(reservedCents, centsFromMicros(chargedMicros));
