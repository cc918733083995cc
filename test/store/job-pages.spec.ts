import { Client, type Pool } from 'pg';
import { stuckJobs } from '@lib/store/agenda/stuck-jobs';
import { connectAlone } from '@lib/store/postgres/pool';
import { JOB_CURSORS, type JobCursor } from '@lib/store/views/job-cursor';
import { LOOKED_AT, readJobPage, type JobFilter } from '@lib/store/views/job-pages';
import { createUsageReads } from '@lib/store/views/usage-reads';
import { createTestStore, type TestStore } from '../support/store';

/** One tenant with more jobs than a page looks at, of which the oldest alone failed, among many tenants. */
const GROWN = 25_000;
const OTHERS = 20;

const startOf = (place: number): Date => new Date(Date.parse('2026-01-01T00:00:00Z') + place * 60_000);

let test: TestStore;
/** The service's own connections give up after 30 seconds, which so many rows at once take on a busy machine. */
async function seed(...statements: string[]): Promise<void> {
  const client = await connectAlone(test.databaseUrl);
  for (const statement of [...statements, 'analyze']) await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  test = await createTestStore();
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
  const series = `from generate_series(1, ${GROWN + 1000}) as n`;
  const tenant = `case when n <= ${GROWN} then 'large' else 'tenant-' || n % ${OTHERS} end`;
  const at = `timestamptz '2026-01-01 00:00:00+00' + n * interval '1 minute'`;
  await seed(
    `insert into thread (id, tenant_id, created_at, updated_at) select ${id('thr')}, ${tenant}, ${at}, ${at} ${series}`,
    `insert into job (id, tenant_id, thread_id, version, status, budget_tier, budget_cap_cents, created_at, cost_cents, steps)
      select ${id('job')}, ${tenant}, ${id('thr')}, 4, case when n = 1 then 'failed' else 'completed' end, 'M', 1500, ${at}, 0, '[]' ${series}`,
  );
});
afterAll(() => test.close());

async function pagesOf(filter: JobFilter, limit: number): Promise<{ ids: string[]; sizes: number[] }> {
  const pages: string[][] = [];
  let after: JobCursor | null = null;
  do {
    const { rows, next } = await readJobPage(test.store.pool, 'large', filter, after && { place: after }, limit);
    pages.push(rows.map(({ id }) => id));
    after = next && (JOB_CURSORS.placeIn(JOB_CURSORS.textOf(next)) ?? null);
  } while (after);
  return { ids: pages.flat(), sizes: pages.map(({ length }) => length) };
}

it('lists every job once, newest first, over all pages', async () => {
  const { ids } = await pagesOf({}, 1000);
  expect(ids).toHaveLength(GROWN);
  expect(ids).toEqual([...ids].sort().reverse());
});

