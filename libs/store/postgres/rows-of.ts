import type { Pool } from 'pg';
import { withStoreErrors } from './store-unavailable';

/** The rows of a statement. @throws the errors that the store's callers expect */
export const rowsOf = <Row = Record<string, unknown>>(
  pool: Pool,
  statement: { name?: string; text: string; values: unknown[]; query_timeout?: number },
): Promise<Row[]> => withStoreErrors(async () => (await pool.query(statement)).rows as Row[]);
