import { MINUTE_MS } from '@lib/domain/durations';
import { readEnv } from '@lib/settings/read-env';
import type { Pool } from '@lib/store/postgres/pool';
import { openOperatorPool, requireAllTenants, requireSchema } from '../database';

/** For commands that read everything there is: a page of a large database on a slow disk takes its time. */
export const MAX_STATEMENT_MS = 10 * MINUTE_MS;

/** Runs an operator's command that needs the database of this schema and no secret: nothing of what it reads is content. */
export async function withOperatorPool<Result>(use: (pool: Pool) => Promise<Result>): Promise<Result> {
  await using closing = new AsyncDisposableStack();
  const { pool } = await openOperatorPool(readEnv(process.env), closing, 1, MAX_STATEMENT_MS);
  await requireSchema(pool);
  await requireAllTenants(pool);
  return await use(pool);
}
