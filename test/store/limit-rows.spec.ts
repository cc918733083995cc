import { setLimits } from '@lib/store/limits/tenant-limits';
import { viewDifferences } from '@lib/store/views/view-differences';
import { createTestStore, META, type TestStore } from '../support/store';

let test: TestStore;
beforeAll(async () => (test = await createTestStore()));
afterAll(() => test.close());

const set = (keyId: string | null, changes: object) => setLimits(test.store.pool, { tenantId: 'acme', keyId, changes }, META);
const differences = async (pool = test.store.pool) => (await viewDifferences(pool, 30_000)).differences;

it('the stored limits are what the history of the tenant says, also once they were lifted', async () => {
  await set(null, { requestsPerMinute: 60, burst: null, dailyCents: 0 });
  await set('0aB1cD2eF3gH', { requestsPerMinute: 6 });
  await set('otherkey0000', { burst: 6 });
  await set('otherkey0000', { burst: undefined });
  expect(await differences()).toEqual([]);
});

it.each([
  ['raised', `update tenant_limit set limits = '{"requestsPerMinute": 6000}' where key_id = ''`],
  ['given to another tenant', `update tenant_limit set tenant_id = 'globex'`],
  ['removed', 'delete from tenant_limit'],
  ['added', `insert into tenant_limit values ('globex', '', '{"openJobs": 0}')`],
])('verify-views finds limits that were %s by a writer on the database', async (_, change) => {
  const client = await test.store.pool.connect();
  await client.query('begin');
  await client.query(change);
  const found = await differences(client as unknown as TestStore['store']['pool']);
  await client.query('rollback');
  client.release();
  expect(found).toEqual(expect.arrayContaining([expect.stringMatching(/^limits (acme|globex)\//)]));
});
