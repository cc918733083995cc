import { createPool, type Pool } from '@lib/store/postgres/pool';
import { createKey, revokeKey } from '../support/keys';
import { NEVER_MS } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

/** Somebody who can write to the database, and holds a key of a tenant of his own, but neither the pepper nor anybody else's key. */
let system: System;
let pool: Pool;
let store: { pool: Pool; pepper: string };

beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } } });
  pool = createPool(system.env.DATABASE_URL ?? '', 1);
  store = { pool, pepper: system.env.API_KEY_PEPPER ?? '' };
  await system.client.createThread({ message: 'What the victim asks', providers: ['provider-a'] });
});
afterAll(async () => {
  await pool.end();
  await system.stop();
});

const idOf = (keyText: string): string => keyText.slice(8, 20);
const listed = (keyText: string) => system.client.withKey(keyText).send('GET', '/v1/threads');

type Attack = [what: string, statement: string, make: () => Promise<string>];
const own = (terms = {}) => createKey(store, 'attacker', null, terms);
const ATTACKS: Attack[] = [
  ['moves the own key to the tenant of somebody else', `update api_key set tenant_id = 'default' where key_id = $1`, own],
  ['widens its scopes', `update api_key set scopes = '{threads:read,threads:write,admin}' where key_id = $1`, () => own({ scopes: [] })],
  ['widens its scopes by taking them away', 'update api_key set scopes = null where key_id = $1', () => own({ scopes: [] })],
  [
    'has an expired key go on',
    `update api_key set expires_at = now() + interval '1 year' where key_id = $1`,
    () => own({ expiresAt: '2020-01-01T00:00:00.000Z' }),
  ],
  [
    'has an expired key go on for ever',
    'update api_key set expires_at = null where key_id = $1',
    () => own({ expiresAt: '2020-01-01T00:00:00.000Z' }),
  ],
  [
    'has a revoked key go on',
    'update api_key set revoked_at = null where key_id = $1',
    async () => {
      const keyText = await own();
      await revokeKey(store, idOf(keyText));
      return keyText;
    },
  ],
  ['lifts its limits', `update api_key set limits = '{"openJobs": null}' where key_id = $1`, () => own({ limits: { openJobs: 0 } })],
  ['lifts its limits by taking them away', 'update api_key set limits = null where key_id = $1', () => own({ limits: { dailyCents: 0 } })],
  ['has limits that nobody set', `update api_key set limits = '{"openJobs": 1000000}' where key_id = $1`, own],
  [
    'makes a key look like one of before there was an HMAC of rows',
    `update api_key set tenant_id = 'default', scopes = null, expires_at = null, row_hmac = null where key_id = $1`,
    own,
  ],
  [
    'gives it the HMAC of another row',
    `update api_key set tenant_id = 'default', row_hmac = (select row_hmac from api_key where tenant_id = 'default' limit 1) where key_id = $1`,
    own,
  ],
  ['has it end never, in the words of the database', `update api_key set expires_at = 'infinity' where key_id = $1`, own],
  ['has it end where no calendar reaches', `update api_key set expires_at = '290000-01-01' where key_id = $1`, own],
  ['has it made before all time', `update api_key set created_at = '-infinity' where key_id = $1`, own],
];

it.each(ATTACKS)('a writer on the database who %s is refused', async (_, statement, make) => {
  const keyText = await make();
  const { rowCount } = await pool.query(statement, [idOf(keyText)]);
  expect(rowCount).toBe(1);
  const answer = await listed(keyText);
  expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
  expect(JSON.stringify(answer.body)).not.toContain('victim');
});

it.each(['infinity', '290000-01-01'])('a key that was made to end at %s can be revoked, as the log says', async (time) => {
  const keyText = await own();
  await pool.query('update api_key set expires_at = $2 where key_id = $1', [idOf(keyText), time]);
  expect(await revokeKey(store, idOf(keyText))).toBe(true);
  expect(await listed(keyText)).toMatchObject({ status: 401 });
});

it('a key that nobody changed goes on', async () => {
  expect(await listed(await own())).toMatchObject({ status: 200, body: { threads: [] } });
});
