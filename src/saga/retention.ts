import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DAY_MS, HOUR_MS } from '@lib/domain/durations';
import { DomainError } from '@lib/domain/errors';
import { oldThreadPages, type OldThread } from '@lib/store/deletions/old-threads';
import { databaseTime } from '@lib/store/postgres/database-time';
import { patiently } from '@lib/store/postgres/answer-within';
import { isOutage } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import { startRounds } from '../runtime/rounds';

const ROUND_MS = HOUR_MS;
/** Threads that are examined together, and the pause after them, so that other writers are not delayed. */
const THREADS = 200;
const PAUSE_MS = 200;
const LEFT = 'an old thread could not be deleted; it is tried again in an hour';
const TOO_LONG = 'it takes too long to see whether a thread is old, so it is kept; DELETE it if nobody needs it';

/** The actor that a deletion's event names. */
export const RETENTION_ACTOR = 'retention';

type Retiring = Pick<Store, 'pool' | 'threads' | 'erasure'>;

/**
 * Deletes threads to which nothing has happened for a number of days. It does what a DELETE does: records the deletion, adds it to the deletion list,
 * tells webhooks, and erases in pieces. It deletes one thread after the other, and any number of processes may do it.
 */
export class Retention {
  constructor(
    private readonly store: Retiring,
    private readonly days: number,
    private readonly logger: Logger,
  ) {}

  /** @returns a function that stops it */
  start(): () => Promise<void> {
    return startRounds((stopped) => this.round(stopped), ROUND_MS);
  }

  private async round(stopped: AbortSignal): Promise<void> {
    try {
      const now = await databaseTime(this.store.pool);
      const deleted = await this.retire(new Date(now.getTime() - this.days * DAY_MS), stopped);
      if (deleted > 0) this.logger.info({ reason: 'threads_retired', threads: deleted, days: this.days });
    } catch (error) {
      this.logger.warn({ reason: 'retention_failed', err: error }, 'old threads could not be deleted; it is tried again in an hour');
    }
  }

  /**
   * Deletes the threads that have been idle since `before` and whose jobs have all ended.
   * @returns how many were deleted
   */
  async retire(before: Date, stopped?: AbortSignal): Promise<number> {
    let deleted = 0;
    const tellTooLong = (threadId: string, err: unknown) => this.logger.warn({ reason: 'thread_not_examined', threadId, err }, TOO_LONG);
    for await (const old of oldThreadPages(this.store.pool, before, THREADS, tellTooLong)) {
      for (const thread of old) {
        if (stopped?.aborted) return deleted;
        if (await this.delete(thread)) deleted += 1;
      }
      await sleep(PAUSE_MS, undefined, { signal: stopped }).catch(() => undefined);
      if (stopped?.aborted) return deleted;
    }
    return deleted;
  }

  /**
   * @returns false if the thread was used meanwhile, another process deleted it first, or the deletion failed: one failure must not stop the
   * other deletions
   */
  private async delete({ threadId, tenantId, version }: OldThread): Promise<boolean> {
    const meta = { actor: RETENTION_ACTOR, correlationId: `unused for ${this.days} days` };
    try {
      await patiently(() => this.store.threads.delete(threadId, tenantId, meta, { ifVersion: version }));
    } catch (error) {
      if (isOutage(error)) throw error;
      if (!(error instanceof DomainError)) this.logger.warn({ reason: 'thread_not_retired', threadId, err: error }, LEFT);
      return false;
    }
    await this.store.erasure.erase(threadId);
    return true;
  }
}
