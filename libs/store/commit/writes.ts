import type { AgendaEntry } from '@lib/domain/job/agenda';
import type { JobLimits } from '@lib/domain/limits';
import type { ThreadState } from '@lib/domain/thread';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { EventRecord } from '../history/event-record';
import type { KeyedRequest, RequestDigests } from '../requests/keyed-requests';
import type { JobRow } from '../views/project';

export interface Times {
  leaseMs: number;
  /** How long a fresh dispatch is given before the sweeper looks at it: the writer dispatches at once itself. */
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
  /** For a step that needs its provider's turn: how many may be dispatched and unclaimed for it to be dispatched at once. */
  window: number | null;
  givesUpAt: string | null;
  /** What the database decided: it waits for its turn. */
  waiting: boolean;
};

/** What a write must know of a thread beside its last event. */
export type ThreadSummary = Pick<ThreadState, 'version' | 'jobCount'>;

/** What a job moves a balance by, in cents: what may still be reserved, and what is. */
export interface BalanceRow {
  id: string;
  tenantId: string;
  jobId: string;
  cents: number;
  reservedCents: number;
  at: string;
}

/** Which of the batch's threads a row belongs to: the rows of a thread are written all or none. */
export interface OfThread {
  threadIndex: number;
}

/** Everything that one batch writes: at most one row per key, since one statement cannot touch a row twice. */
export interface Writes {
  /** The streams that are continued, with the version and the hash that their last event must still have, and threads that are merely touched (null). */
  streams: (OfThread & { streamId: string; version: number | null; hash: Buffer | null })[];
  events: (OfThread & { record: EventRecord; tenantId: string })[];
  newKeys: (OfThread & { threadId: string; tenantId: string; kekId: string; wrapped: Buffer })[];
  /** Threads whose key must still be there: of a deleted one nothing is sealed and nothing granted. */
  heldThreads: (OfThread & { threadId: string })[];
  /** Deleted by this batch: their key and row go at once, the rest in pieces. */
  erasedThreads: (OfThread & { threadId: string })[];
  /** Their rows and every sealed byte of their streams. */
  erasedJobs: (OfThread & { jobId: string })[];
  newThreads: (OfThread & ThreadSummary & { id: string; tenantId: string; createdAt: string; updatedAt: string })[];
  /** The summary only of a thread whose own stream is continued. */
  touchedThreads: (OfThread & { id: string; updatedAt: string; summary: ThreadSummary | null })[];
  messages: (OfThread & { id: string; tenantId: string; threadId: string; version: number; role: string; createdAt: string })[];
  newJobs: (OfThread & JobRow & { document: Buffer | null })[];
  changedJobs: (OfThread & JobRow & { document: Buffer | null })[];
  agendaAdded: (OfThread & AgendaRow)[];
  /** Those of a lease that must have run out say so, and those of a retry that begins: one whose time has not come refuses the whole batch. */
  agendaRemoved: (OfThread & { jobId: string; kind: string; ref: string; ended: boolean })[];
  /** What new jobs hold of balances. Where one is not covered, nothing of its thread is written. */
  reservations: (OfThread & BalanceRow)[];
  /** New jobs, once for their tenant and once for their key, as far as these have limits. Where there is no room for one, nothing of its thread is written. */
  limitedJobs: (OfThread & JobLimits & { tenantId: string; jobId: string; cents: number })[];
  /** What ended jobs give back. Whoever reserves next counts it, so that nobody waits for a balance to end a job. */
  settlements: (OfThread & BalanceRow)[];
  /**
   * Each request once under each of its digests, with the version at which its stream shows what it did. One that was recorded before keeps its
   * thread from being written.
   */
  requests: (OfThread & { request: KeyedRequest; digests: RequestDigests; version: number })[];
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

/** Moves a thread's row: once for the whole batch, to the latest time. */
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
