import type { MessageAdded } from '@lib/domain/thread';
import { threadIdOf, type Stream } from '../history/aggregates';
import type { DecidedUnit } from './decide-unit';
import { addJobWrites } from './job-writes';
import { noWrites, touchThread, type OfThread, type AgendaSettings, type Writes } from './writes';

interface Batch {
  decided: readonly DecidedUnit[];
  /** The streams as they were before the batch. */
  before: ReadonlyMap<string, Stream>;
  /** Sealed documents of the jobs that became final. */
  documents: ReadonlyMap<string, Buffer>;
  /** The index of each thread that the batch writes to. */
  threadIndexes: ReadonlyMap<string, number>;
}

/** Numbers the threads that the units write to. */
export function indexThreads(decided: readonly DecidedUnit[]): Map<string, number> {
  const threadIds = new Set(decided.map(({ threadId }) => threadId));
  return new Map([...threadIds].map((threadId, index) => [threadId, index]));
}

/** The rows of a batch: its events, and for each stream the overall changes to views and agenda. */
export function writesOf(batch: Batch, settings: AgendaSettings): Writes {
  const writes = noWrites();
  const after = new Map(batch.decided.flatMap(({ streams }) => [...streams]));
  const threadIndexOf = (stream: Stream) => batch.threadIndexes.get(threadIdOf(stream)) as number;
  for (const { appended, threadId, streams } of batch.decided) {
    const threadIndex = batch.threadIndexes.get(threadId) as number;
    for (const { record } of appended) {
      const { tenantId } = (streams.get(record.streamId) as Stream).state;
      writes.events.push({ record, tenantId, threadIndex });
    }
  }
  for (const [streamId, stream] of after) {
    const previous = batch.before.get(streamId) as Stream;
    if (stream.version === previous.version) continue;
    const threadIndex = threadIndexOf(stream);
    if (previous.version > 0) writes.streams.push({ streamId, version: previous.version, hash: previous.hash, threadIndex });
    if (stream.kind === 'job' && previous.kind === 'job') {
      const job = { jobId: streamId, state: stream.state, previous: previous.state, threadIndex };
      addJobWrites(writes, job, settings, batch.documents);
    } else if (stream.kind === 'thread' && !stream.state.deleted) {
      const { tenantId, createdAt, updatedAt, version, jobCount } = stream.state;
      const summary = { version, jobCount };
      if (previous.version === 0) writes.newThreads.push({ id: streamId, tenantId, createdAt, updatedAt, ...summary, threadIndex });
      else touchThread(writes, { id: streamId, updatedAt, summary, threadIndex });
    } else if (stream.kind === 'thread' && previous.kind === 'thread') {
      eraseThread(writes, { threadId: streamId, tenantId: previous.state.tenantId, threadIndex }, settings);
    }
  }
  addMessages(writes, after);
  endLeases(writes, batch.decided, threadIndexOf);
  holdThreads(writes, batch);
  addRequests(writes, batch);
  addLimits(writes, batch);
  return writes;
}

function addMessages(writes: Writes, after: ReadonlyMap<string, Stream>): void {
  for (const { record, threadIndex } of writes.events) {
    const { streamId, version, type, facts, meta } = record;
    const thread = after.get(streamId);
    if (type !== 'MessageAdded' || thread?.kind !== 'thread' || thread.state.deleted) continue;
    const { messageId, role } = facts as MessageAdded['facts'];
    const { tenantId } = thread.state;
    writes.messages.push({ id: messageId, tenantId, threadId: streamId, version, role, createdAt: meta.occurredAt, threadIndex });
  }
}

/** A lease that ends is only removed if it has run out, not merely because the new state no longer has it. */
function endLeases(writes: Writes, decided: readonly DecidedUnit[], threadIndexOf: (stream: Stream) => number): void {
  for (const { unit, appended, streams } of decided) {
    const lease = unit.endedLease;
    if (!lease || appended.length === 0) continue;
    const row = writes.agendaRemoved.find(({ jobId, kind, ref }) => jobId === lease.jobId && kind === lease.kind && ref === lease.ref);
    if (row) row.ended = true;
    else writes.agendaRemoved.push({ ...lease, ended: true, threadIndex: threadIndexOf(streams.get(lease.jobId) as Stream) });
  }
}

function eraseThread(
  writes: Writes,
  { threadId, tenantId, threadIndex }: { threadId: string; tenantId: string } & OfThread,
  settings: AgendaSettings,
): void {
  writes.erasedThreads.push({ threadId, threadIndex });
  const entry = { kind: 'erase thread' as const, ref: '', stepId: null, attempt: null, run: null, provider: null, dueInMs: 0 };
  const turn = { window: null, givesUpAt: null, waiting: false };
  writes.agendaAdded.push({
    ...entry,
    ...turn,
    jobId: threadId,
    tenantId,
    lookInMs: settings.redispatchFirstMs,
    sealedRun: null,
    threadIndex,
  });
}

/** A write to a thread requires that its key exists. So what commits before a deletion is erased with it, and later writes fail. */
function holdThreads(writes: Writes, { decided, threadIndexes }: Batch): void {
  const held = new Set(
    decided.filter((one) => (one.appended.length > 0 || one.unit.request) && !one.threadDeleted).map(({ threadId }) => threadId),
  );
  for (const { id } of writes.newThreads) held.delete(id);
  for (const { threadId } of writes.erasedThreads) held.delete(threadId);
  for (const threadId of held) writes.heldThreads.push({ threadId, threadIndex: threadIndexes.get(threadId) as number });
}

function addLimits(writes: Writes, { decided, threadIndexes }: Batch): void {
  for (const { unit, appended, streams, threadId } of decided) {
    if (!unit.limits) continue;
    for (const { record } of appended) {
      const job = streams.get(record.streamId);
      if (record.type !== 'JobRequested' || job?.kind !== 'job') continue;
      const { tenantId, budgetCapCents: cents } = job.state;
      const threadIndex = threadIndexes.get(threadId) as number;
      for (const { keyId, openJobs, dailyCents, warningCents } of unit.limits)
        writes.limitedJobs.push({ tenantId, keyId, jobId: record.streamId, cents, openJobs, dailyCents, warningCents, threadIndex });
    }
  }
}

function addRequests(writes: Writes, { decided, threadIndexes }: Batch): void {
  for (const { unit, appended, streams, threadId } of decided) {
    const { request } = unit;
    if (!request) continue;
    const effect = appended.find(({ record }) => record.streamId === request.streamId)?.record ?? streams.get(request.streamId);
    const recorded = { request, version: effect?.version ?? 0, threadIndex: threadIndexes.get(threadId) as number };
    for (const digests of [request, ...(request.others ?? [])]) writes.requests.push({ ...recorded, digests });
  }
}
