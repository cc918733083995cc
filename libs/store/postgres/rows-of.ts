import type { Pool } from 'pg';
import { asStoreError } from './store-unavailable';

/** What a statement answers. @throws as the store's callers know it */
export async function rowsOf<Row = Record<string, unknown>>(
  pool: Pool,
  statement: { name: string; text: string; values: unknown[] },
): Promise<Row[]> {
  try {
    return (await pool.query(statement)).rows as Row[];
  } catch (error) {
    throw asStoreError(error);
  }
}
