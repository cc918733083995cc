import type { Pool } from 'pg';
import { FINAL_JOB_EVENTS } from '@lib/domain/job/events';
import { MICROS_PER_CENT } from '@lib/domain/money';

export interface BalanceDifferences {
  tenants: number;
  /** Jobs that hold or held something. */
  jobs: number;
  /** One line for each transaction or balance that is not what the events and the operator's changes say. */
  differences: string[];
}

const number = (value: string): string => `case when jsonb_typeof(${value}) = 'number' then (${value})::numeric end`;

/** What jobs move, by their events alone: amounts are rounded up once, and nobody pays more than was held. */
const EXPECTED = `
  holding as (
    select held.stream_id as job_id, first.facts ->> 'tenantId' as tenant_id, ${number("held.facts -> 'cents'")} as held,
      final.type is not null as is_final, ${number("final.facts -> 'chargedMicros'")} as charged
    from event as held join event as first on first.stream_id = held.stream_id and first.version = 1
    left join event as final on final.stream_id = held.stream_id and final.type in (${FINAL_JOB_EVENTS.map((type) => `'${type}'`).join(', ')})
    where held.type = 'BalanceReserved'),
  expected as (
    select tenant_id, job_id, 'reservation' as kind, -held as cents, held as reserved_cents from holding
    union all
    select tenant_id, job_id, 'settlement', held - least(held, ceil(charged / ${MICROS_PER_CENT})), -held from holding where is_final)`;

const TRANSACTIONS = `with ${EXPECTED},
  stored as (
    select tenant_id, job_id, kind, sum(cents) as cents, sum(reserved_cents) as reserved_cents
    from balance_transaction where kind not in ('top_up', 'adjustment') group by tenant_id, job_id, kind)
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
 * Adds up what every balance must be by the events of jobs and the operator's changes, and compares it with what is stored, at one moment:
 * the service may go on meanwhile.
 */
export async function balanceDifferences(pool: Pool): Promise<BalanceDifferences> {
  const client = await pool.connect();
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const { rows: transactions } = await client.query<OfJob>(TRANSACTIONS);
    const { rows: balances } = await client.query<Compared>(BALANCES);
    const { rows: counted } = await client.query<{ jobs: number }>(JOBS);
    await client.query('commit');
    const wrong = balances.filter(({ expected, stored }) => shown(expected) !== shown(stored));
    return {
      tenants: balances.length,
      jobs: counted[0]?.jobs ?? 0,
      differences: [
        ...transactions.map((row) => `${row.kind} of ${row.job ?? 'no job'}, tenant ${row.tenant ?? 'unknown'}: ${difference(row)}`),
        ...wrong.map((row) => `balance of ${row.tenant ?? 'an unknown tenant'}: ${difference(row)}`),
      ],
    };
  } finally {
    // What broke off leaves its transaction behind.
    client.release(true);
  }
}

const shown = (amounts: object | null): string => (amounts === null ? 'nothing' : JSON.stringify(amounts));

const difference = ({ expected, stored }: Compared): string => `the history says ${shown(expected)}, stored is ${shown(stored)}`;
