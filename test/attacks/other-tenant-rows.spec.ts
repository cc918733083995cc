import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { forTenants } from '@lib/batching/named-tenants';
import { TABLES } from '@lib/store/postgres/privileges';
import { setLimits } from '@lib/store/limits/tenant-limits';
import { nameTenants } from '@lib/store/postgres/named-query';
import { openStore, type Store } from '@lib/store/store';
import { balanceDifferences } from '@lib/store/balances/balance-differences';
import { BalanceTable } from '@lib/store/balances/balance-table';
import { createPool } from '@lib/store/postgres/pool';
import { requireAllTenants } from '../../src/database';
import { sequence } from '../../src/audit/sequencer';
import { verifyHistories } from '../../src/audit/verify-histories';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createJob, META } from '../support/store';
import { createSeparatedDatabase, SEPARATED_ROLES, type SeparatedDatabase } from '../support/separated-roles';
import { onJob } from '../support/streams';
import { viewDifferences } from '../support/view-differences';

/**
 * The application's own filter is gone: whatever is asked for or written, in any words, as the api's role and for one tenant. (Whoever may also choose the
 * tenants that a statement names is not stopped by this wall.)
 */

const [MINE, OTHER] = ['mine', 'other'];
let database: SeparatedDatabase;
let owner: Client;
let intruder: Client;
let api: Store;
let service: Store;
const jobs: Record<string, { threadId: string; jobId: string; openJobId: string }> = {};

beforeAll(async () => {
  database = await createSeparatedDatabase();
  const settings = { connections: 2, masterKeys: [randomBytes(32)], leaseMs: 30_000, redispatchFirstMs: 10_000 } as never as Parameters<
    typeof openStore
  >[0];
  api = openStore({ ...settings, databaseUrl: database.urls.api });
  nameTenants(api.pool);
  service = openStore({ ...settings, databaseUrl: database.urls.service });
  owner = await connected(database.url);
  intruder = await connected(database.urls.api);
  const ownerPool = createPool(database.url, 1);
  for (const tenantId of [MINE, OTHER]) {
    await owner.query(`insert into tenant (id) values ('${tenantId}')`);
    await setLimits(ownerPool, { tenantId, changes: { openJobs: null } }, META);
    await owner.query(
      `insert into audit_read (tenant_id, key_id, route, request_id) values ('${tenantId}', 'key', '/v1/audit/events', 'request')`,
    );
    await owner.query(`insert into deletion_receipt (thread_id, tenant_id) values ('thr_of_${tenantId}', '${tenantId}')`);
    await owner.query(
      `insert into removed_stream (stream_id, thread_id, tenant_id, version, hash, recorded_in, removed_at)
        values ('job_gone_of_${tenantId}', 'thr_gone_of_${tenantId}', '${tenantId}', 7, '\\x00', 2, now())`,
    );
    await new BalanceTable(ownerPool).change({ tenantId, kind: 'top_up', cents: 5000, reference: 'first' });
    await forTenants([tenantId], async () => {
      const { threadId, jobId, stepIds } = await createJob(api, {
        tenantId,
        candidates: [candidate('provider-a')],
        balanceReservedCents: 100,
      });
      for (const stepId of stepIds) await onJob(service, jobId, start(stepId), report(stepId, 1, success()));
      await addWebhook(tenantId);
      await onJob(service, jobId, complete);
      const open = await createJob(api, { tenantId });
      jobs[tenantId] = { threadId, jobId, openJobId: open.jobId };
      await owner.query(COUNT_FOR_LIMITS, [open.jobId]);
    });
  }
  await ownerPool.end();
});
afterAll(async () => {
  for (const one of [owner, intruder]) await one?.end();
  for (const store of [api, service]) await store?.close();
  await database?.drop();
});

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
}

/** Counts an open job as one of a tenant with limits does. */
const COUNT_FOR_LIMITS = `
  with counted as (
    insert into limited_job (tenant_id, job_id, day, cents)
    select facts ->> 'tenantId', stream_id, (appended_at at time zone 'UTC')::date, (facts ->> 'budgetCapCents')::bigint
    from event where stream_id = $1 and version = 1 returning tenant_id, day, cents)
  insert into limit_usage (tenant_id, day, open_jobs, day_cents) select tenant_id, day, 1, cents from counted`;

const addWebhook = (tenantId: string) =>
  owner.query(
    `insert into webhook (id, tenant_id, event_types, enabled, sealed) values ('whk_${tenantId}', '${tenantId}', '{job.completed}', true, '\\x00')`,
  );

/** As the intruder, who names these tenants; nothing stays of it. */
async function attack(
  tenants: string | null,
  statement: string,
  values: unknown[] = [],
): Promise<{ count: number; code: string; rows: unknown[] }> {
  await intruder.query('begin');
  try {
    if (tenants !== null) await intruder.query(`select set_config('research_threads.tenants', $1, true)`, [tenants]);
    const { rowCount, rows } = await intruder.query(statement, values);
    await intruder.query('commit');
    return { count: rowCount ?? 0, code: 'done', rows };
  } catch (error) {
    await intruder.query('rollback');
    return { count: 0, code: String((error as { code?: string }).code), rows: [] };
  }
}