it('looks at a bounded number of jobs for a page, and goes on after them until it has found the one that fits', async () => {
  const { ids, sizes } = await pagesOf({ status: 'failed' }, 20);
  expect(ids).toEqual([`job_${'1'.padStart(26, '0')}`]);
  expect(sizes).toEqual([...Array.from({ length: Math.floor(GROWN / LOOKED_AT) }, () => 0), 1]);
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** How the statements of a read were carried out. @param settings of the planner */
async function plansOf(read: (pool: Pool) => Promise<unknown>, settings = ''): Promise<PlanNode[]> {
  const plans: PlanNode[] = [];
  const client = new Client({ connectionString: test.databaseUrl, options: settings });
  await client.connect();
  const explain = async (statement: string | { text: string; values: unknown[] }, given: unknown[] = []) => {
    const { text, values } = typeof statement === 'string' ? { text: statement, values: given } : statement;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (analyze, format json) ${text}`, values);
    plans.push(...rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)));
    return test.store.pool.query({ text, values });
  };
  await read({ query: explain } as unknown as Pool).finally(() => client.end());
  return plans;
}

/** Rows of a table that were looked at, whether they fitted or not. */
const lookedAt = (plans: readonly PlanNode[], table: string): number =>
  plans
    .filter((node) => node['Relation Name'] === table)
    .reduce((sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'], 0);

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

it.each<[string, JobFilter, boolean]>([
  ['the first page', {}, false],
  ['a page in the middle', {}, true],
  ['a common status', { status: 'completed' }, false],
  ['a rare status', { status: 'failed' }, true],
  ['a tier', { budgetTier: 'M' }, false],
  ['a time', { createdFrom: new Date('2026-01-02'), createdBefore: new Date('2026-01-04') }, false],
  ['a thread', { threadId: `thr_${'77'.padStart(26, '0')}` }, false],
])('reads %s by an index in its order, and sorts nothing', async (_, filter, isLater) => {
  const after = { createdAt: new Date('2026-01-10'), id: `job_${'0'.repeat(26)}` };
  const plans = await plansOf((pool) => readJobPage(pool, 'large', filter, isLater ? { place: after } : null, 20));
  const jobs = plans.filter((node) => node['Relation Name'] === 'job');
  expect(jobs.length).toBeGreaterThan(0);
  for (const node of jobs) {
    expect(node['Node Type']).toMatch(/^Index (Only )?Scan$/);
    expect(node['Index Name']).toBe(filter.threadId === undefined ? 'job_by_tenant' : 'job_by_thread');
    expect(node['Rows Removed by Filter'] ?? 0).toBe(0);
    // PostgreSQL 15 reads one row ahead of those that it numbers.
    expect(node['Actual Rows'] * node['Actual Loops']).toBeLessThanOrEqual(LOOKED_AT + 1);
  }
  if (filter.threadId === undefined) expect(plans.map((node) => node['Node Type'])).not.toContain('Sort');
});

it.each([
  [10_001, true],
  [10_000, false],
  [9_999, false],
])('says of the usage of %i jobs that it is cut: %s', async (jobs, isCut) => {
  const from = startOf(GROWN - jobs + 1);
  expect(await createUsageReads(test.store.pool)({ tenantId: 'large', from })).toMatchObject({ jobs: Math.min(jobs, 10_000), isCut });
});

it('counts all jobs in the usage of a tenant where no beginning is given', async () => {
  expect(await createUsageReads(test.store.pool)({ tenantId: 'tenant-1', from: null })).toMatchObject({ jobs: 1000 / OTHERS });
});

it('looks through the jobs once for those that do not get on', async () => {
  const plans = await plansOf((pool) => stuckJobs(pool, null, 100));
  expect(lookedAt(plans, 'job')).toBe(GROWN + 1000);
});

describe('with a step’s end and the end of each job', () => {
  beforeAll(async () => {
    await seed(
      `update job set completed_at = created_at, steps = '[{"id":"step","provider":"provider-a","status":"completed"}]'`,
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
      select id, number, 'evt' || number || id, case number when 2 then 'JobCompleted' else 'StepCompleted' end, 1,
        '{"stepId":"step","committedMicros":1}', jsonb_build_object('occurredAt', created_at), '', '' from job, generate_series(1, 2) as number`,
    );
  });
  const usagePlans = () => plansOf((pool) => createUsageReads(pool)({ tenantId: 'large', from: null }), '-c enable_nestloop=off');

  it('reads for the usage of a tenant those of the jobs that it counts, and no others, even where the database would rather join', async () => {
    const events = lookedAt(await usagePlans(), 'event');
    expect(events).toBeGreaterThan(10_000);
    // The one before the job's end, and both to find that end.
    expect(events).toBeLessThanOrEqual((1 + 2) * 10_000);
  });

  it('reads none of them where the rows say what was charged', async () => {
    await seed(`update job set steps = jsonb_set(steps, '{0,chargedMicros}', '2')`);
    expect(lookedAt(await usagePlans(), 'event')).toBe(0);
  });
});
