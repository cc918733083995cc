import type { Pool } from '@lib/store/postgres/pool';

/** Asks on standard error whether a tenant that no key is of is the one that was meant. */
export async function askWithoutKey(pool: Pool, tenantId: string): Promise<void> {
  const { rows } = await pool.query('select from api_key where tenant_id = $1 limit 1', [tenantId]);
  if (rows.length === 0) process.stderr.write(`No API key is of the tenant ${tenantId}: is this its name?\n`);
}
