import type { Pool } from 'pg';
import { inTransaction } from '../postgres/transaction';
import type { KeyRing } from './key-ring';
import { Unsealable } from './seal';

/** Master keys under which something is or may be sealed: those of thread keys, and those that processes have recorded. */
const IN_USE = 'select master_keys_in_use() as kek_id';
const REGISTER = 'insert into master_key (kek_id) values ($1) on conflict do nothing';

interface Queries {
  query: Pool['query'];
}

/**
 * Checks that everything in the database can be opened.
 * @throws Unsealable that names the missing key and the remedy
 */
export async function requireMasterKeys(database: Queries, ring: KeyRing): Promise<void> {
  const { rows } = await database.query<{ kek_id: string }>(IN_USE);
  const missing = rows.map(({ kek_id: kekId }) => kekId).filter((kekId) => !ring.kekIds.includes(kekId));
  if (missing.length > 0) throw new Unsealable(`the database is sealed under key ${missing.join(' and ')}, ${ring.remedy()}`, 'master key');
}

/** Whether the database belongs to a master key already; false for one without tables. */
export async function isSealed(database: Queries): Promise<boolean> {
  const { rows } = await database.query<{ isMade: boolean }>(`select to_regprocedure('master_keys_in_use()') is not null as "isMade"`);
  return rows[0]?.isMade === true && (await database.query(IN_USE)).rows.length > 0;
}

/**
 * Checks the same, and records that this process seals under the newest of its keys. From then on a process that lacks this key is refused, even
 * if the database is empty. One process does it at a time, so that of two with different keys only one starts.
 */
export async function enterMasterKeys(pool: Pool, ring: KeyRing): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('research-threads master keys'))`);
    await requireMasterKeys(client, ring);
    await client.query(REGISTER, [ring.kekId]);
  });
}
