import type { EventPage, EventPlace } from './event-pages';
import type { EventView } from './event.view';
import type { FoundJob } from './job-places';
import type { JobPlace, JobRead } from './job-reads';
import type { MessageView } from './message.view';
import type { JobTopicsView } from './topic.view';
import type { ThreadDetailView, ThreadListItemView } from './thread.view';

/** A thread as it stands. */
export interface ThreadRead {
  /** Changes when the thread does. */
  tag: string;
  /** Null at the tag that the asker has. */
  thread: ThreadDetailView | null;
}

/**
 * What the routes read. Everything is filtered by tenant; null means that the thread or job is unknown **or another
 * tenant's**, which no caller can tell apart. Throws `StoreUnavailable` during an outage of the database.
 */
export abstract class Reader {
  /** Newest first. `limit` 1 to 100, `offset` 0 to 2^31-1. */
  abstract listThreads(tenantId: string, limit: number, offset: number): Promise<ThreadListItemView[]>;
  /** @param knownTag of the thread that the asker has, which it does not need again */
  abstract getThread(tenantId: string, threadId: string, knownTag?: string): Promise<ThreadRead | null>;
  /** In chronological order. */
  abstract listMessages(tenantId: string, threadId: string): Promise<MessageView[] | null>;
  /** Ready to be sent unparsed. */
  abstract readJob(place: JobPlace): Promise<JobRead | null>;
  /** Where a job is and how far it has come, without opening anything. */
  abstract findJob(tenantId: string, jobId: string): Promise<FoundJob | null>;
  /** By version. */
  abstract listEvents(tenantId: string, threadId: string, jobId: string): Promise<EventView[] | null>;
  /** The next events after one, by version. */
  abstract readEventPage(place: EventPlace): Promise<EventPage | null>;
  abstract listTopics(tenantId: string, threadId: string, jobId: string): Promise<JobTopicsView | null>;
}
