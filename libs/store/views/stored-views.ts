import type { Pool } from 'pg';
import { rowsOf } from '../postgres/rows-of';
import { withStoreErrors } from '../postgres/store-unavailable';
import type { Contents } from '../sealing/contents';
import { openedRows } from '../sealing/opened-rows';
import type { ThreadKeys } from '../sealing/thread-keys';
import { createEventPages, type EventPage, type EventPlace, type ReadEventPage } from './event-pages';
import type { EventView } from './event.view';
import type { FindJob, FoundJob } from './job-places';
import { createJobReads, type JobPlace, type JobRead } from './job-reads';
import { jobTopics, TOPIC_EVENTS, type TopicEvent } from './job-topics';
import type { MessageView } from './message.view';
import { Reader, type ThreadAsked, type ThreadRead, type ThreadsAsked, type ThreadsPage } from './reader';
import { EVENTS, eventView, FIRST_THREADS, MESSAGE, MESSAGES, threadItem, THREADS_AFTER } from './stored-rows';
import type { EventRow, MessageRow, ThreadRow } from './stored-rows';
import { ThreadReads } from './thread-reads';
import { ThreadRows } from './thread-rows';
import type { JobTopicsView } from './topic.view';

/** Reads the views in PostgreSQL. Titles, messages and questions are opened from the events that hold them. */
export class StoredViews extends Reader {
  private readonly jobReads: ReturnType<typeof createJobReads>;
  private readonly eventPages: ReadEventPage;
  private readonly threadReads: ThreadReads;

  constructor(
    private readonly pool: Pool,
    private readonly contents: Contents,
    keys: ThreadKeys,
    private readonly find: FindJob,
    ttlMs: number,
  ) {
    super();
    this.jobReads = createJobReads({ pool, keys, contents, ttlMs });
    this.eventPages = createEventPages(pool);
    this.threadReads = new ThreadReads(pool, new ThreadRows(pool, keys));
  }

  async listThreads(tenantId: string, { limit, offset, after }: ThreadsAsked): Promise<ThreadsPage> {
    const values = [tenantId, limit + 1, offset, ...(after ? [after.createdAt, after.id] : [])];
    const found = await rowsOf<ThreadRow>(this.pool, { text: after ? THREADS_AFTER : FIRST_THREADS, values });
    const rows = found.slice(0, limit);
    const title = ({ id }: ThreadRow) => this.contents.ofThread(id).title();
    const { items: threads, unreadable: threadsUnreadable } = await openedRows(rows, title, threadItem);
    const last = found.length > limit ? rows.at(-1) : undefined;
    return { threads, threadsUnreadable, next: last ? { createdAt: last.created_at, id: last.id } : null };
  }

  readThread(tenantId: string, threadId: string, asked: ThreadAsked): Promise<ThreadRead | null> {
    return this.threadReads.thread(tenantId, threadId, asked);
  }

  readMessages(tenantId: string, threadId: string, asked: ThreadAsked): Promise<ThreadRead | null> {
    return this.threadReads.messages(tenantId, threadId, asked);
  }

  /** The message that the event of this version added, or the first one after it; null if the thread was deleted. */
  async messageFrom(threadId: string, version: number): Promise<MessageView | null> {
    const rows = await rowsOf<MessageRow>(this.pool, { text: MESSAGE, values: [threadId, version] });
    return (await this.opened(threadId, rows))?.[0] ?? null;
  }

  /** Drops the remembered answers of a job. */
  forget(jobId: string): void {
    this.jobReads.forget(jobId);
  }

  /** The `JobView` as JSON in UTF-8. */
  async getJob(tenantId: string, threadId: string, jobId: string): Promise<Buffer | null> {
    return (await this.readJob({ tenantId, threadId, jobId }))?.json ?? null;
  }

  readJob(place: JobPlace): Promise<JobRead | null> {
    return withStoreErrors(() => this.jobReads.read(place));
  }

  findJob(tenantId: string, jobId: string): Promise<FoundJob | null> {
    return this.find(tenantId, jobId);
  }

  readEventPage(place: EventPlace): Promise<EventPage | null> {
    return this.eventPages(place);
  }

  async listEvents(tenantId: string, threadId: string, jobId: string): Promise<EventView[] | null> {
    const rows = await rowsOf<EventRow>(this.pool, { text: EVENTS, values: [tenantId, threadId, jobId] });
    return rows.length > 0 ? rows.map(eventView) : null;
  }

  async listTopics(tenantId: string, threadId: string, jobId: string): Promise<JobTopicsView | null> {
    const events = await rowsOf<TopicEvent>(this.pool, { text: TOPIC_EVENTS, values: [tenantId, threadId, jobId] });
    if (events.length === 0) return null;
    return jobTopics(jobId, events, this.contents.ofJob(jobId, threadId));
  }

  /** The context for a job that pursues another one: the parent's question and claims, and the thread's last messages since. */
  async pursuitOf(
    threadId: string,
    parentJobId: string,
    maxMessages: number,
  ): Promise<{ question: string; claims: string[]; laterMessages: string[] } | null> {
    const [parent] = await rowsOf<{ version: number | null; created_at: Date }>(this.pool, {
      text: `select job.created_at, event.version from job left join event on event.stream_id = job.id and event.type = 'JobCompleted' where job.id = $1`,
      values: [parentJobId],
    });
    if (!parent) return null;
    const contents = this.contents.ofJob(parentJobId, threadId);
    const [question, synthesis, messages] = await Promise.all([
      contents.question(),
      contents.synthesis({ synthesisVersion: parent.version }),
      this.messagesOf(threadId, maxMessages),
    ]);
    if (question === null || !messages) return null;
    const later = messages.filter(({ createdAt }) => Date.parse(createdAt) > parent.created_at.getTime());
    return {
      question,
      claims: synthesis?.claims.map(({ claim }) => claim) ?? [],
      laterMessages: later.map(({ content }) => content),
    };
  }

  /** Null if the thread was deleted in between: otherwise it has at least one message, and each message has content. */
  private async messagesOf(threadId: string, last: number): Promise<MessageView[] | null> {
    const rows = await rowsOf<MessageRow>(this.pool, { text: MESSAGES, values: [threadId, last] });
    return this.opened(threadId, rows.reverse());
  }

  private async opened(threadId: string, rows: readonly MessageRow[]): Promise<MessageView[] | null> {
    const contents = this.contents.ofThread(threadId);
    const texts = await Promise.all(rows.map(({ version }) => contents.message(version)));
    return wholeOrNull(rows, texts, ({ id, role, created_at: createdAt }, content) => ({
      id,
      role,
      content,
      costCents: null,
      createdAt: createdAt.toISOString(),
    }));
  }
}

function wholeOrNull<Row, View>(
  rows: readonly Row[],
  texts: readonly (string | null)[],
  viewOf: (row: Row, text: string) => View,
): View[] | null {
  const views = rows.flatMap((row, index) => {
    const text = texts[index] ?? null;
    return text === null ? [] : [viewOf(row, text)];
  });
  return rows.length > 0 && views.length === rows.length ? views : null;
}
