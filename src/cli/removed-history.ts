import { removalOf, textOfRemoval } from '@lib/store/deletions/removed-skeletons';
import type { Pool } from '@lib/store/postgres/pool';

/** Tells what was removed from what never existed. @throws Error if the events of this thread or job were removed */
export async function requireThere(pool: Pool, streamId: string): Promise<void> {
  const removal = await removalOf(pool, streamId, null);
  if (removal) throw new Error(textOfRemoval(streamId, removal));
}
