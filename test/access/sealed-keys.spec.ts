import { USUAL_SCOPES } from '@lib/domain/scopes';
import { generateKey } from '@lib/store/access/key-format';
import { enterPepper, requirePepper, WrongPepper } from '@lib/store/access/pepper';
import { mustSealKeys, sealKeys } from '@lib/store/access/seal-keys';
import { hmacOf, type KeyStore } from '@lib/store/access/stored-key';
import { createKeyVerifier, type TellRefused } from '@lib/store/access/verify-key';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { verifyHistories } from '../../src/audit/verify-histories';
import { createMigratedDatabase, type TestDatabase } from '../servers/database';
import { createKey } from '../support/keys';
import { historyOf } from '../support/histories';
import { META } from '../support/store';
import { viewDifferences } from '../support/view-differences';

let database: TestDatabase;
let pool: Pool;
let store: KeyStore;
beforeEach(async () => {
  database = await createMigratedDatabase();
  pool = createPool(database.url, 4);
  store = { pool, pepper: 'a pepper of some length' };
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

/** As a build made it that knew neither scopes nor an HMAC of the row. */
async function earlierKey(tenantId: string): Promise<string> {
  const { keyId, keyText } = generateKey();
  await pool.query('insert into tenant (id) values ($1) on conflict do nothing', [tenantId]);
  await pool.query('insert into api_key (key_id, tenant_id, hmac) values ($1, $2, $3)', [keyId, tenantId, hmacOf(keyText, store.pepper)]);
  return keyText;
}
const idOf = (keyText: string): string => keyText.slice(8, 20);
const holderOf = async (keyText: string, tell?: TellRefused) => createKeyVerifier(store, tell)(keyText);

describe('keys of an earlier build', () => {
  it('are refused until they are sealed; then they have every scope but admin, and a place in the history', async () => {
    const keys = [await earlierKey('acme'), await earlierKey('acme'), await earlierKey('globex')];
    const told: unknown[] = [];
    expect(await holderOf(keys[0] ?? '', (...refused) => told.push(refused))).toBeNull();
    expect(told).toEqual([[idOf(keys[0] ?? ''), 'unsealed']]);
    expect(await mustSealKeys(store)).toBe(true);

    expect((await sealKeys(store, META)).sort()).toEqual(keys.map(idOf).sort());
    expect(await holderOf(keys[2] ?? '')).toEqual({
      keyId: idOf(keys[2] ?? ''),
      tenantId: 'globex',
      scopes: USUAL_SCOPES,
      keyLimits: null,
    });
    expect((await historyOf(pool, 'ten_acme')).map(({ type, meta }) => [type, meta.actor])).toEqual([
      ['TenantCreated', META.actor],
      ['KeyAdopted', META.actor],
      ['KeyAdopted', META.actor],
    ]);
    expect((await viewDifferences(pool, 30_000)).differences).toEqual([]);
    expect((await verifyHistories(pool, {}, () => undefined)).faults).toEqual([]);
  });

  it('are sealed once: a row without an HMAC that comes later is refused for good', async () => {
    expect(await sealKeys(store, META)).toEqual([]);
    const late = await earlierKey('acme');
    expect(await mustSealKeys(store)).toBe(false);
    expect(await sealKeys(store, META)).toEqual([]);
    expect(await holderOf(late)).toBeNull();
  });

  it('are not what has a history: who moves a key and has everything sealed once more gains nothing', async () => {
    const own = await createKey(store, 'attacker', null);
    await createKey(store, 'victim', null);
    await sealKeys(store, META);
    await pool.query('update api_key_pepper set keys_sealed_at = null');
    await pool.query(`update api_key set tenant_id = 'victim', row_hmac = null, scopes = null where key_id = $1`, [idOf(own)]);
    expect(await sealKeys(store, META)).toEqual([]);
    expect(await holderOf(own)).toBeNull();
  });

  it('are sealed by whichever of several processes comes first', async () => {
    const key = await earlierKey('acme');
    await Promise.all([1, 2, 3].map(() => sealKeys(store, META).catch((error: unknown) => error)));
    expect(await holderOf(key)).toMatchObject({ tenantId: 'acme' });
    expect((await historyOf(pool, 'ten_acme')).map(({ type }) => type)).toEqual(['TenantCreated', 'KeyAdopted']);
  });
});

describe('another pepper', () => {
  it('is refused on an empty database too, with both fingerprints and the remedy', async () => {
    await enterPepper(pool, store.pepper);
    await enterPepper(pool, store.pepper);
    expect(await requirePepper(pool, store.pepper)).toBe('known');
    await expect(enterPepper(pool, 'another pepper of some length')).rejects.toThrow(
      /API_KEY_PEPPER has the fingerprint [0-9a-f]{16}, and the keys of this database are made under [0-9a-f]{16}, in use since .*: set the pepper/,
    );
    await expect(sealKeys({ pool, pepper: 'another pepper of some length' }, META)).rejects.toThrow(WrongPepper);
  });

  it('is refused to all but one of several that start at the same time on an empty database', async () => {
    const peppers = Array.from({ length: 6 }, (_, place) => `pepper number ${place} of some`);
    const started = await Promise.all(
      peppers.map((pepper) =>
        enterPepper(pool, pepper).then(
          () => true,
          () => false,
        ),
      ),
    );
    expect(started.filter(Boolean)).toHaveLength(1);
  });

  it('is not told by its fingerprint', async () => {
    await enterPepper(pool, store.pepper);
    expect(JSON.stringify((await pool.query('select * from api_key_pepper')).rows)).not.toContain(store.pepper);
  });
});
