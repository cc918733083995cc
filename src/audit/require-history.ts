import { removalOf, textOfRemoval } from '@lib/store/deletions/removed-skeletons';
import type { Pool } from '@lib/store/postgres/pool';
import { Problem } from '../api/problems';

/** Tells what was removed from what never existed. @throws Problem history_removed if the events of this thread or job of the tenant were removed */
export async function requireHistory(pool: Pool, streamId: string, tenantId: string): Promise<void> {
  const removal = await removalOf(pool, streamId, tenantId);
  if (removal === null) return;
  const where = `GET /v1/audit/deletions/${removal.threadId}`;
  throw new Problem('history_removed', `${textOfRemoval(streamId, removal)} ${where} answers with it.`);
}
