import { forTenants, namedTenants } from '@lib/batching/named-tenants';
import type { EventMeta } from '@lib/domain/event';
import type { Pool } from 'pg';
import type { TellAlert } from '../alert';
import { textArray } from '../postgres/array-parameter';
import { patiently } from '../postgres/answer-within';
import { asStoreError, RowLocked, StoreUnavailable } from '../postgres/store-unavailable';
import type { Unit } from './unit';
import type { WritePath } from './write-path';

/** Size of a piece, small enough not to disturb other writers. */
const JOBS = 20;
const ROWS = 500;
/** For this time no other process erases the thread; after a crash another one continues. */
const HELD_FOR_MS = 30_000;
/** Pause before erasing is tried again; doubled each time. */
const AGAIN_MS = { first: 30_000, longest: 3_600_000 };

const HOLD = `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
  where job_id = $1 and kind = 'erase thread' returning 1`;
const TRY_AGAIN = `update agenda set tries = tries + 1,
    look_at = clock_timestamp() + least($2::int4 * 2 ^ least(tries, 20), $3::int4) * interval '1 millisecond'
  where job_id = $1 and kind = 'erase thread'`;
/** $2: the jobs that could not be erased. */
const NEXT_JOBS = 'select id from job where thread_id = $1 and id <> all ($2::text[]) order by created_at, id limit $3';
const FINISH = `delete from agenda where job_id = $1 and kind = 'erase thread'
  and not exists (select from job where thread_id = $1) and not exists (select from message where thread_id = $1)`;
const DELETED_BY = `select meta, facts ->> 'traceId' as "traceId" from event where stream_id = $1 and type = 'ThreadDeleted'`;

/**
 * Erases what is left of deleted threads piece by piece, outside of the write path. Each piece is a commit of its own, and erasing one twice changes
 * nothing. The thread's entry on the agenda is removed after the last piece; until then another process continues if this one ends. If a job cannot
 * be erased, a person is told and it is tried again later; everything else is erased all the same.
 */
export class Erasure {
  /** Threads to erase, each with the tenants on whose behalf it is erased. */
  private readonly waiting = new Map<string, readonly string[] | undefined>();
  private running: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly pool: Pool,
    private readonly writePath: WritePath,
    private readonly tell: TellAlert,
  ) {}

  /** Erases in the background, one thread after the other. Failures are left to the sweeper. */
  start(threadId: string): void {
    this.waiting.set(threadId, namedTenants());
    this.running ??= this.run();
  }

  /** Stops after the current piece. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  /** @throws StoreUnavailable if the database cannot be reached */
  async erase(threadId: string): Promise<void> {
    const failed: string[] = [];
    while (!this.isStopping && (await this.query(HOLD, [threadId, HELD_FOR_MS])).length > 0) {
      if ((await this.eraseJobs(threadId, failed)) || (await this.eraseOwn(threadId))) continue;
      if (failed.length > 0) return void (await this.query(TRY_AGAIN, [threadId, AGAIN_MS.first, AGAIN_MS.longest]));
      await this.query(FINISH, [threadId]);
    }
  }

  private async run(): Promise<void> {
    for (const [threadId, tenants] of this.waiting) {
      await forTenants(tenants, () => this.erase(threadId)).catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) this.tell({ reason: 'thread_not_erased', of: threadId, error });
      });
      this.waiting.delete(threadId);
    }
    this.running = null;
  }

  /** Erases some jobs, and adds those that fail to `failed`. @returns whether there were any */
  private async eraseJobs(threadId: string, failed: string[]): Promise<boolean> {
    const jobs = await this.query<{ id: string }>(NEXT_JOBS, [threadId, textArray(failed), JOBS]);
    if (jobs.length === 0) return false;
    const [deleted] = await this.query<{ meta: EventMeta; traceId: string | null }>(DELETED_BY, [threadId]);
    if (!deleted) throw new Error(`thread ${threadId} is to be erased, but its history does not say that it was deleted`);
    const { actor, correlationId } = deleted.meta;
    const erase = ({ id }: { id: string }): Unit => ({
      meta: { actor, correlationId, traceId: deleted.traceId },
      threadDeleted: true,
      commands: [{ kind: 'job', streamId: id, command: { type: 'EraseContent' } }],
    });
    const outcomes = await Promise.allSettled(jobs.map((job) => patiently(() => this.writePath.execute(erase(job)))));
    const left: string[] = [];
    for (const [place, { id }] of jobs.entries()) {
      const outcome = outcomes[place];
      if (outcome?.status === 'rejected') failed.push(this.failedOf(id, outcome.reason));
      // The job was erased before, but its row is still there.
      else if (outcome?.value.appended.length === 0) left.push(id);
    }
    if (left.length > 0) await this.query('select erase_jobs($1::text[])', [textArray(left)]);
    return true;
  }

  /** @throws StoreUnavailable in an outage, which would fail the other jobs too */
  private failedOf(jobId: string, error: unknown): string {
    // Only somebody else's lock on a row, which nobody has to fix.
    if (error instanceof RowLocked) return jobId;
    if (error instanceof StoreUnavailable) throw error;
    this.tell({ reason: 'job_not_erased', of: jobId, error });
    return jobId;
  }

  /** The thread's messages, and what is sealed in its own stream. */
  private async eraseOwn(threadId: string): Promise<boolean> {
    const [row] = await this.query<{ erased: number }>('select erase_piece_of_thread($1, $2) as erased', [threadId, ROWS]);
    return (row?.erased ?? 0) > 0;
  }

  private async query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await this.pool.query<Row>(text, values)).rows;
    } catch (error) {
      throw asStoreError(error);
    }
  }
}
