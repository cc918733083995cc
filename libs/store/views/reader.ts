import type { CreatedPlace } from './created-place';
import type { EventPage, EventPlace } from './event-pages';
import type { EventView } from './event.view';
import type { FoundJob } from './job-places';
import type { JobPlace, JobRead } from './job-reads';
import type { JobTopicsView } from './topic.view';
import type { ThreadCursor } from './thread-cursor';
import type { ThreadListItemView } from './thread.view';

/** A page begins after a place and has at most `limit` messages, and as many jobs if the answer has jobs. */
export interface ThreadPage {
  after: ThreadCursor;
  limit: number;
}

export interface ThreadAsked {
  /** Null: the whole thread. */
  page: ThreadPage | null;
  /** The tag of the answer that the client has: it does not need the same one again. */
  knownTag: string | undefined;
}

/** The answer to a read of a thread. */
export interface ThreadRead {
  /** Changes when the answer does. */
  tag: string;
  /** Where the next page begins; null if there is none. */
  next: string | null;
  /**
   * The answer as JSON; each piece is read when it is taken. Null if the client already has this answer. Throws DomainError `thread_not_found` if the
   * thread is deleted in between.
   */
  pieces: AsyncGenerator<string, void, undefined> | null;
}

/** Which of a tenant's threads are wanted. */
export interface ThreadsAsked {
  /** 1 to 100. */
  limit: number;
  /** How many to skip: 0 to 2^31-1. Rows added or removed in between shift the pages. */
  offset: number;
  /** The last one that is known; null for the first page. */
  after: CreatedPlace | null;
}

export interface ThreadsPage {
  threads: ThreadListItemView[];
  /** How many more of the page could not be opened. */
  threadsUnreadable: number;
  /** The last one of the page; null if there are no more. */
  next: CreatedPlace | null;
}

/**
 * The data that the routes read. Everything is filtered by tenant; null means that the thread or job is unknown **or another tenant's**, which no
 * caller can distinguish. Throws `StoreUnavailable` during an outage of the database.
 */
export abstract class Reader {
  /** Newest first. */
  abstract listThreads(tenantId: string, asked: ThreadsAsked): Promise<ThreadsPage>;
  /** A `ThreadDetailView`. */
  abstract readThread(tenantId: string, threadId: string, asked: ThreadAsked): Promise<ThreadRead | null>;
  /** A `MessageListView`. */
  abstract readMessages(tenantId: string, threadId: string, asked: ThreadAsked): Promise<ThreadRead | null>;
  /** Ready to be sent unparsed. */
  abstract readJob(place: JobPlace): Promise<JobRead | null>;
  /** A job's place and progress, without opening anything. */
  abstract findJob(tenantId: string, jobId: string): Promise<FoundJob | null>;
  /** By version. */
  abstract listEvents(tenantId: string, threadId: string, jobId: string): Promise<EventView[] | null>;
  /** The next events after one, by version. */
  abstract readEventPage(place: EventPlace): Promise<EventPage | null>;
  abstract listTopics(tenantId: string, threadId: string, jobId: string): Promise<JobTopicsView | null>;
}
