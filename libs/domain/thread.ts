import { codePoints } from './code-points';
import { DomainError } from './errors';
import { unknownEvent, type EventShape } from './event';
import type { MessageRole } from './vocabulary';

export type ThreadEvent = ThreadCreated | MessageAdded | JobAdded | ThreadDeleted;

/** Lists every type: a missing one does not compile. */
const EACH_TYPE: Record<ThreadEvent['type'], true> = { ThreadCreated: true, MessageAdded: true, JobAdded: true, ThreadDeleted: true };
export const THREAD_EVENT_TYPES: readonly string[] = Object.keys(EACH_TYPE);

export type ThreadCreated = EventShape<'ThreadCreated', { tenantId: string }, { title: string }>;
export type MessageAdded = EventShape<'MessageAdded', { messageId: string; role: MessageRole; codePoints: number }, { content: string }>;
export type JobAdded = EventShape<'JobAdded', { jobId: string; parentJobId: string | null }>;
export type ThreadDeleted = EventShape<'ThreadDeleted', { jobCount: number }>;

/**
 * The state of a thread, folded from its events. `version` 0: the thread does not exist. Its size does not depend on the thread's length, so it fits
 * into the thread's row, and a write need not read the thread's history.
 */
export interface ThreadState {
  version: number;
  tenantId: string;
  createdAt: string;
  updatedAt: string;
  jobCount: number;
  deleted: boolean;
}

export const initialThread: ThreadState = { version: 0, tenantId: '', createdAt: '', updatedAt: '', jobCount: 0, deleted: false };

/** The most that a thread holds. */
export const MAX_THREAD = { messages: 100_000, jobs: 10_000 };

/** Besides its first event, a thread has one for each message and each job. */
const messageCount = ({ version, jobCount }: ThreadState): number => version - 1 - jobCount;

export type ThreadCommand = CreateThread | AddMessage | AddJob | DeleteThread;

export interface CreateThread {
  type: 'CreateThread';
  tenantId: string;
  title: string;
}
export interface AddMessage {
  type: 'AddMessage';
  tenantId: string;
  messageId: string;
  content: string;
}
export interface AddJob {
  type: 'AddJob';
  tenantId: string;
  jobId: string;
  /** The job that the new one pursues, and whether that job belongs to this thread. Jobs never move to another thread. */
  parent: { jobId: string; isOfThread: boolean } | null;
}
export interface DeleteThread {
  type: 'DeleteThread';
  tenantId: string;
  /** Only if nothing has happened to the thread since this version. */
  ifVersion?: number | undefined;
}

export function decideThread(command: ThreadCommand, state: ThreadState, threadId: string): ThreadEvent[] {
  if (command.type === 'CreateThread') {
    return state.version > 0 ? [] : [{ type: 'ThreadCreated', facts: { tenantId: command.tenantId }, content: { title: command.title } }];
  }
  if (state.version === 0 || state.deleted || state.tenantId !== command.tenantId)
    throw new DomainError('thread_not_found', `The thread ${threadId} does not exist.`);
  switch (command.type) {
    case 'AddMessage': {
      if (messageCount(state) >= MAX_THREAD.messages) throw threadFull(`${MAX_THREAD.messages} messages`);
      const facts = { messageId: command.messageId, role: 'user' as const, codePoints: codePoints(command.content) };
      return [{ type: 'MessageAdded', facts, content: { content: command.content } }];
    }
    case 'AddJob': {
      const { jobId, parent } = command;
      if (parent?.isOfThread === false)
        throw new DomainError('job_not_found', `The job ${parent.jobId} does not exist in the thread ${threadId}.`);
      if (state.jobCount >= MAX_THREAD.jobs) throw threadFull(`${MAX_THREAD.jobs} jobs`);
      return [{ type: 'JobAdded', facts: { jobId, parentJobId: parent?.jobId ?? null } }];
    }
    case 'DeleteThread':
      if (command.ifVersion !== undefined && command.ifVersion !== state.version)
        throw new DomainError('conflict', 'The thread was used meanwhile, so it is not deleted.');
      return [{ type: 'ThreadDeleted', facts: { jobCount: state.jobCount } }];
  }
}

const threadFull = (holds: string): DomainError =>
  new DomainError('thread_full', `The thread has ${holds}, as many as a thread may have: begin another one.`);

export function evolveThread(state: ThreadState, event: ThreadEvent, at: string): ThreadState {
  const next = { ...state, version: state.version + 1 };
  switch (event.type) {
    case 'ThreadCreated':
      return { ...next, tenantId: event.facts.tenantId, createdAt: at, updatedAt: at };
    case 'MessageAdded':
      return { ...next, updatedAt: at };
    case 'JobAdded':
      return { ...next, updatedAt: at, jobCount: state.jobCount + 1 };
    case 'ThreadDeleted':
      return { ...next, deleted: true };
    default:
      return unknownEvent('thread', event);
  }
}
