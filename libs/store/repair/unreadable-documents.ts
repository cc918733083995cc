import type { ClientBase, Pool } from 'pg';
import { documentPlace, Unsealable, unsealBytes } from '../sealing/seal';
import type { ThreadKeys } from '../sealing/thread-keys';
import type { FindUnreadable } from './compare-streams';

const DOCUMENTS = `select id, thread_id, document from job where id = any ($1) and document is not null order by id`;
/** A document may have some megabytes. */
const AT_ONCE = 20;

/** Opens each document: one that was changed, or belongs to another job, cannot be opened. */
export const createFindUnreadable =
  (keys: ThreadKeys): FindUnreadable =>
  async (database: Pool | ClientBase, jobIds) => {
    const unreadable = new Set<string>();
    for (let place = 0; place < jobIds.length; place += AT_ONCE) {
      const values = [jobIds.slice(place, place + AT_ONCE)];
      const { rows } = await database.query<{ id: string; thread_id: string; document: Buffer }>(DOCUMENTS, values);
      const found = await keys.readEach(rows.map((row) => row.thread_id));
      for (const { id, thread_id: threadId, document } of rows) {
        const key = found.keys.get(threadId);
        // Where the thread's key is missing or cannot be opened, the comparison of keys names the thread.
        if (key && !opens(() => unsealBytes(key, documentPlace(id), document))) unreadable.add(id);
      }
    }
    return unreadable;
  };

function opens(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (error instanceof Unsealable) return false;
    throw error;
  }
}
