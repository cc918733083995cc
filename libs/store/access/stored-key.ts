import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Pool } from 'pg';

import type { Scope } from '@lib/domain/scopes';
import { asStoreError } from '../postgres/store-unavailable';
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
  /** `unsealed`: made before rows had an HMAC, or by an earlier build; `changed`: by somebody who does not have the pepper. */
  state: 'in force' | 'expired' | 'revoked' | 'unsealed' | 'changed';
  /** Until it expires, by the database's clock. */
  expiresInMs: number;
  /** The text has the same secret and was stored under the same pepper. */
  fits(keyText: string): boolean;
}

const READ = {
  name: 'api_key',
  text: `select ${KEY_ROW}, (extract(epoch from expires_at - clock_timestamp()) * 1000)::float8 as "expiresInMs" from find_api_keys(array[$1])`,
};

type Row = KeyRow & { rowHmac: Buffer | null; expiresInMs: number | null };

/** A hot read: whatever a process has not verified in the last seconds is asked for. */
export async function findKey({ pool, pepper }: KeyStore, keyId: string): Promise<StoredKey | null> {
  try {
    const { rows } = await pool.query<Row>({ ...READ, values: [keyId] });
    const [row] = rows;
    if (!row) return null;
    const { tenantId, hmac, scopes } = row;
    const fits = (keyText: string) => timingSafeEqual(hmacOf(keyText, pepper), hmac);
    return { tenantId, scopes: (scopes ?? []) as Scope[], state: stateOf(row, pepper), expiresInMs: row.expiresInMs ?? Infinity, fits };
  } catch (error) {
    throw asStoreError(error);
  }
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
