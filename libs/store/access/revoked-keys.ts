import type { Pool } from 'pg';
import { textArray } from '../postgres/array-parameter';
import { asStoreError } from '../postgres/store-unavailable';

const REVOKED = {
  name: 'revoked_keys',
  text: 'select api_key.key_id from unnest($1::text[]) as asked (key_id) join api_key on api_key.key_id = asked.key_id where revoked_at is not null',
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
