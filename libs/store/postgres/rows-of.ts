import type { Pool } from 'pg';
import { withStoreErrors } from './store-unavailable';

/** What a statement answers. @throws as the store's callers know it */
export const rowsOf = <Row = Record<string, unknown>>(
  pool: Pool,
  statement: { name?: string; text: string; values: unknown[]; query_timeout?: number },
): Promise<Row[]> => withStoreErrors(async () => (await pool.query(statement)).rows as Row[]);
