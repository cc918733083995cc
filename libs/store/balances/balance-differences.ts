import type { ClientBase, Pool } from 'pg';
import { inTransaction, SNAPSHOT } from '../postgres/transaction';
import { HELD_OF_BALANCES, number } from './held-of-balances';

export interface BalanceDifferences {
  tenants: number;
  /** Jobs that hold or held something. */
  jobs: number;
  /** One line for each transaction or balance that differs from the events and the operator's changes. */
  differences: string[];
}

/** The sums of threads whose histories were removed, from the tenant's event that records the removal. */
const REMOVED = `removed as (
    select of_thread.thread_id, of_thread.tenant_id, ${number("skeleton -> 'balance' -> 'reservedCents'")} as held,
      ${number("skeleton -> 'balance' -> 'chargedCents'")} as charged
    from removed_stream as of_thread join event as record on record.stream_id = 'ten_' || of_thread.tenant_id and record.version = of_thread.recorded_in
      cross join lateral jsonb_array_elements(record.facts -> 'threads') as skeleton
    where of_thread.stream_id = of_thread.thread_id and of_thread.removed_at is not null and record.type = 'SkeletonsRemoved'
      and skeleton ->> 'threadId' = of_thread.thread_id)`;

/** The amounts that jobs move; those of a removed thread are combined under its id. */
const EXPECTED = `${HELD_OF_BALANCES()}, ${REMOVED},
  holding as (
    select tenant_id, job_id, held, charged, is_final from held_of_balances
    union all select tenant_id, thread_id, held, charged, true from removed where held > 0),
  expected as (
    select tenant_id, job_id, 'reservation' as kind, -held as cents, held as reserved_cents from holding
    union all
    select tenant_id, job_id, 'settlement', held - charged, -held from holding where is_final)`;

const TRANSACTIONS = `with ${EXPECTED},
  stored as (
    select moved.tenant_id, coalesce(gone.thread_id, moved.job_id) as job_id, kind, sum(cents) as cents, sum(reserved_cents) as reserved_cents
    from balance_transaction as moved left join removed_stream as gone on gone.stream_id = moved.job_id and gone.removed_at is not null
    where kind not in ('top_up', 'adjustment') group by 1, 2, 3)
  select coalesce(expected.tenant_id, stored.tenant_id) as tenant, coalesce(expected.job_id, stored.job_id) as job,
    coalesce(expected.kind, stored.kind) as kind,
    case when expected.kind is not null then jsonb_build_object('cents', expected.cents, 'reservedCents', expected.reserved_cents) end as expected,
    case when stored.kind is not null then jsonb_build_object('cents', stored.cents, 'reservedCents', stored.reserved_cents) end as stored
  from expected full join stored on stored.tenant_id = expected.tenant_id and stored.job_id = expected.job_id and stored.kind = expected.kind
  where (expected.cents = stored.cents and expected.reserved_cents = stored.reserved_cents) is not true
  order by 1, 2, 3`;

const BALANCES = `with ${EXPECTED},
  moved as (
    select tenant_id, cents, reserved_cents from expected
    union all select tenant_id, cents, 0 from balance_transaction where kind in ('top_up', 'adjustment')),
  right_ones as (select tenant_id, sum(cents) as available, sum(reserved_cents) as reserved from moved group by tenant_id),
  counting as (
    select tenant_id, available_cents as cents, reserved_cents from balance
    union all select tenant_id, cents, reserved_cents from balance_transaction where not counted),
  stored as (select tenant_id, sum(cents) as available, sum(reserved_cents) as reserved from counting group by tenant_id)
  select coalesce(right_ones.tenant_id, stored.tenant_id) as tenant,
    jsonb_build_object('availableCents', coalesce(right_ones.available, 0), 'reservedCents', coalesce(right_ones.reserved, 0)) as expected,
    case when stored.tenant_id is not null then jsonb_build_object('availableCents', stored.available, 'reservedCents', stored.reserved) end as stored
  from right_ones full join stored on stored.tenant_id = right_ones.tenant_id
  order by 1`;

const JOBS = `select count(*)::int as jobs from event where type = 'BalanceReserved'`;

interface Compared {
  tenant: string | null;
  expected: object | null;
  stored: object | null;
}
type OfJob = Compared & { job: string | null; kind: string };

/**
 * Computes what every balance must be by the events of jobs and the operator's changes, and compares it with what is stored. All reads see one
 * moment, so the service may go on meanwhile.
 */
export async function balanceDifferences(pool: Pool): Promise<BalanceDifferences> {
  const read = async (client: ClientBase) => ({
    transactions: (await client.query<OfJob>(TRANSACTIONS)).rows,
    balances: (await client.query<Compared>(BALANCES)).rows,
    jobs: (await client.query<{ jobs: number }>(JOBS)).rows[0]?.jobs ?? 0,
  });
  const { transactions, balances, jobs } = await inTransaction(pool, read, SNAPSHOT);
  const wrong = balances.filter(({ expected, stored }) => shown(expected) !== shown(stored));
  return {
    tenants: balances.length,
    jobs,
    differences: [
      ...transactions.map((row) => `${row.kind} of ${row.job ?? 'no job'}, tenant ${row.tenant ?? 'unknown'}: ${difference(row)}`),
      ...wrong.map((row) => `balance of ${row.tenant ?? 'an unknown tenant'}: ${difference(row)}`),
    ],
  };
}

const shown = (amounts: object | null): string => (amounts === null ? 'nothing' : JSON.stringify(amounts));

const difference = ({ expected, stored }: Compared): string => `the history says ${shown(expected)}, stored is ${shown(stored)}`;
