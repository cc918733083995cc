import type { ClientBase, Pool } from 'pg';
import type { KeyRing } from '../sealing/key-ring';
import { Unsealable } from '../sealing/seal';
import type { ViewRow } from './view-row';

/** The rows of these threads' keys. */
export type ReadThreadKeyRows = (database: Pool | ClientBase, threadIds: readonly string[]) => Promise<ViewRow[]>;

const READ = `select thread_id as "threadId", kek_id as "kekId", wrapped, tenant_id as "tenantId" from thread_key where thread_id = any ($1)`;

interface KeyRow {
  threadId: string;
  kekId: string;
  wrapped: Buffer;
  /** Null in rows of earlier builds. */
  tenantId: string | null;
}

export const THREAD_KEY_REMEDY =
  'no history holds a key, so none is made or removed here: put the row of thread_key back from a backup, or DELETE the thread, which nobody can read';

/** What a row shows whose key can be unwrapped. */
const OPENS = 'a key that opens';

export const threadKeyRow = (threadId: string, tenantId: string): ViewRow => ({
  ...{ view: 'thread key', key: threadId, streamId: threadId },
  columns: { tenantId, wrapped: OPENS },
});

/** Unwraps each key as it is in the database now: without the key nothing of its thread can be read, as if the thread had been deleted. */
export const createReadThreadKeyRows =
  (ring: KeyRing): ReadThreadKeyRows =>
  async (database, threadIds) => {
    if (threadIds.length === 0) return [];
    const { rows } = await database.query<KeyRow>(READ, [threadIds]);
    return rows.map((row) => {
      const { columns, ...named } = threadKeyRow(row.threadId, row.tenantId ?? '');
      return { ...named, columns: { ...columns, wrapped: shownKey(ring, row) } };
    });
  };

function shownKey(ring: KeyRing, { threadId, kekId, wrapped }: KeyRow): string {
  try {
    ring.unwrap(threadId, kekId, wrapped);
    return OPENS;
  } catch (error) {
    if (error instanceof Unsealable) return error.message;
    throw error;
  }
}

const WRITE_TENANT = 'update thread_key set tenant_id = $2 where thread_id = $1';

/** The tenant is all of a key's row that follows from a history. */
export async function writeTenantOfKey(client: ClientBase, threadId: string, tenantId: string): Promise<void> {
  await client.query(WRITE_TENANT, [threadId, tenantId]);
}
