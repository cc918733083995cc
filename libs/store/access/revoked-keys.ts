import type { Pool } from 'pg';
import { textArray } from '../postgres/array-parameter';
import { asStoreError } from '../postgres/store-unavailable';

const REVOKED = {
  name: 'revoked_keys',
  text: 'select key_id from find_api_keys($1::text[]) where revoked_at is not null',
};

/** Those of the keys that have ended. */
export async function revokedKeys(pool: Pool, keyIds: readonly string[]): Promise<string[]> {
  try {
    const { rows } = await pool.query<{ key_id: string }>({ ...REVOKED, values: [textArray(keyIds)] });
    return rows.map(({ key_id: keyId }) => keyId);
  } catch (error) {
    throw asStoreError(error);
  }
}
