import { changeKey, listKeys, rotateKey } from '@lib/store/access/api-keys';
import { endedKeys } from '@lib/store/access/ended-keys';
import { findKeys } from '@lib/store/access/stored-key';
import { createKeyVerifier } from '@lib/store/access/verify-key';
import { Tenants } from '@lib/store/tenants/tenants';
import { verifyHistories } from '../../src/audit/verify-histories';
import { eventually } from '../messaging/eventually';
import { createKey, revokeKey } from '../support/keys';
import { historyOf } from '../support/histories';
import { createTestStore, META, type TestStore } from '../support/store';
import { viewDifferences } from '../support/view-differences';

let test: TestStore;
let keys: { pool: TestStore['store']['pool']; pepper: string };
beforeAll(async () => {
  test = await createTestStore();
  keys = { pool: test.store.pool, pepper: 'a pepper of some length' };
});
afterAll(() => test.close());

const idOf = (keyText: string): string => keyText.slice(8, 20);
const differences = async () => (await viewDifferences(keys.pool, 30_000)).differences;
const verified = () => verifyHistories(keys.pool, {}, () => undefined);

it('records who made and revoked a key, chained, and the rows say the same as the history', async () => {
  const first = await createKey(keys, 'acme', 'laptop');
  const second = await createKey(keys, 'acme', null, { scopes: ['audit:read', 'threads:read'], expiresAt: '2999-01-01T00:00:00.000Z' });
  expect(await revokeKey(keys, idOf(first))).toBe(true);
  expect(await revokeKey(keys, idOf(first))).toBe(false);

  const history = await historyOf(keys.pool, 'ten_acme');
  expect(history.map(({ type, facts, meta }) => [type, facts, meta.actor])).toEqual([
    ['TenantCreated', { tenantId: 'acme' }, META.actor],
    [
      'KeyCreated',
      { keyId: idOf(first), scopes: ['threads:read', 'threads:write', 'jobs:write', 'webhooks:write', 'audit:read'], expiresAt: null },
      META.actor,
    ],
    ['KeyCreated', { keyId: idOf(second), scopes: ['threads:read', 'audit:read'], expiresAt: '2999-01-01T00:00:00.000Z' }, META.actor],
    ['KeyRevoked', { keyId: idOf(first) }, META.actor],
  ]);
  expect(JSON.stringify(history)).not.toContain('laptop');
  expect(await differences()).toEqual([]);
  expect(await verified()).toMatchObject({ faults: [], unknown: [] });
});

