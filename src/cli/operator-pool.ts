import { MINUTE_MS } from '@lib/domain/durations';
import { readEnv } from '@lib/settings/read-env';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { openOperatorDatabase, requireAllTenants, requireDatabase, requireSchema } from '../database';

/** For commands that read everything there is: a page of a large database on a slow disk takes its time. */
export const MAX_STATEMENT_MS = 10 * MINUTE_MS;

/** Runs an operator's command that needs the database of this schema and no secret: nothing of what it reads is content. */
export async function withOperatorPool<Result>(use: (pool: Pool) => Promise<Result>): Promise<Result> {
  const { url, embedded } = await openOperatorDatabase(readEnv(process.env));
  await using closing = new AsyncDisposableStack();
  closing.defer(async () => embedded?.stop());
  const pool = createPool(url, 1, MAX_STATEMENT_MS);
  closing.defer(() => pool.end());
  await requireDatabase(pool);
  await requireSchema(pool);
  await requireAllTenants(pool);
  return await use(pool);
}