const REFUSED = '42501';
const ofTenants = Object.entries(TABLES).flatMap(([table, { api: privileges, rows }]) =>
  rows && privileges ? [{ table, privileges }] : [],
);

/** Everything that the database holds of the other tenant. */
async function others(): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const { table } of ofTenants) {
    const { rows } = await owner.query<{ row: string }>(`select ${table}::text as row from ${table} where ${ofOther(table)} order by 1`);
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}
const ofOther = (table: string): string =>
  ({ tenant: `id = '${OTHER}'`, webhook_delivery: `webhook_id = 'whk_${OTHER}'` })[table] ?? `tenant_id = '${OTHER}'`;

it('has something of the other tenant in each table', async () => {
  for (const [table, rows] of Object.entries(await others())) expect([table, rows.length > 0]).toEqual([table, true]);
});

describe.each(ofTenants)('of $table', ({ table, privileges }) => {
  it('nothing is seen by whoever names no tenant', async () => {
    for (const tenants of [null, '', ',', '%', '*', 'nobody']) {
      expect(await attack(tenants, `select 1 from ${table}`)).toMatchObject({ code: 'done', count: 0 });
    }
  });

  it('nothing of another tenant is seen without any filter', async () => {
    const seen = await attack(MINE, `select ${table}::text as row from ${table}`);
    const all = await owner.query(`select 1 from ${table} where not (${ofOther(table)})`);
    expect(seen).toMatchObject({ code: 'done', count: all.rowCount });
    const hidden = Object.values(await others()).flat();
    expect(seen.rows.filter((row) => hidden.includes((row as { row: string }).row))).toEqual([]);
  });

  it('nothing of another tenant is changed or removed', async () => {
    const before = await others();
    const column = /update \((\w+)\)/.exec(privileges)?.[1] ?? (await firstColumn(table));
    for (const statement of [
      `update ${table} set ${column} = ${column} where ${ofOther(table)}`,
      `delete from ${table} where ${ofOther(table)}`,
    ]) {
      const { count, code } = await attack(MINE, statement);
      expect([statement, count, code]).toEqual([statement, 0, expect.stringMatching(/^(done|42501)$/)]);
    }
    expect((await attack(MINE, `truncate ${table}`)).code).toBe(REFUSED);
    expect(await others()).toEqual(before);
  });

  it('nothing is written for another tenant, or moved to it', async () => {
    const before = await others();
    const { rows } = await owner.query<object>(`select * from ${table} where ${ofOther(table)} limit 1`);
    const columns = Object.keys(rows[0] ?? {}).filter((name) => name !== 'tx' && name !== 'position');
    const list = columns.join(', ');
    const copy = `insert into ${table} (${list}) select ${list} from jsonb_populate_record(null::${table}, $1)`;
    expect((await attack(MINE, copy, [JSON.stringify(rows[0])])).code).toBe(REFUSED);
    if (columns.includes('tenant_id')) expect((await attack(MINE, `update ${table} set tenant_id = '${OTHER}'`)).code).toBe(REFUSED);
    expect(await others()).toEqual(before);
  });
});

