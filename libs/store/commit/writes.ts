import type { AgendaEntry } from '@lib/domain/job/agenda';
import type { JobLimits } from '@lib/domain/limits';
import type { ThreadState } from '@lib/domain/thread';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { EventRecord } from '../history/event-record';
import type { RecordedRequest, RequestDigests } from '../requests/idempotent-requests';
import type { JobRow } from '../views/job-row';

export interface AgendaSettings {
  leaseMs: number;
  /** How long after a commit the sweeper first looks at the dispatched work, which the writer dispatches at once itself. */
  redispatchFirstMs: number;
  /** How many steps of a provider may be dispatched and unclaimed. */
  windowOf: (provider: ProviderId) => number;
}

/** An agenda entry of a job; `sealedRun` is the id of a run to be cancelled. */
export type AgendaRow = AgendaEntry & {
  jobId: string;
  tenantId: string;
  lookInMs: number;
  sealedRun: Buffer | null;
  /** For a step that needs a turn at its provider: how many of the provider's steps may be dispatched and unclaimed; beyond that it waits. */
  window: number | null;
  givesUpAt: string | null;
  /** Decided by the database: the step waits for its turn. */
  waiting: boolean;
};

/** The columns of a thread's row that spare a write from folding its history. */
export type ThreadSummary = Pick<ThreadState, 'version' | 'jobCount'>;

/** How a job changes a balance, in cents: `cents` is added to what may still be reserved, `reservedCents` to what is reserved. */
export interface BalanceRow {
  id: string;
  tenantId: string;
  jobId: string;
  cents: number;
  reservedCents: number;
  at: string;
}

/** The batch's thread that a row belongs to: either all rows of a thread are written, or none. */
export interface OfThread {
  threadIndex: number;
}

/** Everything that one batch writes: at most one row per key, since one statement cannot touch a row twice. */
export interface Writes {
  /** The streams that are continued, with the version and hash that their last event must still have; null for threads that are only touched. */
  streams: (OfThread & { streamId: string; version: number | null; hash: Buffer | null })[];
  events: (OfThread & { record: EventRecord; tenantId: string })[];
  newKeys: (OfThread & { threadId: string; tenantId: string; kekId: string; wrapped: Buffer })[];
  /** Threads that must not be deleted: their key must still be there. */
  heldThreads: (OfThread & { threadId: string })[];
  /** Threads that this batch deletes: their key and row go at once, the rest is erased in pieces. */
  erasedThreads: (OfThread & { threadId: string })[];
  /** Jobs whose rows, and every sealed byte of their streams, are erased. */
  erasedJobs: (OfThread & { jobId: string })[];
  newThreads: (OfThread & ThreadSummary & { id: string; tenantId: string; createdAt: string; updatedAt: string })[];
  /** With a summary if the thread's own stream is continued. */
  touchedThreads: (OfThread & { id: string; updatedAt: string; summary: ThreadSummary | null })[];
  messages: (OfThread & { id: string; tenantId: string; threadId: string; version: number; role: string; createdAt: string })[];
  newJobs: (OfThread & JobRow & { document: Buffer | null })[];
  changedJobs: (OfThread & JobRow & { document: Buffer | null })[];
  agendaAdded: (OfThread & AgendaRow)[];
  /** `ended`: its time must have come, as for a lease that has run out or a retry that begins. If it has not, the whole batch is refused. */
  agendaRemoved: (OfThread & { jobId: string; kind: string; ref: string; ended: boolean })[];
  /** What new jobs reserve of balances. If a balance does not cover one, nothing of its thread is written. */
  reservations: (OfThread & BalanceRow)[];
  /** New jobs, once for each tenant and key with limits. If there is no room for one, nothing of its thread is written. */
  limitedJobs: (OfThread & JobLimits & { tenantId: string; jobId: string; cents: number })[];
  /** Amounts that ended jobs return. The next reservation adds them to the balance, so that a job can end without locking the balance. */
  settlements: (OfThread & BalanceRow)[];
  /**
   * Each request, once for each of its digests, with the version at which its stream shows its effect. If it was recorded before, nothing of its
   * thread is written.
   */
  requests: (OfThread & { request: RecordedRequest; digests: RequestDigests; version: number })[];
}

export const noWrites = (): Writes => ({
  streams: [],
  events: [],
  newKeys: [],
  heldThreads: [],
  erasedThreads: [],
  erasedJobs: [],
  newThreads: [],
  touchedThreads: [],
  messages: [],
  newJobs: [],
  changedJobs: [],
  agendaAdded: [],
  agendaRemoved: [],
  reservations: [],
  limitedJobs: [],
  settlements: [],
  requests: [],
});

/** Makes a thread's row be updated: once for the whole batch, to the latest time. */
export function touchThread(writes: Writes, touched: Writes['touchedThreads'][number]): void {
  const { id, updatedAt, threadIndex } = touched;
  const known = writes.touchedThreads.find((other) => other.id === id);
  if (known) known.summary ??= touched.summary;
  const row = known ?? writes.newThreads.find((other) => other.id === id);
  if (row) {
    if (row.updatedAt < updatedAt) row.updatedAt = updatedAt;
    return;
  }
  writes.touchedThreads.push(touched);
  if (!writes.streams.some(({ streamId }) => streamId === id))
    writes.streams.push({ streamId: id, version: null, hash: null, threadIndex });
}
