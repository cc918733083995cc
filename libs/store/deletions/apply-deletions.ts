import { forTenants } from '@lib/batching/named-tenants';
import type { Unit } from '../commit/unit';
import { DomainError } from '@lib/domain/errors';
import { textArray } from '../postgres/array-parameter';
import type { Store } from '../store';
import type { ListedDeletion } from './deletion-list';

const TOGETHER = 1_000;
const FIND = 'select id, tenant_id, updated_at from find_threads($1::text[])';
const LAST_EVENT = `select meta ->> 'occurredAt' as at from event where stream_id = $1 order by version desc limit 1`;
/** A deletion is dated by the corrected clock of its process, and may be a little late. */
const CLOCKS_MS = 60_000;
const META: Unit['meta'] = { actor: 'role:operator', correlationId: 'deletion list' };

export interface AppliedDeletions {
  /** A thread listed again much later counts again. */
  listed: number;
  /** Threads that existed again. */
  deleted: string[];
  /** Threads that were written to after their listed deletion, which therefore did not happen: its DELETE was answered with 503. */
  used: string[];
}

interface FoundThread {
  id: string;
  tenant_id: string;
  updated_at: Date;
}

type Deleting = Pick<Store, 'pool' | 'threads' | 'erasure'>;

/**
 * Deletes the listed threads that are there, for example after a backup was restored, and erases what is left of them. Any number of
 * processes may do it at the same time, and doing it again changes nothing.
 */
export async function applyDeletions(
  store: Deleting,
  list: AsyncIterable<ListedDeletion> | Iterable<ListedDeletion>,
): Promise<AppliedDeletions> {
  const deleted: string[] = [];
  const used = new Set<string>();
  let listed = 0;
  let asked = new Map<string, number>();
  const apply = async () => {
    const piece = asked;
    asked = new Map();
    listed += piece.size;
    const { rows } = await store.pool.query<FoundThread>(FIND, [textArray([...piece.keys()])]);
    for (const { id, tenant_id: tenantId, updated_at: updatedAt } of rows) {
      const until = (piece.get(id) ?? 0) + CLOCKS_MS;
      await forTenants([tenantId], async () => {
        if (updatedAt.getTime() > until && (await lastWrite(store, id)) > until) return used.add(id);
        // An earlier listed deletion of the thread may have been too early.
        used.delete(id);
        if (await deleteAgain(store, id, tenantId)) deleted.push(id);
      });
    }
  };
  for await (const { threadId, at } of list) {
    asked.set(threadId, Math.max(asked.get(threadId) ?? 0, at.getTime()));
    if (asked.size === TOGETHER) await apply();
  }
  if (asked.size > 0) await apply();
  return { listed, deleted, used: [...used] };
}

/**
 * When somebody last wrote to the thread. Its row also changes when one of its jobs ends, which says nothing: where a backup brought the thread back
 * with an open job, the processes end that job too.
 */
async function lastWrite({ pool }: Deleting, threadId: string): Promise<number> {
  const { rows } = await pool.query<{ at: string }>(LAST_EVENT, [threadId]);
  return Date.parse(rows[0]?.at ?? '');
}

/** @returns false if another process was faster */
async function deleteAgain({ threads, erasure }: Deleting, threadId: string, tenantId: string): Promise<boolean> {
  try {
    await threads.delete(threadId, tenantId, META);
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
  await erasure.erase(threadId);
  return true;
}

/** Includes threads whose histories were removed, from the tenant's event that records it. */
const DELETED = `select stream_id, at from (
    select stream_id, meta ->> 'occurredAt' as at from event where type = 'ThreadDeleted' and stream_id > $1
    union select skeleton ->> 'threadId', skeleton ->> 'deletedAt' from event cross join lateral jsonb_array_elements(facts -> 'threads') as skeleton
      where type = 'SkeletonsRemoved' and skeleton ->> 'threadId' > $1) as deleted
  order by stream_id limit ${TOGETHER}`;

/** Every deletion known to the database, for a list that was started late or lost. */
export async function* recordedDeletions(pool: Store['pool']): AsyncGenerator<ListedDeletion> {
  for (let after = ''; ;) {
    const { rows } = await pool.query<{ stream_id: string; at: string }>(DELETED, [after]);
    for (const { stream_id: threadId, at } of rows) yield { threadId, at: new Date(at) };
    const last = rows.at(-1);
    if (!last) return;
    after = last.stream_id;
  }
}
