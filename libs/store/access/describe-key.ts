import type { Pool } from 'pg';

import { rowsOf } from '../postgres/rows-of';

const READ = {
  name: 'api_key_described',
  text: `select name, created_at as "createdAt", expires_at as "expiresAt" from find_api_keys(array[$1]) where tenant_id = $2`,
};

interface DescribedKey {
  name: string | null;
  createdAt: Date;
  expiresAt: Date | null;
}

/** The name, age and expiry of a key; null if it was removed. */
export async function describeKey(pool: Pool, { keyId, tenantId }: { keyId: string; tenantId: string }): Promise<DescribedKey | null> {
  const [key] = await rowsOf<DescribedKey>(pool, { ...READ, values: [keyId, tenantId] });
  return key ?? null;
}
