import { createHmac } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { inTransaction } from '../postgres/transaction';

/** The first pepper that was recorded counts. Every api may add one, since the first start has to. */
const READ = 'select fingerprint, first_used_at as "firstUsedAt" from api_key_pepper order by first_used_at limit 1';
const REGISTER = 'insert into api_key_pepper (fingerprint) values ($1)';

/** Names a pepper without revealing it. */
const fingerprintOf = (pepper: string): string => createHmac('sha256', pepper).update('fingerprint').digest('hex').slice(0, 16);

/** The database knows another pepper: under this one every key would be refused. */
export class WrongPepper extends Error {
  override readonly name = 'WrongPepper';
}

/** Whether the database's keys belong to a pepper. */
export const knowsPepper = async (database: Pool | ClientBase): Promise<boolean> => (await database.query(READ)).rows.length > 0;

/** @throws WrongPepper if the database's keys are made under another pepper; while it knows none, each is right */
export async function requirePepper(database: Pool | ClientBase, pepper: string): Promise<'known' | 'new'> {
  const { rows } = await database.query<{ fingerprint: string; firstUsedAt: Date }>(READ);
  const [known] = rows;
  if (!known) return 'new';
  const own = fingerprintOf(pepper);
  if (known.fingerprint === own) return 'known';
  const since = known.firstUsedAt.toISOString();
  throw new WrongPepper(
    `API_KEY_PEPPER has the fingerprint ${own}, and the keys of this database are made under ${known.fingerprint}, in use since ${since}: ` +
      'set the pepper of the other processes. If it is lost, so are all keys: empty the table api_key_pepper as its owner, and make new ones.',
  );
}

/**
 * Records the pepper of the first process, so that a process with another one is refused even if there is no key yet.
 * @throws WrongPepper
 */
export async function enterPepper(pool: Pool, pepper: string): Promise<void> {
  if ((await requirePepper(pool, pepper)) === 'known') return;
  await inTransaction(pool, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('research-threads pepper'))`);
    if ((await requirePepper(client, pepper)) === 'new') await client.query(REGISTER, [fingerprintOf(pepper)]);
  });
}