describe('through what the api may call', () => {
  const other = () => jobs[OTHER] as (typeof jobs)[string];
  const attempt = async (statement: string, values: unknown[] = []) => {
    const before = await others();
    const { code } = await attack(MINE, statement, values);
    return { code, changed: JSON.stringify(before) !== JSON.stringify(await others()) };
  };
  const WITHOUT_EFFECT = { code: 'done', changed: false };
  const NOT_ALLOWED = { code: REFUSED, changed: false };

  it('nothing of another tenant is erased', async () => {
    expect(await attempt('select erase_jobs($1)', [[other().jobId, other().openJobId]])).toEqual(WITHOUT_EFFECT);
    expect(await attempt('select erase_piece_of_thread($1, 500)', [other().threadId])).toEqual(WITHOUT_EFFECT);
    expect(await attempt('select bury_threads($1)', [[other().threadId]])).toEqual(WITHOUT_EFFECT);
    expect(await attempt('select erase_thread($1, $2)', [other().threadId, [other().jobId]])).toEqual(NOT_ALLOWED);
  });

  it('nothing is taken from the balance of another tenant', async () => {
    const values = [[OTHER], ['txn_x'], ['job_x'], [100], [0], [0], [], [], []];
    expect(await attempt('select reserve_balances($1, $2, $3, $4, $5, $6, $7, $8, $9)', values)).toMatchObject({ changed: false });
    expect(await attempt('select count_settlements($1, 10)', [[OTHER]])).toEqual(NOT_ALLOWED);
    expect(await attempt(`select change_balance($1, 'txn_y', 'top_up', 1, 'x', 100)`, [OTHER])).toEqual(NOT_ALLOWED);
  });

  it('nothing is hung onto what belongs to another tenant', async () => {
    const { threadId, jobId, openJobId } = other();
    const event = `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash, tenant_id)
      select $1, 99, 'evt_forged', 'StepStarted', 1, '{}', '{}', '', '', '${MINE}'`;
    for (const stream of [threadId, jobId, openJobId]) expect(await attempt(event, [stream])).toEqual(NOT_ALLOWED);
    const message = `insert into message (id, tenant_id, thread_id, version, role, created_at) values ('msg_forged', '${MINE}', $1, 9, 'user', now())`;
    expect(await attempt(message, [threadId])).toEqual(NOT_ALLOWED);
    const copied = `insert into job (id, tenant_id, thread_id, version, status, budget_tier, budget_cap_cents, created_at, cost_cents, steps)
      values ('job_forged', '${MINE}', $1, 1, 'queued', 'M', 1, now(), 0, '[]')`;
    expect(await attempt(copied, [threadId])).toEqual(NOT_ALLOWED);
    const due = `insert into agenda (job_id, kind, ref, due_at, look_at, tenant_id) values ($1, 'job deadline', 'forged', now(), now(), '${MINE}')`;
    for (const stream of [threadId, openJobId]) expect(await attempt(due, [stream])).toEqual(NOT_ALLOWED);
    expect(
      await attempt(`insert into thread_key (thread_id, kek_id, wrapped, tenant_id) values ($1, 'x', '', '${MINE}')`, [threadId]),
    ).toMatchObject({ changed: false });
    const told = `insert into webhook_delivery (webhook_id, event_id, type, occurred_at) values ('whk_${OTHER}', 'evt_forged', 'test', now())`;
    expect(await attempt(told)).toEqual(NOT_ALLOWED);
  });

  it('nothing of another tenant is told of the log', async () => {
    await sequence(service.pool);
    const entriesOf = async (named: string | null, tenant: string, streams: string[] | null = null) =>
      (await attack(named, 'select * from log_of_tenant($1, $2, -1, 1000)', [tenant, streams])).count;
    expect(await entriesOf(MINE, MINE)).toBeGreaterThan(0);
    expect(await entriesOf(MINE, MINE, [jobs[MINE]?.jobId ?? ''])).toBeGreaterThan(0);
    expect(await entriesOf(MINE, OTHER)).toBe(0);
    expect(await entriesOf(null, OTHER)).toBe(0);
    expect(await entriesOf(MINE, MINE, [other().jobId, other().threadId])).toBe(0);
    expect((await attack(MINE, 'select tenant_id from log_entry')).code).toBe(REFUSED);
  });

  it('nobody becomes more than the api', async () => {
    for (const statement of [
      `set role ${SEPARATED_ROLES.owner}`,
      `set role ${SEPARATED_ROLES.service}`,
      `set session authorization ${SEPARATED_ROLES.service}`,
      'select all_tenants()',
      'alter table event disable row level security',
      'drop policy tenants on event',
      'create table mine (id int)',
      'create function mine() returns int language sql as $$ select 1 $$',
      'alter function erase_jobs(text[]) reset all',
      'select * from api_key',
      'select * from keyed_request',
      'select * from provider_gate',
      `insert into tenant (id) values ('${MINE}2')`,
      'select admit_steps($$provider-a$$, 1, 1, 1, 1, 1)',
    ]) {
      expect([statement, (await attack(MINE, statement)).code]).toEqual([statement, REFUSED]);
    }
  });

  it('the policies are not put off by the session', async () => {
    await intruder.query('set row_security = off');
    expect((await attack(MINE, 'select 1 from event')).code).toBe(REFUSED);
    await intruder.query('set row_security = on');
  });
});

it('an audit sees every tenant, and refuses to look at some of them', async () => {
  const [audit, confined] = [createPool(database.urls.audit, 1), createPool(database.urls.api, 1)];
  const looked = await verifyHistories(audit, {}, () => undefined);
  const { rows } = await owner.query<{ streams: number }>('select count(distinct stream_id)::int as streams from event');
  expect(looked).toMatchObject({ streams: rows[0]?.streams, faults: [], unknown: [] });
  expect((await viewDifferences(audit, 30_000)).differences).toEqual([]);
  expect((await balanceDifferences(audit)).differences).toEqual([]);
  await expect(requireAllTenants(audit)).resolves.toBeUndefined();
  await expect(requireAllTenants(confined)).rejects.toThrow(/test_api does not see all tenants.*--as audit/);
  for (const pool of [audit, confined]) await pool.end();
});

it('rows of releases before, which name no tenant, are those of their stream', async () => {
  await owner.query('alter table event disable trigger user');
  const count = async (tenant: string) =>
    (await attack(tenant, 'select 1 from event')).count + (await attack(tenant, 'select 1 from thread_key')).count;
  const before = [await count(MINE), await count(OTHER)];
  await owner.query('update event set tenant_id = null');
  await owner.query('update thread_key set tenant_id = null');
  expect([await count(MINE), await count(OTHER)]).toEqual(before);
  expect(await count('nobody')).toBe(0);
});

const firstColumn = async (table: string): Promise<string> =>
  (await owner.query<{ name: string }>(`select attname as name from pg_attribute where attrelid = $1::regclass and attnum = 1`, [table]))
    .rows[0]?.name ?? '';
