import { USUAL_SCOPES } from '@lib/domain/scopes';
import { listKeys } from '@lib/store/access/api-keys';
import { ensureKey } from '@lib/store/access/ensure-key';
import { generateKey } from '@lib/store/access/key-format';
import type { KeyStore } from '@lib/store/access/stored-key';
import { rowHmac } from '@lib/store/access/row-hmac';
import { createKeyVerifier } from '@lib/store/access/verify-key';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { createMigratedDatabase, type TestDatabase } from '../servers/database';
import { createKey, revokeKey } from '../support/keys';

let database: TestDatabase;
let pool: Pool;
let store: KeyStore;

beforeAll(async () => {
  database = await createMigratedDatabase();
  pool = createPool(database.url, 2);
  store = { pool, pepper: 'a pepper of some length' };
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it('the HMAC of a row without limits is that of before keys had any', () => {
  const row = { keyId: '0aB1cD2eF3gH', tenantId: 'acme', name: 'production', hmac: Buffer.from('hmac'), scopes: ['threads:read'] };
  const times = { createdAt: new Date('2026-11-01T00:00:00.000Z'), expiresAt: null, revokedAt: null };
  const hmac = (limits: { openJobs: number } | null) => rowHmac({ ...row, ...times, limits }, 'a pepper of sixteen').toString('hex');
  expect(hmac(null)).toBe('067b6a7a63e5263de9c86d8f33a391f8e4918e5f09b17b00833e1a61df6a9423');
  expect(hmac({ openJobs: 1 })).not.toBe(hmac(null));
});

const storedText = async () => JSON.stringify((await pool.query('select * from api_key')).rows);

it('a created key works for its tenant, and is stored nowhere', async () => {
  const keyText = await createKey(store, 'acme', 'laptop');
  const other = await createKey(store, 'globex', null);
  const verify = createKeyVerifier(store);
  expect(await verify(keyText)).toEqual({ keyId: keyText.slice(8, 20), tenantId: 'acme', scopes: USUAL_SCOPES, keyLimits: null });
  expect(await verify(other)).toEqual({ keyId: other.slice(8, 20), tenantId: 'globex', scopes: USUAL_SCOPES, keyLimits: null });
  expect(await storedText()).not.toContain(keyText.slice(21, 53));
});

it('keys are listed without secrets, oldest first', async () => {
  const first = await createKey(store, 'lister', 'one');
  const second = await createKey(store, 'lister', null);
  await revokeKey(store, second.slice(8, 20));
  const usual = { tenantId: 'lister', scopes: USUAL_SCOPES, createdAt: expect.any(Date), expiresAt: null, lastUsedAt: null };
  expect(await listKeys(store, 'lister')).toEqual([
    { ...usual, keyId: first.slice(8, 20), name: 'one', revokedAt: null },
    { ...usual, keyId: second.slice(8, 20), name: null, revokedAt: expect.any(Date) },
  ]);
  expect(await listKeys(store, 'nobody')).toEqual([]);
  expect((await listKeys(store)).length).toBeGreaterThanOrEqual(2);
});

it('a revoked key stops working, and is revoked once', async () => {
  const keyText = await createKey(store, 'acme', null);
  const keyId = keyText.slice(8, 20);
  expect(await revokeKey(store, keyId)).toBe(true);
  expect(await createKeyVerifier(store)(keyText)).toBeNull();
  expect(await revokeKey(store, keyId)).toBe(false);
  expect(await revokeKey(store, 'unknown')).toBe(false);
});

it('a key is refused when it is unknown, has another secret, or was stored under another pepper', async () => {
  const keyText = await createKey(store, 'acme', null);
  const verify = createKeyVerifier(store);
  expect(await verify(generateKey().keyText)).toBeNull();
  expect(await createKeyVerifier({ pool, pepper: 'another pepper' })(keyText)).toBeNull();

  const imposter = generateKey();
  await pool.query('update api_key set key_id = $1 where key_id = $2', [imposter.keyId, keyText.slice(8, 20)]);
  expect(await verify(imposter.keyText)).toBeNull();
});

it('a mistyped key is refused without the database, and a verified one is remembered', async () => {
  const broken = createPool('postgresql://nobody@127.0.0.1:1/none', 1);
  const keyText = await createKey(store, 'acme', null);
  const typo = keyText.slice(0, -1) + (keyText.endsWith('0') ? '1' : '0');
  const source = { ...store };
  const verify = createKeyVerifier(source);
  await verify(keyText);

  source.pool = broken;
  expect(await verify(typo)).toBeNull();
  expect(await verify(keyText)).toMatchObject({ tenantId: 'acme' });
  await expect(verify(generateKey().keyText)).rejects.toThrow(StoreUnavailable);
  await broken.end();
});

it('a connection that the server ends is an outage, and a new one is made', async () => {
  const keyText = await createKey(store, 'acme', null);
  await pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()');
  const outcomes: unknown[] = [];
  for (let attempt = 0; attempt < 4; attempt += 1)
    outcomes.push(await Promise.resolve(createKeyVerifier(store)(keyText)).catch((error: unknown) => error));
  expect(outcomes.at(-1)).toMatchObject({ tenantId: 'acme' });
  for (const outcome of outcomes) if (outcome instanceof Error) expect(outcome).toBeInstanceOf(StoreUnavailable);
});

describe('a key that the operator chose', () => {
  it('is made once', async () => {
    const { keyText } = generateKey();
    await ensureKey(store, keyText, 'chosen');
    await ensureKey(store, keyText, 'chosen');
    expect(await createKeyVerifier(store)(keyText)).toMatchObject({ tenantId: 'chosen' });
    expect(await listKeys(store, 'chosen')).toHaveLength(1);
  });

  it('is made once also when two processes start at the same time', async () => {
    const { keyText } = generateKey();
    await Promise.all([1, 2, 3].map(() => ensureKey(store, keyText, 'race')));
    expect(await listKeys(store, 'race')).toHaveLength(1);
  });

  it.each([
    ['no key', () => 'hunter2', /rt_live_<id>_<secret><checksum>/],
    ['revoked', async () => revoked(), /was revoked/],
    [
      'expired',
      () => createKey(store, 'chosen', null, { expiresAt: new Date(Date.now() - 1_000).toISOString() }),
      /has expired; use another one/,
    ],
    ['of another tenant', () => createKey(store, 'somebody-else', null), /belongs to the tenant somebody-else/],
  ])('is refused if it is %s', async (_, make, message) => {
    await expect(ensureKey(store, await make(), 'chosen')).rejects.toThrow(message);
  });

  it('is refused under another pepper, with the remedy', async () => {
    const keyText = await createKey(store, 'chosen', null);
    await expect(ensureKey({ pool, pepper: 'another pepper' }, keyText, 'chosen')).rejects.toThrow(/restore the pepper/);
  });

  const revoked = async () => {
    const keyText = await createKey(store, 'chosen', null);
    await revokeKey(store, keyText.slice(8, 20));
    return keyText;
  };
});

it.each(['', ' ', '-a', 'a b', 'ä', 'a\0', 'a'.repeat(65), "'; drop table tenant"])('the tenant id %j is refused', async (tenantId) => {
  await expect(createKey(store, tenantId, null)).rejects.toThrow(/The tenant id .* must start with/);
});
