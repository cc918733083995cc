import { readLoggedEvents } from '@lib/store/log/logged-events';
import { createPool } from '@lib/store/postgres/pool';
import { createMigratedDatabase } from '../servers/database';

const OTHERS = 40_000;

interface Plan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

it('reads a page of a tenant without a look at what happened to others, whatever the filters', async () => {
  const database = await createMigratedDatabase();
  const pool = createPool(database.url, 1);
  // Every thousandth event is of one tenant, the others are of another one.
  const stream = `'job_' || case when n % 1000 = 0 then 'mine' else lpad((n / 10)::text, 26, '0') end`;
  await pool.query(`insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash, tenant_id)
    select ${stream}, n, 'evt_' || n, 'StepStarted', 1, '{}', '{"actor": "role:saga", "occurredAt": "2026-11-21T09:30:00.000Z"}', '', '',
      case when n % 1000 = 0 then 'mine' else 'other' end from generate_series(1, ${OTHERS}) as n`);
  await pool.query(`insert into log_entry (index, stream_id, version, leaf_hash) select n - 1, ${stream}, n, '\\x0123456789abcdef'
    from generate_series(1, ${OTHERS}) as n`);
  await pool.query('analyze');
  const page = { after: { index: 1999, leaf: '0123456789abcdef' }, limit: 10 };
  const read = await readLoggedEvents(pool, 'mine', { actor: 'role:saga' }, page);
  expect(read?.rows.map(({ version }) => version)).toEqual(Array.from({ length: 10 }, (_, at) => 3000 + at * 1000));
  const parameters = [
    `'mine', 1999, 11, 10, null, null, null, null, null`,
    `'mine', 1999, 1000, 10, null, 'JobCompleted', null, null, null`,
  ];
  for (const values of parameters) {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, buffers, format json) execute logged_events(${values})`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    const pages = (plan?.['Shared Hit Blocks'] ?? Infinity) + (plan?.['Shared Read Blocks'] ?? Infinity);
    // A few for each of the forty events of the tenant; the table of events alone has over a thousand.
    expect(pages).toBeLessThan(400);
  }
  await pool.end();
  await database.drop();
});
