import { centsFromMicros } from './money';

/**
 * Why a tenant's balance changed. An operator makes a `top_up` or an `adjustment`; a job makes a `reservation` at its creation and a `settlement` at
 * its end.
 */
export const BALANCE_CHANGES = ['top_up', 'adjustment', 'reservation', 'settlement'] as const;
export type BalanceChange = (typeof BALANCE_CHANGES)[number];

/** Both are cents, and zero or more: the amount that jobs may still reserve, and the amount that open jobs hold. */
export interface Balance {
  availableCents: number;
  reservedCents: number;
}

/** No balance grows beyond ten billion dollars, so that sums of balances stay exact numbers. */
export const MAX_BALANCE_CENTS = 1e12;

/** What an ended job takes from its tenant's balance: its total, rounded up once as everywhere, and never more than it held. */
export const settledCents = (reservedCents: number, chargedMicros: number): number =>
  Math.min(reservedCents, centsFromMicros(chargedMicros));
