import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Pool } from 'pg';

import type { Limits } from '@lib/domain/limits';
import type { Scope } from '@lib/domain/scopes';
import { textArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';
import { isGenuine, KEY_ROW, type KeyRow } from './row-hmac';

/** Where keys are kept and the secret under which their HMACs are made. */
export interface KeyStore {
  pool: Pool;
  /** `API_KEY_PEPPER`: with another pepper every stored key is refused. */
  pepper: string;
}

export interface StoredKey {
  tenantId: string;
  scopes: readonly Scope[];
  /** Limits that differ from the settings; null if there are none. */
  limits: Limits | null;
  /** `unsealed`: made before rows had an HMAC, or by an earlier build; `changed`: by somebody who does not have the pepper. */
  state: 'in force' | 'expired' | 'revoked' | 'unsealed' | 'changed';
  /** Until it expires, by the database's clock. */
  expiresInMs: number;
  /** Whether the text has the same secret and the key was stored under the same pepper. */
  fits(keyText: string): boolean;
}

const READ = {
  name: 'api_keys',
  // The epochs are subtracted as numbers, because PostgreSQL 15 fails when subtracting from infinity.
  text: `select ${KEY_ROW}, ((extract(epoch from expires_at) - extract(epoch from clock_timestamp())) * 1000)::float8 as "expiresInMs"
    from find_api_keys($1::text[])`,
};

type Row = KeyRow & { rowHmac: Buffer | null; expiresInMs: number | null };

export const findKey = async (store: KeyStore, keyId: string): Promise<StoredKey | null> =>
  (await findKeys(store, [keyId])).get(keyId) ?? null;

/** Frequent: each key that a process has not verified in the last seconds is looked up. */
export async function findKeys({ pool, pepper }: KeyStore, keyIds: readonly string[]): Promise<Map<string, StoredKey>> {
  const rows = await rowsOf<Row>(pool, { ...READ, values: [textArray(keyIds)] });
  return new Map(rows.map((row) => [row.keyId, storedKey(row, pepper)]));
}

function storedKey(row: Row, pepper: string): StoredKey {
  const { tenantId, hmac, scopes, limits } = row;
  const fits = (keyText: string) => timingSafeEqual(hmacOf(keyText, pepper), hmac);
  return {
    tenantId,
    scopes: (scopes ?? []) as Scope[],
    limits,
    state: stateOf(row, pepper),
    expiresInMs: row.expiresInMs ?? Infinity,
    fits,
  };
}

function stateOf(row: Row, pepper: string): StoredKey['state'] {
  if (row.revokedAt !== null) return 'revoked';
  if (row.rowHmac === null) return 'unsealed';
  if (!isGenuine(row, pepper)) return 'changed';
  return (row.expiresInMs ?? Infinity) > 0 ? 'in force' : 'expired';
}

export function hmacOf(keyText: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(keyText).digest();
}
