import type { Pool } from 'pg';
import { MAX_BALANCE_CENTS, type Balance, type BalanceChange } from '@lib/domain/balance';
import { newId } from '../new-id';
import { rowsOf } from '../postgres/rows-of';

/** A change of a balance. The sum of all `cents` is what may still be reserved, the sum of all `reservedCents` what open jobs hold. */
export interface BalanceTransaction {
  id: string;
  kind: BalanceChange;
  cents: number;
  reservedCents: number;
  jobId: string | null;
  reference: string | null;
  createdAt: Date;
}

export interface TransactionPage {
  transactions: BalanceTransaction[];
  /** The last transaction of the page, if there are more. */
  next: string | null;
}

/** An operator's change. The reference makes it happen once, however often it is asked for. */
export interface OperatorChange {
  tenantId: string;
  kind: 'top_up' | 'adjustment';
  cents: number;
  reference: string;
}

/**
 * The outcome of a change. `repeated`: it was recorded before. The other failures change nothing either: the reference stands for another
 * change, or the balance would fall below zero or exceed the largest one.
 */
export interface ChangeOutcome {
  outcome: 'recorded' | 'repeated' | 'reference_reused' | 'insufficient' | 'too_large';
  balance: Balance;
}

/** The balance's row, and what it does not count yet. */
const BALANCE = {
  name: 'balance',
  text: `select (coalesce(max(available_cents), 0) + coalesce(sum(cents), 0))::float8 as available,
      (coalesce(max(balance.reserved_cents), 0) + coalesce(sum(fresh.reserved_cents), 0))::float8 as reserved
    from balance left join balance_transaction as fresh on fresh.tenant_id = balance.tenant_id and not fresh.counted
    where balance.tenant_id = $1`,
};

const TRANSACTIONS = {
  name: 'balance_transactions',
  text: `select id, kind, cents::float8, reserved_cents::float8 as "reservedCents", job_id as "jobId", reference, created_at as "createdAt"
    from balance_transaction where tenant_id = $1 and ($2::text is null or id < $2) order by id desc limit $3::int4`,
};

const CHANGE = 'select outcome, available, reserved from change_balance($1, $2, $3, $4::int8, $5, $6::int8)';

interface Amounts {
  available: number;
  reserved: number;
}

const balanceOf = ({ available, reserved }: Amounts): Balance => ({ availableCents: available, reservedCents: reserved });

/** Reads balances, and changes them for an operator. Jobs change them in the statement that commits their events. */
export class BalanceTable {
  constructor(private readonly pool: Pool) {}

  /** Zero for a tenant without any. */
  async read(tenantId: string): Promise<Balance> {
    const [row] = await rowsOf<Amounts>(this.pool, { ...BALANCE, values: [tenantId] });
    return balanceOf(row as Amounts);
  }

  /** Newest first. @param after the last one of the page before */
  async page(tenantId: string, after: string | null, limit: number): Promise<TransactionPage> {
    const rows = await rowsOf<BalanceTransaction>(this.pool, { ...TRANSACTIONS, values: [tenantId, after, limit + 1] });
    const transactions = rows.slice(0, limit);
    return { transactions, next: rows.length > limit ? (transactions.at(-1)?.id ?? null) : null };
  }

  async change({ tenantId, kind, cents, reference }: OperatorChange): Promise<ChangeOutcome> {
    const values = [tenantId, newId('txn'), kind, cents, reference, MAX_BALANCE_CENTS];
    const [row] = await rowsOf<Amounts & Pick<ChangeOutcome, 'outcome'>>(this.pool, { text: CHANGE, values });
    const { outcome, ...amounts } = row as Amounts & Pick<ChangeOutcome, 'outcome'>;
    return { outcome, balance: balanceOf(amounts) };
  }
}
