import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { DomainError } from '@lib/domain/errors';
import type { JobRequested } from '@lib/domain/job/events';
import type { MessageAdded, ThreadCreated } from '@lib/domain/thread';
import { MAX_MESSAGE_CODE_POINTS } from '@lib/domain/vocabulary';
import { rowsOf } from '../postgres/rows-of';
import { withStoreErrors } from '../postgres/store-unavailable';
import { eventPlace, unseal } from '../sealing/seal';
import type { ThreadKeys } from '../sealing/thread-keys';
import type { JobCursor } from './job-cursor';
import type { JobSummaryView } from './job.view';
import type { MessageView } from './message.view';
import { jobSummary, type JobSummaryRow, type MessageRow } from './stored-rows';

/** A piece ends with the message that makes it longer than this, so that pieces have about the same size. */
const PIECE_CODE_POINTS = 16 * 1024;
/** Messages that a piece reads: few if they are long, many if they are short. */
const MIN_MESSAGES = 8;
const MAX_MESSAGES = 256;
/** Jobs of a piece; their questions may be as long as messages. */
const JOBS = 16;
/** Pieces that are read at the same time: few, so that readers of long threads leave connections to others. */
const AT_ONCE = 2;

const TITLE = {
  name: 'thread_title',
  text: `select event.version, event.type, event.sealed from thread join event on event.stream_id = thread.id and event.version = 1 where thread.id = $1`,
};

const MESSAGES = {
  name: 'thread_messages',
  text: `select * from (
      select found.id, found.version, found.role, found.created_at, event.type, event.sealed,
        coalesce(sum(coalesce((event.facts ->> 'codePoints')::float8, ${MAX_MESSAGE_CODE_POINTS}))
          over (order by found.version rows between unbounded preceding and 1 preceding), 0) as before
      from thread join lateral (
          select id, version, role, created_at from message
          where thread_id = thread.id and version > $2::int and version <= $3::int order by version limit $4::int) found on true
        join event on event.stream_id = thread.id and event.version = found.version
      where thread.id = $1) as sized
    where before < ${PIECE_CODE_POINTS} order by version`,
};

const JOB_SUMMARIES = {
  name: 'thread_jobs',
  text: `select found.*, event.type, event.sealed from thread join lateral (
        select id, version, status, budget_tier, cost_cents, created_at, completed_at from job
        where thread_id = thread.id and (created_at, id) > ($2::timestamptz, $3::text) and (created_at, id) <= ($4::timestamptz, $5::text)
        order by created_at, id limit ${JOBS}) found on true
      join event on event.stream_id = found.id and event.version = 1
    where thread.id = $1 order by found.created_at, found.id`,
};

interface Sealed {
  type: string;
  sealed: Buffer | null;
}

/** Where the jobs of every thread begin. */
const FIRST_JOB: JobCursor = { createdAt: new Date(0), id: '' };

/** The content of a thread, in pieces: each is read, opened and written as JSON when it is taken. */
export class ThreadRows {
  /** Readers of long threads take turns. */
  private readonly inTurn = batch(async ([read]: (() => Promise<unknown>)[]) => [await read?.()], { maxItems: 1, width: AT_ONCE });

  constructor(
    private readonly pool: Pool,
    private readonly keys: ThreadKeys,
  ) {}

  /** @throws DomainError thread_not_found if the thread was deleted, Unsealable if its title was changed */
  async title(threadId: string): Promise<string> {
    const [row] = await this.rows<Sealed & { version: number }>(TITLE, [threadId]);
    const key = await this.keyOf(threadId);
    return (opened(key, threadId, row?.version ?? 0, row) as NonNullable<ThreadCreated['content']>).title;
  }

  /**
   * The messages after version `after`, up to that of `last`, separated by commas.
   * @throws DomainError thread_not_found if the thread is deleted in between, Unsealable if one of them was changed
   */
  async *messages(threadId: string, after: number, last: number): AsyncGenerator<string, void, undefined> {
    let key: KeyObject | undefined;
    let limit = MAX_MESSAGES;
    for (let place = after; place < last;) {
      const read = () => this.rows<MessageRow & Sealed>(MESSAGES, [threadId, place, last, limit]);
      const rows = key ? ((await this.inTurn(read)) as Awaited<ReturnType<typeof read>>) : await read();
      key ??= await this.keyOf(threadId);
      const from = key;
      const views = rows.map((row): MessageView => {
        const { content } = opened(from, threadId, row.version, row) as NonNullable<MessageAdded['content']>;
        return { id: row.id, role: row.role, content, costCents: null, createdAt: row.created_at.toISOString() };
      });
      yield listed(views, place === after);
      limit = Math.max(MIN_MESSAGES, Math.min(MAX_MESSAGES, 2 * rows.length));
      place = rows.at(-1)?.version ?? last;
    }
  }

  /**
   * The summaries of the jobs after the place `after`, up to that of `last`, separated by commas.
   * @throws DomainError thread_not_found if the thread is deleted in between, Unsealable if one of their questions was changed
   */
  async *jobs(threadId: string, after: JobCursor | null, last: JobCursor | null): AsyncGenerator<string, void, undefined> {
    let key: KeyObject | undefined;
    let place = after ?? FIRST_JOB;
    while (last && place.id !== last.id) {
      const from = place;
      const read = () => this.rows<JobSummaryRow & Sealed>(JOB_SUMMARIES, [threadId, from.createdAt, from.id, last.createdAt, last.id]);
      const rows = key ? ((await this.inTurn(read)) as Awaited<ReturnType<typeof read>>) : await read();
      const known = (key ??= await this.keyOf(threadId));
      const views = rows.map((row): JobSummaryView => {
        const { query } = opened(known, row.id, 1, row) as NonNullable<JobRequested['content']>;
        return jobSummary(row, query);
      });
      yield listed(views, place === (after ?? FIRST_JOB));
      const end = rows.at(-1);
      place = end ? { createdAt: end.created_at, id: end.id } : last;
    }
  }

  private async keyOf(threadId: string): Promise<KeyObject | undefined> {
    return (await withStoreErrors(() => this.keys.read([threadId]))).get(threadId);
  }

  /** @throws DomainError thread_not_found if there are none */
  private async rows<Row>(statement: { name: string; text: string }, values: unknown[]): Promise<Row[]> {
    const rows = await rowsOf<Row>(this.pool, { ...statement, values });
    if (rows.length === 0) throw deleted();
    return rows;
  }
}

function opened(key: KeyObject | undefined, streamId: string, version: number, row: Sealed | undefined): object {
  if (!key || !row?.sealed) throw deleted();
  return JSON.parse(unseal(key, eventPlace(streamId, version, row.type), row.sealed)) as object;
}

const deleted = (): DomainError => new DomainError('thread_not_found', 'The thread was deleted.');

const listed = (views: readonly object[], isFirst: boolean): string =>
  (isFirst ? '' : ',') + views.map((view) => JSON.stringify(view)).join(',');
