import type { EventMeta } from '@lib/domain/event';
import type { Pool } from 'pg';
import { textArray } from '../postgres/array-parameter';
import { asStoreError } from '../postgres/store-unavailable';
import type { Unit } from './unit';
import type { WritePath } from './write-path';

/** Of a piece: so few that whoever writes beside it does not notice. */
const JOBS = 20;
const ROWS = 500;
/** Nobody else takes a thread up meanwhile; after a crash somebody does. */
const HELD_FOR_MS = 30_000;

const HOLD = `update agenda set look_at = clock_timestamp() + $2::int4 * interval '1 millisecond'
  where job_id = $1 and kind = 'erase thread' returning 1`;
const FINISH = `delete from agenda where job_id = $1 and kind = 'erase thread'
  and not exists (select from job where thread_id = $1) and not exists (select from message where thread_id = $1)`;
const DELETED_BY = `select meta from event where stream_id = $1 and type = 'ThreadDeleted'`;

/**
 * Erases what is left of deleted threads, piece by piece and beside the write path: each piece is a commit of its own, and doing one twice
 * changes nothing. The thread's entry on the agenda goes with the last one; until then somebody goes on.
 */
export class Erasure {
  private readonly waiting = new Set<string>();
  private running: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly pool: Pool,
    private readonly writePath: WritePath,
  ) {}

  /** In the background, one thread after the other. What fails is left to the sweeper. */
  start(threadId: string): void {
    this.waiting.add(threadId);
    this.running ??= this.run();
  }

  /** Leaves after the piece that is under way. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.running;
  }

  /** @throws StoreUnavailable if the database cannot be reached */
  async erase(threadId: string): Promise<void> {
    while (!this.isStopping && (await this.query(HOLD, [threadId, HELD_FOR_MS])).length > 0) {
      if ((await this.eraseJobs(threadId)) || (await this.eraseOwn(threadId))) continue;
      await this.query(FINISH, [threadId]);
    }
  }

  private async run(): Promise<void> {
    for (const threadId of this.waiting) {
      await this.erase(threadId).catch(() => undefined);
      this.waiting.delete(threadId);
    }
    this.running = null;
  }

  /** @returns whether there were any */
  private async eraseJobs(threadId: string): Promise<boolean> {
    const jobs = await this.query<{ id: string }>('select id from job where thread_id = $1 order by created_at, id limit $2', [
      threadId,
      JOBS,
    ]);
    if (jobs.length === 0) return false;
    const [deleted] = await this.query<{ meta: EventMeta }>(DELETED_BY, [threadId]);
    if (!deleted) throw new Error(`thread ${threadId} is to be erased, but its history does not say that it was deleted`);
    const { actor, correlationId, traceparent } = deleted.meta;
    const erase = ({ id }: { id: string }): Unit => ({
      meta: { actor, correlationId, traceparent },
      threadDeleted: true,
      commands: [{ kind: 'job', streamId: id, command: { type: 'EraseContent' } }],
    });
    const outcomes = await Promise.all(jobs.map(async (job) => this.writePath.execute(erase(job))));
    // A row that outlived its job's erasure.
    const left = jobs.filter((_, place) => outcomes[place]?.appended.length === 0).map(({ id }) => id);
    if (left.length > 0) await this.query('select erase_jobs($1::text[])', [textArray(left)]);
    return true;
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
