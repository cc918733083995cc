import { listKeys } from '@lib/store/access/api-keys';
import { KeyUse } from '@lib/store/access/key-use';
import { createKeyVerifier } from '@lib/store/access/verify-key';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { createMigratedDatabase, type TestDatabase } from '../servers/database';
import { eventually } from '../messaging/eventually';
import { createKey } from '../support/keys';
import { viewDifferences } from '../support/view-differences';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createMigratedDatabase();
  pool = createPool(database.url, 3);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const NEVER_MS = 1_000_000;
const idOf = (keyText: string): string => keyText.slice(8, 20);
const lastUsed = async (keyText: string) => (await listKeys({ pool })).find(({ keyId }) => keyId === idOf(keyText))?.lastUsedAt ?? null;
const failed = (error: unknown) => {
  throw error;
};

/** The pool, and how often something was written through it. */
function counting(): { counted: Pool; writes: () => number } {
  let writes = 0;
  const query = (...given: unknown[]): unknown => {
    writes += 1;
    return (pool.query as (...parameters: unknown[]) => unknown)(...given);
  };
  return { counted: { query } as unknown as Pool, writes: () => writes };
}

it('is written some time after a request, and the key goes on', async () => {
  const store = { pool, pepper: 'a pepper of some length' };
  const keyText = await createKey(store, 'acme', null);
  const use = new KeyUse(pool, failed, 10);
  const verify = createKeyVerifier(store, undefined, (keyId) => use.note(keyId));
  expect(await lastUsed(keyText)).toBeNull();
  const before = Date.now();
  await verify(keyText);
  await eventually(true, async () => (await lastUsed(keyText)) !== null);
  expect(Math.abs(((await lastUsed(keyText))?.getTime() ?? 0) - before)).toBeLessThan(60_000);
  expect(await createKeyVerifier(store)(keyText)).toMatchObject({ tenantId: 'acme' });
  expect((await viewDifferences(pool, 30_000)).differences).toEqual([]);
});

it('is one write for however many requests, and none within half a minute of the last one', async () => {
  const store = { pool, pepper: 'a pepper of some length' };
  const keys = [await createKey(store, 'many', null), await createKey(store, 'many', null)];
  const { counted, writes } = counting();
  const use = new KeyUse(counted, failed, NEVER_MS);
  const verify = createKeyVerifier(store, undefined, (keyId) => use.note(keyId));
  for (let request = 0; request < 500; request += 1) await verify(keys[request % 2] ?? '');
  expect(writes()).toBe(0);
  await use.stop();
  expect(writes()).toBe(1);
  const [first] = await Promise.all(keys.map(lastUsed));
  expect(first).not.toBeNull();

  use.note(idOf(keys[0] ?? ''));
  await use.stop();
  expect(await lastUsed(keys[0] ?? '')).toEqual(first);
  await pool.query(`update api_key set last_used_at = now() - interval '31 seconds' where key_id = $1`, [idOf(keys[0] ?? '')]);
  use.note(idOf(keys[0] ?? ''));
  await use.stop();
  expect((await lastUsed(keys[0] ?? ''))?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Infinity);
});

it('waits for nobody who changes the key, and is written again after an outage', async () => {
  const store = { pool, pepper: 'a pepper of some length' };
  const keyText = await createKey(store, 'locked', null);
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from api_key where key_id = $1 for update', [idOf(keyText)]);
  const use = new KeyUse(pool, failed, NEVER_MS);
  use.note(idOf(keyText));
  await use.stop();
  await client.query('rollback');
  client.release();
  expect(await lastUsed(keyText)).toBeNull();

  const failures: unknown[] = [];
  let down = true;
  const query = (...given: unknown[]) =>
    down ? Promise.reject(new Error('the database is down')) : (pool.query as (...parameters: unknown[]) => unknown)(...given);
  const patient = new KeyUse({ query } as unknown as Pool, (error) => failures.push(error), 10);
  patient.note(idOf(keyText));
  await eventually(true, async () => failures.length > 0);
  down = false;
  await eventually(true, async () => (await lastUsed(keyText)) !== null);
});
