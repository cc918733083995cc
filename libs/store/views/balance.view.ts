import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { BALANCE_CHANGES, type BalanceChange } from '@lib/domain/balance';

import { Enumeration, Identifier, ListOf, Text, Timestamp } from './schema';

/** Cents beyond 2^31, of either sign. */
const Cents = (example: number, options: { minimum?: number; nullable?: boolean } = {}): PropertyDecorator =>
  ApiProperty({ type: 'integer', format: 'int64', example, ...options });

/** Something that moved the balance. */
@ApiSchema({ name: 'BalanceTransaction' })
export class BalanceTransactionView {
  @Identifier('txn')
  id!: string;

  /** `top_up` and `adjustment` are the operator's. A job has a `reservation` at its creation and a `settlement` at its end. */
  @Enumeration('BalanceChange', BALANCE_CHANGES)
  kind!: BalanceChange;

  /** What it moved the balance by: less than zero for a reservation, what was not spent of it for a settlement. */
  @Cents(1488)
  amountCents!: number;

  /** What the job cost; null for what is no settlement. */
  @Cents(12, { minimum: 0, nullable: true })
  costCents!: number | null;

  /** Null for the operator's. It may be gone by now. */
  @Identifier('job', { nullable: true })
  jobId!: string | null;

  /** The operator's own; null for jobs. */
  @Text('invoice-2026-117', { nullable: true })
  reference!: string | null;

  @Timestamp()
  createdAt!: string;
}

/** What a tenant's jobs may cost. */
@ApiSchema({ name: 'Balance' })
export class BalanceView {
  /** Whether a job needs its cap on the balance to be created. */
  isRequired!: boolean;

  /** What new jobs may reserve: the sum of all `amountCents`. */
  @Cents(8500, { minimum: 0 })
  balanceCents!: number;

  /** What open jobs hold of it beside that; at its end each gives back what it did not cost. */
  @Cents(1500, { minimum: 0 })
  reservedCents!: number;

  /** Newest first; null unless asked for. */
  @ListOf(BalanceTransactionView, { nullable: true })
  transactions!: BalanceTransactionView[] | null;

  /** The `cursor` of the next page; null if there is none. */
  @Text('dHhuXzAxamQ2eHc4azJlNHp2cTdoM201bjlwMHJz', { nullable: true })
  nextCursor!: string | null;
}
