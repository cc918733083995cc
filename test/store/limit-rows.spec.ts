import type { LimitChanges, Limits } from '@lib/domain/limits';
import { limitKey, revokeKey } from '@lib/store/access/api-keys';
import { LimitReads } from '@lib/store/limits/limit-reads';
import { setLimits } from '@lib/store/limits/tenant-limits';
import { createKey } from '../support/keys';
import { createTestStore, META, type TestStore } from '../support/store';
import { HOLD } from '../support/hold';
import { viewDifferences } from '../support/view-differences';

let test: TestStore;
beforeAll(async () => (test = await createTestStore()));
afterAll(() => test.close());

const keys = () => ({ pool: test.store.pool, pepper: 'a pepper of sixteen' });
const idOf = (keyText: string): string => keyText.slice(8, 20);
const set = (changes: LimitChanges) => setLimits(test.store.pool, { tenantId: 'acme', changes }, META);
const setOfKey = (keyId: string, changes: LimitChanges) => limitKey(keys(), { tenantId: 'acme', keyId, changes }, META);
const differences = async (pool = test.store.pool) => (await viewDifferences(pool, 30_000)).differences;

it('the stored limits are what the history of the tenant says, also once they were lifted', async () => {
  await set({ requestsPerMinute: 60, burst: null, dailyCents: 0 });
  await setOfKey(idOf(await createKey(keys(), 'acme', null, { limits: { openJobs: 7 } })), { requestsPerMinute: 6 });
  const other = idOf(await createKey(keys(), 'acme', null));
  await setOfKey(other, { burst: 6 });
  await setOfKey(other, { burst: undefined });
  expect(await differences()).toEqual([]);
});

it('changes of different limits at the same time are all kept', async () => {
  const changes: LimitChanges[] = [{ requestsPerMinute: 60 }, { burst: 5 }, { openJobs: 4 }, { warningCents: 3 }, { dailyCents: 2 }];
  const keyId = idOf(await createKey(keys(), 'acme', null));
  await Promise.all(changes.flatMap((change) => [set(change), setOfKey(keyId, change)]));
  const all = Object.assign({}, ...changes) as Limits;
  expect([await set({}), await setOfKey(keyId, {})]).toEqual([all, all]);
});

it('a key that is revoked gets no limits', async () => {
  const keyId = idOf(await createKey(keys(), 'acme', null));
  await revokeKey(keys(), keyId, META);
  await expect(setOfKey(keyId, { openJobs: 3 })).rejects.toMatchObject({ code: 'key_not_found' });
});

it('a row of a key that an earlier build wrote limits its requests until the key is changed, and says nothing of its jobs', async () => {
  const keyId = idOf(await createKey(keys(), 'earlier', null));
  const { pool } = test.store;
  await pool.query(`insert into tenant_limit values ('earlier', $1, '{"requestsPerMinute": 6, "openJobs": null}')`, [keyId]);
  const ofKey = async (keyLimits: Limits | null) =>
    (await new LimitReads(pool, { tenant: {}, key: { openJobs: 3, burst: 2 } }).of({ tenantId: 'earlier', keyId, keyLimits })).key;
  expect(await ofKey(null)).toEqual({ requestsPerMinute: 6, openJobs: 3, burst: 2 });
  const changed = await limitKey(keys(), { tenantId: 'earlier', keyId, changes: { openJobs: 9 } }, META);
  expect(await ofKey(changed)).toEqual({ openJobs: 9, burst: 2 });
  expect(await ofKey(null)).toEqual({ openJobs: 3, burst: 2 });
});

it.each([
  ['raised', `update tenant_limit set limits = '{"requestsPerMinute": 6000}' where key_id = ''`],
  ['given to another tenant', `update tenant_limit set tenant_id = 'globex'`],
  ['removed', 'delete from tenant_limit'],
  ['raised for a key', `update api_key set limits = '{"openJobs": 7000}' where limits is not null`],
  ['removed for a key', 'update api_key set limits = null'],
  ['added for a key', `insert into tenant_limit select 'acme', key_id, '{"burst": 1}' from api_key where limits is null`],
  ['added', `insert into tenant_limit values ('globex', '', '{"openJobs": 0}')`],
])('verify-views finds limits that were %s by a writer on the database', async (_, change) => {
  const client = await test.store.pool.connect();
  await client.query(HOLD);
  await client.query(change);
  const found = await differences(client as unknown as TestStore['store']['pool']);
  await client.query('rollback');
  client.release();
  expect(found).toEqual(expect.arrayContaining([expect.stringMatching(/^(limits (acme|globex)\/|key \w+ limits)/)]));
});
