import type { EventView } from './event.view';
import type { MessageView } from './message.view';
import type { JobTopicsView } from './topic.view';
import type { ThreadDetailView, ThreadListItemView } from './thread.view';

/**
 * What the routes read. Everything is filtered by tenant; null means that the thread or job is unknown **or another
 * tenant's**, which no caller can tell apart. Throws `StoreUnavailable` during an outage of the database.
 */
export abstract class Reader {
  /** Newest first. `limit` 1 to 100, `offset` 0 to 2^31-1. */
  abstract listThreads(tenantId: string, limit: number, offset: number): Promise<ThreadListItemView[]>;
  abstract getThread(tenantId: string, threadId: string): Promise<ThreadDetailView | null>;
  /** In chronological order. */
  abstract listMessages(tenantId: string, threadId: string): Promise<MessageView[] | null>;
  /** The `JobView` as JSON in UTF-8, ready to be sent unparsed. */
  abstract getJob(tenantId: string, threadId: string, jobId: string): Promise<Buffer | null>;
  /** By version. */
  abstract listEvents(tenantId: string, threadId: string, jobId: string): Promise<EventView[] | null>;
  abstract listTopics(tenantId: string, threadId: string, jobId: string): Promise<JobTopicsView | null>;
}
