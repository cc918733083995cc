import type { ClientBase } from 'pg';
import type { TenantState } from '@lib/domain/tenant';
import { Tenants, type ChangeMeta } from '../tenants/tenants';
import { adoptionOf, listKeys, type ListedKey } from './api-keys';
import { changedKeys, updateKeyRow } from './key-rows';
import { enterPepper, knowsPepper } from './pepper';
import type { KeyStore } from './stored-key';

const SEALED = 'select 1 from api_key_pepper where keys_sealed_at is not null';
const MARK = 'update api_key_pepper set keys_sealed_at = now() where keys_sealed_at is null';
const UNSEALED = 'select key_id from api_key where row_hmac is null';
/** For any tenant, since a key that was moved has its history elsewhere. */
const WITH_HISTORY = `select facts ->> 'keyId' as key_id from event where type in ('KeyCreated', 'KeyAdopted', 'KeyRotated')`;

/** Whether keys of earlier builds are still to be sealed, which takes the pepper. */
export async function mustSealKeys({ pool }: Pick<KeyStore, 'pool'>): Promise<boolean> {
  if ((await pool.query(SEALED)).rows.length > 0) return false;
  return (await pool.query(`${UNSEALED} limit 1`)).rows.length > 0;
}

/** Whether there are keys, which belong to a pepper: those of earlier builds too, which record none. */
export const belongsToPepper = async (store: Pick<KeyStore, 'pool'>): Promise<boolean> =>
  (await mustSealKeys(store)) || (await knowsPepper(store.pool));

/**
 * Once in the life of a database: gives the keys of earlier builds an HMAC of their row, every scope but `admin`, and a place in their tenant's
 * history. From then on a row without an HMAC is refused; a row without an HMAC whose key has a history was changed by somebody, so it is not sealed
 * either.
 * @returns the ids of the keys
 */
export async function sealKeys(store: KeyStore, meta: ChangeMeta): Promise<string[]> {
  const { pool } = store;
  await enterPepper(pool, store.pepper);
  if ((await pool.query(SEALED)).rows.length > 0) return [];
  const ids = async (text: string) => new Set((await pool.query<{ key_id: string }>(text)).rows.map((row) => row.key_id));
  const unsealed = (await ids(UNSEALED)).difference(await ids(WITH_HISTORY));
  const keys = unsealed.size === 0 ? [] : (await listKeys(store)).filter(({ keyId }) => unsealed.has(keyId));
  for (const [tenantId, own] of Map.groupBy(keys, (key) => key.tenantId)) await sealOf(store, tenantId, own, meta);
  await pool.query(MARK);
  return keys.map(({ keyId }) => keyId);
}

async function sealOf({ pool, pepper }: KeyStore, tenantId: string, keys: readonly ListedKey[], meta: ChangeMeta): Promise<void> {
  const write = async (client: ClientBase, after: TenantState, before: TenantState) => {
    for (const key of changedKeys(before, after)) await updateKeyRow(client, { tenant: after, tenantId, pepper }, key, 'unsealed');
  };
  await new Tenants(pool).execute({ tenantId, commands: keys.map((key) => adoptionOf({ ...key, scopes: null })), meta, write });
}
