import type { Logger } from 'pino';
import { digestOfHeads, readReceipt, type ErasedStream } from '@lib/audit/format/deletion-receipt';
import { parseNote } from '@lib/audit/format/signed-note';
import { DAY_MS, HOUR_MS } from '@lib/domain/durations';
import {
  deletedThreads,
  examineSkeleton,
  pendingRemovals,
  recordRemoval,
  removeSkeleton,
  type DeletedThread,
  type RecordedSkeleton,
} from '@lib/store/deletions/removed-skeletons';
import { checkpointKeys } from '@lib/store/log/checkpoints';
import { databaseTime } from '@lib/store/postgres/database-time';
import type { Pool } from '@lib/store/postgres/pool';
import { Tenants, type ChangeMeta } from '@lib/store/tenants/tenants';
import { TrustedKeys } from '../audit/trusted-keys';
import { faultOfReceipt } from '../audit/verify-receipts';
import { RETENTION_ACTOR } from './retention';
import { startRounds } from '../runtime/rounds';

const ROUND_MS = HOUR_MS;
/** The most threads that one page holds, and that one event of a tenant records. */
const THREADS = 100;

interface Order {
  /** How long ago the last event of a deleted thread must have occurred. */
  days: number;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * Removes the skeletons of threads whose last event is a number of days old. First the tenant's history records the removal; once a checkpoint
 * contains that record, the events are removed. So an auditor who finds them missing also finds a signed reason. Any number of processes may do it,
 * and each goes on where another one ended.
 * @returns ends it
 */
export function removeSkeletons(pool: Pool, days: number, logger: Logger): () => Promise<void> {
  const round = async (signal: AbortSignal): Promise<void> => {
    const order = { days, logger, signal };
    try {
      const now = await databaseTime(pool);
      const removed = await removeRecorded(pool, order);
      const recorded = await recordRemovals(pool, new Date(now.getTime() - days * DAY_MS), order);
      if (removed + recorded > 0) logger.info({ reason: 'skeletons_removed', removed, recorded, days });
    } catch (error) {
      logger.warn({ reason: 'skeletons_not_removed', err: error }, 'skeletons could not be removed; it is tried again in an hour');
    }
  };
  return startRounds(round, ROUND_MS);
}

/** Removes the events of threads whose removal is recorded, if a checkpoint contains the record. @returns the number of threads */
export async function removeRecorded(pool: Pool, { logger, signal }: Pick<Order, 'logger' | 'signal'>): Promise<number> {
  let removed = 0;
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
    const threadIds = await pendingRemovals(pool, after, THREADS);
    for (const threadId of threadIds) {
      if (signal.aborted) return removed;
      try {
        if (await removeSkeleton(pool, threadId)) removed += 1;
      } catch (error) {
        // One failing thread must not block the others.
        logger.warn(
          { reason: 'skeleton_not_removed', threadId, err: error },
          'a skeleton could not be removed; it is tried again in an hour',
        );
      }
    }
    after = threadIds.at(-1);
  }
  return removed;
}

/** Records that the skeletons of deleted threads whose last event is older than `before` are to be removed. @returns the number of threads */
export async function recordRemovals(pool: Pool, before: Date, { days, logger, signal }: Order): Promise<number> {
  const stored = (await checkpointKeys(pool)).map((key) => ({ ...key, type: 1 as const }));
  const keys = new TrustedKeys(stored, []);
  const meta = { actor: RETENTION_ACTOR, correlationId: `last event ${days} days ago` };
  let recorded = 0;
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
    const deleted: DeletedThread[] = await deletedThreads(pool, after, before, THREADS);
    for (const [tenantId, ofTenant] of Map.groupBy(deleted, (thread) => thread.tenantId)) {
      if (signal.aborted) return recorded;
      try {
        const skeletons = await skeletonsOf(pool, ofTenant, before, { keys, logger });
        if (skeletons.length > 0 && (await record(pool, tenantId, skeletons, meta))) recorded += skeletons.length;
      } catch (error) {
        // One tenant whose history cannot be read must not hold up all others.
        logger.warn(
          { reason: 'skeletons_not_recorded', tenantId, err: error },
          'skeletons of a tenant are kept; it is tried again in an hour',
        );
      }
    }
    after = deleted.at(-1)?.threadId;
  }
  return recorded;
}

/** The skeletons of those threads that can be removed now. */
async function skeletonsOf(
  pool: Pool,
  deleted: readonly DeletedThread[],
  before: Date,
  { keys, logger }: Pick<Order, 'logger'> & { keys: TrustedKeys },
): Promise<RecordedSkeleton[]> {
  const skeletons: RecordedSkeleton[] = [];
  for (const thread of deleted) {
    const { threadId } = thread;
    try {
      const fault = await faultOfReceipt(pool, thread, keys);
      const skeleton = fault === null ? await skeletonOf(pool, thread, before) : null;
      if (fault !== null) logger.warn({ reason: 'skeleton_kept', threadId, fault }, 'a skeleton is kept, since its receipt is not right');
      if (skeleton) skeletons.push(skeleton);
    } catch (error) {
      // One failing thread must not block the others.
      logger.warn({ reason: 'skeleton_not_read', threadId, err: error }, 'a skeleton could not be read; it is tried again in an hour');
    }
  }
  return skeletons;
}

/** @returns false if another process has recorded one of the removals meanwhile; then none is recorded until the next round */
async function record(pool: Pool, tenantId: string, skeletons: readonly RecordedSkeleton[], meta: ChangeMeta): Promise<boolean> {
  try {
    await recordRemoval(new Tenants(pool), tenantId, skeletons, meta);
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

const isDuplicate = (error: unknown): boolean => {
  const { constraint, cause } = error as { constraint?: string; cause?: unknown };
  return constraint === 'removed_stream_pkey' || (cause instanceof Error && isDuplicate(cause));
};

/** @returns null if it cannot be removed yet */
async function skeletonOf(pool: Pool, { threadId, note, streams: lines }: DeletedThread, before: Date) {
  const { deletedAt, streams } = readReceipt(parseNote(note).text);
  const listed = lines.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as ErasedStream)));
  const order = new Map(listed.map(({ streamId }, place) => [streamId, place]));
  const { events, isRemovable, balance, heads } = await examineSkeleton(pool, [...order.keys()], before);
  if (!isRemovable) return null;
  // The heads are read anew: after its content was erased, a job may still have recorded a provider's charge.
  const inOrder = heads.toSorted((one, other) => (order.get(one.streamId) ?? 0) - (order.get(other.streamId) ?? 0));
  const skeleton = { threadId, deletedAt: String(deletedAt), events, streams, headsSha256: digestOfHeads(inOrder), balance };
  return { skeleton, streams: inOrder };
}
