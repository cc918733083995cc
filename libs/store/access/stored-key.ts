import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Pool } from 'pg';

import { asStoreError } from '../postgres/store-unavailable';

/** Where keys are kept and the secret under which their HMACs are made. */
export interface KeyStore {
  pool: Pool;
  /** `API_KEY_PEPPER`: with another pepper every stored key is refused. */
  pepper: string;
}

export interface StoredKey {
  tenantId: string;
  isRevoked: boolean;
  /** The text has the same secret and was stored under the same pepper. */
  fits(keyText: string): boolean;
}

const READ = {
  name: 'api_key',
  text: 'select tenant_id, hmac, revoked_at is not null as revoked from find_api_keys(array[$1])',
};

/** A hot read: whatever a process has not verified in the last seconds is asked for. */
export async function findKey({ pool, pepper }: KeyStore, keyId: string): Promise<StoredKey | null> {
  try {
    const { rows } = await pool.query<{ tenant_id: string; hmac: Buffer; revoked: boolean }>({ ...READ, values: [keyId] });
    const [row] = rows;
    if (!row) return null;
    const fits = (keyText: string) => timingSafeEqual(hmacOf(keyText, pepper), row.hmac);
    return { tenantId: row.tenant_id, isRevoked: row.revoked, fits };
  } catch (error) {
    throw asStoreError(error);
  }
}

export function hmacOf(keyText: string, pepper: string): Buffer {
  return createHmac('sha256', pepper).update(keyText).digest();
}
