import { forTenants } from '@lib/batching/named-tenants';
import type { Unit } from '../commit/unit';
import { DomainError } from '@lib/domain/errors';
import { textArray } from '../postgres/array-parameter';
import type { Store } from '../store';
import type { ListedDeletion } from './deletion-list';

const TOGETHER = 1_000;
const FIND = 'select id, tenant_id, updated_at from find_threads($1::text[])';
/** A deletion is told by the clock of the process that did it, which the database's corrects; it may have been a little late. */
const CLOCKS_MS = 60_000;
const META: Unit['meta'] = { actor: 'role:operator', correlationId: 'deletion list' };

export interface AppliedDeletions {
  listed: number;
  /** Threads that were there again. */
  deleted: string[];
  /** Threads that were written to after they were to be deleted, so that they cannot have been: a DELETE that was answered with 503. */
  used: string[];
}

interface FoundThread {
  id: string;
  tenant_id: string;
  updated_at: Date;
}

/**
 * Deletes whatever of the list is there, as after a backup was restored, and erases what is left of it. Any number of processes may do it at
 * once, and doing it again changes nothing.
 */
export async function applyDeletions(
  store: Pick<Store, 'pool' | 'threads' | 'erasure'>,
  list: readonly ListedDeletion[],
): Promise<AppliedDeletions> {
  const applied: AppliedDeletions = { listed: list.length, deleted: [], used: [] };
  for (let place = 0; place < list.length; place += TOGETHER) {
    const asked = new Map(list.slice(place, place + TOGETHER).map(({ threadId, at }) => [threadId, at.getTime()]));
    const { rows } = await store.pool.query<FoundThread>(FIND, [textArray([...asked.keys()])]);
    for (const { id, tenant_id: tenantId, updated_at: updatedAt } of rows) {
      if (updatedAt.getTime() > (asked.get(id) ?? 0) + CLOCKS_MS) applied.used.push(id);
      else if (await forTenants([tenantId], () => deleteAgain(store, id, tenantId))) applied.deleted.push(id);
    }
  }
  return applied;
}

/** @returns false if another process was first */
async function deleteAgain({ threads, erasure }: Pick<Store, 'threads' | 'erasure'>, threadId: string, tenantId: string): Promise<boolean> {
  try {
    await threads.delete(threadId, tenantId, META);
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
  await erasure.erase(threadId);
  return true;
}

const DELETED = `select stream_id, meta ->> 'occurredAt' as at from event
  where type = 'ThreadDeleted' and stream_id > $1 order by stream_id limit ${TOGETHER}`;

/** Every deletion that the database knows of, for a list that was begun late or lost. */
export async function* recordedDeletions(pool: Store['pool']): AsyncGenerator<ListedDeletion> {
  for (let after = ''; ;) {
    const { rows } = await pool.query<{ stream_id: string; at: string }>(DELETED, [after]);
    for (const { stream_id: threadId, at } of rows) yield { threadId, at: new Date(at) };
    const last = rows.at(-1);
    if (!last) return;
    after = last.stream_id;
  }
}
