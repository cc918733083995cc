import type { Pool } from 'pg';

import { asStoreError } from '../postgres/store-unavailable';

const READ = {
  name: 'api_key_described',
  text: 'select name, created_at as "createdAt" from find_api_keys(array[$1]) where tenant_id = $2',
};

/** What a key is called and how old it is; null if it was removed. */
export async function describeKey(
  pool: Pool,
  { keyId, tenantId }: { keyId: string; tenantId: string },
): Promise<{ name: string | null; createdAt: Date } | null> {
  try {
    const { rows } = await pool.query<{ name: string | null; createdAt: Date }>({ ...READ, values: [keyId, tenantId] });
    return rows[0] ?? null;
  } catch (error) {
    throw asStoreError(error);
  }
}
