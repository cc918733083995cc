import type { Pool, PoolClient } from 'pg';

/** Begins a read-only transaction whose statements all see the same moment. */
export const SNAPSHOT = 'begin isolation level repeatable read read only';

/**
 * Runs work in a transaction on its own connection, and rolls back if it throws. If even the rollback fails, the connection is given up.
 * @param begin the statement that begins the transaction
 */
export async function inTransaction<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>, begin = 'begin'): Promise<Result> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((broken: Error) => (failure = broken));
    throw error;
  } finally {
    client.release(failure);
  }
}