it('numbers and chains what several processes record of one tenant at the same time', async () => {
  await Promise.all(Array.from({ length: 8 }, () => createKey(keys, 'crowded', null)));
  const history = await historyOf(keys.pool, 'ten_crowded');
  expect(history.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(await listKeys(keys, 'crowded')).toHaveLength(8);
  expect(await verified()).toMatchObject({ faults: [] });
});

it('leaves neither event nor row where one of them cannot be written', async () => {
  const before = await new Tenants(keys.pool).load('acme');
  const write = () => Promise.reject(new Error('the row cannot be written'));
  const commands = [{ type: 'CreateKey' as const, tenantId: 'acme', keyId: 'lost', scopes: [], expiresAt: null }];
  await expect(new Tenants(keys.pool).execute({ tenantId: 'acme', commands, meta: META, write })).rejects.toThrow('cannot be written');
  expect(await new Tenants(keys.pool).load('acme')).toEqual(before);
});

it('adopts a key that an earlier build made before it is revoked', async () => {
  const keyId = 'EarlierBuild';
  await keys.pool.query(`insert into tenant (id) values ('early')`);
  await keys.pool.query(`insert into api_key (key_id, tenant_id, hmac, created_at) values ($1, 'early', 'x', '2026-01-01')`, [keyId]);
  expect(await revokeKey(keys, keyId)).toBe(true);
  expect((await historyOf(keys.pool, 'ten_early')).map(({ type }) => type)).toEqual(['TenantCreated', 'KeyAdopted', 'KeyRevoked']);
  expect(await differences()).toEqual([]);
  expect(await verified()).toMatchObject({ faults: [] });
});

it.each([
  ['moved to another tenant', `update api_key set tenant_id = 'crowded' where tenant_id = 'acme'`],
  ['given another scope', `update api_key set scopes = scopes || '{admin}' where tenant_id = 'acme'`],
  ['made to live for ever', `update api_key set expires_at = null where tenant_id = 'acme'`],
  ['in force again', `update api_key set revoked_at = null where tenant_id = 'acme'`],
  ['removed', `delete from api_key where tenant_id = 'acme'`],
])('verify-views finds a key that was %s by a writer on the database', async (_, change) => {
  const client = await keys.pool.connect();
  await client.query('begin');
  await client.query(change);
  const found = (await viewDifferences(client, 30_000)).differences;
  await client.query('rollback');
  client.release();
  expect(found).not.toEqual([]);
});

describe('a key', () => {
  const verify = async (keyText: string) => createKeyVerifier(keys)(keyText);
  const soon = () => new Date(Date.now() + 3_600_000).toISOString();

  it('is rotated with an overlap: both work, the new one with the same tenant, name, scopes and limits, until the old one ends', async () => {
    const old = await createKey(keys, 'rotating', 'laptop', { scopes: ['threads:read', 'admin'], limits: { openJobs: 5 } });
    const { keyText, replacedExpiresAt } = await rotateKey(keys, idOf(old), { overlapMs: 3_600_000 }, META);
    expect(await Promise.all([verify(old), verify(keyText)])).toEqual([
      { keyId: idOf(old), tenantId: 'rotating', scopes: ['threads:read', 'admin'], keyLimits: { openJobs: 5 } },
      { keyId: idOf(keyText), tenantId: 'rotating', scopes: ['threads:read', 'admin'], keyLimits: { openJobs: 5 } },
    ]);
    const [first, second] = await listKeys(keys, 'rotating');
    expect(first?.expiresAt?.toISOString()).toBe(replacedExpiresAt);
    expect(second).toMatchObject({ name: 'laptop', expiresAt: null });

    const last = await rotateKey(keys, idOf(keyText), { overlapMs: 0 }, META);
    expect(await verify(keyText)).toBeNull();
    expect(await verify(last.keyText)).not.toBeNull();
    await expect(rotateKey(keys, idOf(keyText), { overlapMs: 0 }, META)).rejects.toThrow('key_not_found');
  });

  it('gets other scopes and another end, and both hold at once for whoever has not verified it', async () => {
    const keyText = await createKey(keys, 'changing', null, { expiresAt: soon() });
    const { keyText: rotated } = await rotateKey(keys, idOf(keyText), { overlapMs: 60_000 }, META);
    await changeKey(keys, idOf(rotated), { scopes: ['jobs:write', 'audit:read'], expiresAt: null }, META);
    expect(await verify(rotated)).toMatchObject({ scopes: ['jobs:write', 'audit:read'] });
    await changeKey(keys, idOf(rotated), { expiresAt: new Date(Date.now() - 1_000).toISOString() }, META);
    expect(await verify(rotated)).toBeNull();
    expect(await differences()).toEqual([]);
    expect(await verified()).toMatchObject({ faults: [] });
  });

  it('that was changed by somebody else is not sealed anew by a change, but can be revoked', async () => {
    const keyText = await createKey(keys, 'tampered', null);
    await keys.pool.query(`update api_key set name = 'mine' where key_id = $1`, [idOf(keyText)]);
    await expect(changeKey(keys, idOf(keyText), { scopes: ['admin'] }, META)).rejects.toThrow(/is not what was recorded for tampered/);
    expect(await verify(keyText)).toBeNull();
    expect(await revokeKey(keys, idOf(keyText))).toBe(true);
  });

  it.each(['infinity', '-infinity', '290000-01-01'])(
    'whose end is %s, which is no date, spoils nothing for those that are looked up with it',
    async (end) => {
      const [changed, other] = [await createKey(keys, 'endless', null), await createKey(keys, 'endless', null)];
      await keys.pool.query('update api_key set expires_at = $2 where key_id = $1', [idOf(changed), end]);
      const found = await findKeys(keys, [changed, other].map(idOf));
      expect([changed, other].map((keyText) => found.get(idOf(keyText))?.state)).toEqual(['changed', 'in force']);
      expect(await revokeKey(keys, idOf(changed))).toBe(true);
    },
  );

  it('that a process has verified is forgotten when it expires', async () => {
    const keyText = await createKey(keys, 'expiring', null, { expiresAt: new Date(Date.now() + 2_000).toISOString() });
    const remembering = createKeyVerifier(keys);
    expect(await remembering(keyText)).toMatchObject({ tenantId: 'expiring' });
    await eventually(null, async () => remembering(keyText), 8_000);
    expect([...(await endedKeys(keys.pool, [idOf(keyText), 'nobody-knows'])).keys()]).toEqual([idOf(keyText), 'nobody-knows']);
  });
});
