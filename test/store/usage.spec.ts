import { createUsageReads, type ReadUsage } from '@lib/store/views/usage-reads';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { onJob } from '../support/streams';
import { sql, tampered } from '../support/tampering';
import { viewDifferences } from '../support/view-differences';

let test: TestStore;
let readUsage: ReadUsage;
/** Steps that cost 30, 12 and 7 cents; two that were charged 15 after their job's end, one of them in the same millisecond; one of an open job. */
beforeAll(async () => {
  test = await createTestStore();
  const { store } = test;
  readUsage = createUsageReads(store.pool);
  const reserve = { max: 400_000 };
  const candidates = () => [candidate('provider-a', reserve), candidate('provider-c', reserve)];
  const paid = await createJob(store, { candidates: candidates() });
  const [one = '', two = ''] = paid.stepIds;
  await onJob(store, paid.jobId, start(one), start(two), report(one, 1, success(300_000)), report(two, 1, success(120_000)), complete);
  const late = await createJob(store, { candidates: candidates() });
  const [done = '', lost = ''] = late.stepIds;
  const deadline = { type: 'ReachDeadline', phase: 'running' } as const;
  await onJob(store, late.jobId, start(done), start(lost), report(done, 1, success(70_000)), deadline, complete);
  await onJob(store, late.jobId, report(lost, 1, success(150_000)));
  const cancelled = await createJob(store, { candidates: [candidate('provider-b', reserve)] });
  const [running = ''] = cancelled.stepIds;
  await onJob(store, cancelled.jobId, start(running));
  // In one batch, so that both have the same time.
  await Promise.all([
    onJob(store, cancelled.jobId, { type: 'CancelJob' }),
    onJob(store, cancelled.jobId, report(running, 1, success(150_000))),
  ]);
  const open = await createJob(store, { candidates: [candidate('provider-d', reserve), candidate('provider-e', reserve)] });
  await onJob(store, open.jobId, start(open.stepIds[0] ?? ''), report(open.stepIds[0] ?? '', 1, success(90_000)));
});
afterAll(() => test.close());

const costs = async (): Promise<number[]> => {
  const { byProvider } = await readUsage({ tenantId: TENANT, from: null });
  return byProvider.map(({ costCents }) => costCents);
};
const LEASE_MS = 60_000;

it('tells what each provider’s steps were charged until their job ended', async () => {
  const { rows } = await test.store.pool.query<{ charges: number[] | null }>(
    `select jsonb_path_query_array(steps, '$[*].chargedMicros') as charges from job order by created_at`,
  );
  expect(rows.map(({ charges }) => charges)).toEqual([[300_000, 120_000], [], [], []]);
  expect(await costs()).toEqual([37, 0, 12, 0, 0]);
  expect(await viewDifferences(test.store.pool, LEASE_MS)).toMatchObject({ differences: [] });
});

it('tells the same of rows that an earlier build wrote, without charges', async () => {
  await test.store.pool.query(`update job set steps = (select jsonb_agg(step - 'chargedMicros') from jsonb_array_elements(steps) as step)`);
  expect(await costs()).toEqual([37, 0, 12, 0, 0]);
  expect(await viewDifferences(test.store.pool, LEASE_MS)).toMatchObject({ differences: [] });
});

it('tells the same where somebody has written a charge of an event otherwise', async () => {
  const respell = sql(`update event set facts = jsonb_set(facts, '{committedMicros}', (facts ->> 'committedMicros' || '.0')::jsonb)
    where facts ->> 'committedMicros' is not null`);
  const read = await tampered(test.store.pool, respell, (pool) => createUsageReads(pool)({ tenantId: TENANT, from: null }));
  expect(read.byProvider.map(({ costCents }) => costCents)).toEqual([37, 0, 12, 0, 0]);
});

it('takes a charge from the row where it stands there, and a wrong one is found by comparing the views', async () => {
  await test.store.pool.query(
    `update job set steps = (select jsonb_agg(step || '{"chargedMicros": 10000}') from jsonb_array_elements(steps) as step)`,
  );
  expect(await costs()).toEqual([2, 1, 2, 1, 1]);
  const { differences } = await viewDifferences(test.store.pool, LEASE_MS);
  expect(differences).toHaveLength(4);
});

it('is not stopped by a row whose steps somebody has changed to something else', async () => {
  await test.store.pool.query(`update job set steps = '[null]'`);
  expect((await viewDifferences(test.store.pool, LEASE_MS)).differences).toHaveLength(4);
});

it('adds up costs of any height', async () => {
  const tenantId = 'dear';
  for (let place = 0; place < 2; place += 1) await createJob(test.store, { tenantId });
  await test.store.pool.query('update job set cost_cents = 2000000000 where tenant_id = $1', [tenantId]);
  expect(await readUsage({ tenantId, from: null })).toMatchObject({ jobs: 2, costCents: 4_000_000_000 });
});
