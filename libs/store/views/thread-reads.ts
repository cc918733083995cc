import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import { asStoreError } from '../postgres/store-unavailable';
import type { JobCursor } from './job-cursor';
import type { ThreadAsked, ThreadPage, ThreadRead } from './reader';
import { threadItem, type ThreadRow } from './stored-rows';
import { THREAD_CURSORS, THREAD_START, type ThreadCursor } from './thread-cursor';
import type { ThreadRows } from './thread-rows';

const HEAD = {
  name: 'thread_head',
  text: `select thread.id, thread.created_at, thread.updated_at,
      (select coalesce(max(version), 0) from message where thread_id = thread.id) as last_message,
      last_job.created_at as job_created_at, last_job.id as job_id, (select coalesce(sum(version), 0)::float8 from job where thread_id = thread.id) as job_versions
    from thread left join lateral (
      select created_at, id from job where thread_id = thread.id order by created_at desc, id desc limit 1) last_job on true
    where thread.tenant_id = $1 and thread.id = $2`,
};

const MESSAGES_HEAD = {
  name: 'thread_messages_head',
  text: `select (select coalesce(max(version), 0) from message where thread_id = thread.id) as last_message
    from thread where tenant_id = $1 and id = $2`,
};

/** Finds where the page ends that begins after a place. */
const MESSAGE_PAGE = {
  name: 'thread_message_page',
  text: `select max(version) as last_message from (
      select version from message where thread_id = $1 and version > $2::int order by version limit $3::int) as page`,
};
const JOB_PAGE = {
  name: 'thread_job_page',
  text: `select created_at as job_created_at, id as job_id from (
      select created_at, id from job where thread_id = $1 and (created_at, id) > ($2::timestamptz, $3::text)
      order by created_at, id limit $4::int) as page order by created_at desc, id desc limit 1`,
};

interface LastMessage {
  last_message: number | null;
}
interface LastJob {
  job_created_at: Date | null;
  job_id: string | null;
}
type Head = ThreadRow & LastMessage & LastJob & { job_versions: number };

/** Raised when a thread is shown differently, so that clients do not keep the old answer. */
const THREAD_SHAPE = 2;

/** A thread as its routes show it, in pieces: whole, or a page of it. */
export class ThreadReads {
  constructor(
    private readonly pool: Pool,
    private readonly rows: ThreadRows,
  ) {}

  /** Null if there is no such thread of the tenant. */
  async thread(tenantId: string, threadId: string, { page, knownTag }: ThreadAsked): Promise<ThreadRead | null> {
    const head = await this.row<Head>(HEAD, [tenantId, threadId]);
    if (!head) return null;
    const after = page?.after ?? THREAD_START;
    const last: ThreadCursor = { message: head.last_message ?? 0, job: jobIn(head) };
    const upTo = page ? await this.endOf(threadId, page) : last;
    const next = page && (upTo.message < last.message || isBefore(upTo.job, last.job)) ? THREAD_CURSORS.textOf(upTo) : null;
    // Messages are only added, and each change of a job raises its version. So the sum of the versions only grows.
    const tag = tagOf([head.updated_at.getTime(), head.last_message, head.job_id, head.job_versions, page]);
    return { tag, next, pieces: tag === knownTag ? null : this.threadPieces(head, after, upTo) };
  }

  /** Null if there is no such thread of the tenant. */
  async messages(tenantId: string, threadId: string, { page, knownTag }: ThreadAsked): Promise<ThreadRead | null> {
    const head = await this.row<LastMessage>(MESSAGES_HEAD, [tenantId, threadId]);
    if (!head) return null;
    const last = head.last_message ?? 0;
    const after = page?.after.message ?? 0;
    const upTo = page ? await this.lastMessageOf(threadId, page) : last;
    const tag = tagOf([threadId, last, page]);
    const next = page && upTo < last ? THREAD_CURSORS.textOf({ message: upTo, job: null }) : null;
    return { tag, next, pieces: tag === knownTag ? null : this.messagePieces(threadId, after, upTo) };
  }

  private async *threadPieces(head: Head, after: ThreadCursor, upTo: ThreadCursor): AsyncGenerator<string, void, undefined> {
    const item = threadItem(head, await this.rows.title(head.id));
    yield `${JSON.stringify(item).slice(0, -1)},"messages":[`;
    yield* this.rows.messages(head.id, after.message, upTo.message);
    yield '],"jobs":[';
    yield* this.rows.jobs(head.id, after.job, upTo.job);
    yield ']}';
  }

  private async *messagePieces(threadId: string, after: number, upTo: number): AsyncGenerator<string, void, undefined> {
    yield '{"messages":[';
    yield* this.rows.messages(threadId, after, upTo);
    yield ']}';
  }

  private async endOf(threadId: string, page: ThreadPage): Promise<ThreadCursor> {
    const { createdAt = new Date(0), id = '' } = page.after.job ?? {};
    const [message, job] = await Promise.all([
      this.lastMessageOf(threadId, page),
      this.row<LastJob>(JOB_PAGE, [threadId, createdAt, id, page.limit]),
    ]);
    return { message, job: (job && jobIn(job)) ?? page.after.job };
  }

  private async lastMessageOf(threadId: string, { after, limit }: ThreadPage): Promise<number> {
    const row = await this.row<LastMessage>(MESSAGE_PAGE, [threadId, after.message, limit]);
    return row?.last_message ?? after.message;
  }

  private async row<Row extends object>(statement: { name: string; text: string }, values: unknown[]): Promise<Row | undefined> {
    try {
      return (await this.pool.query<Row>({ ...statement, values })).rows[0];
    } catch (error) {
      throw asStoreError(error);
    }
  }
}

const jobIn = ({ job_created_at: createdAt, job_id: id }: LastJob): JobCursor | null =>
  createdAt === null || id === null ? null : { createdAt, id };

const isBefore = (one: JobCursor | null, last: JobCursor | null): boolean => {
  if (!one || !last) return last !== null;
  const ms = one.createdAt.getTime() - last.createdAt.getTime();
  return ms < 0 || (ms === 0 && one.id < last.id);
};

const tagOf = (parts: unknown[]): string => hash('sha256', JSON.stringify([THREAD_SHAPE, ...parts]), 'base64url');
