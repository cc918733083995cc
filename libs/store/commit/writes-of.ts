import { agendaKey, agendaOf } from '@lib/domain/job/agenda';
import type { JobState } from '@lib/domain/job/state';
import type { MessageAdded } from '@lib/domain/thread';
import { jobRow } from '../views/project';
import { threadIdOf, type Stream } from '../history/aggregates';
import type { Decided } from './decide-unit';
import { noWrites, type Writes } from './writes';

export interface Times {
  leaseMs: number;
  /** How long a fresh dispatch is given before the sweeper looks at it: the writer dispatches at once itself. */
  redispatchFirstMs: number;
}

/**
 * The rows of a batch: its events, and for each stream the difference that the batch as a whole makes to views and agenda.
 * @param before the streams as they were before the batch
 * @param documents sealed documents of the jobs that became final
 */
export function writesOf(
  decided: readonly Decided[],
  before: ReadonlyMap<string, Stream>,
  documents: ReadonlyMap<string, Buffer>,
  times: Times,
): Writes {
  const writes = noWrites();
  writes.events = decided.flatMap(({ appended }) => appended.map(({ record }) => record));
  const after = new Map(decided.flatMap(({ streams }) => [...streams]));
  const tenants = new Map<string, string>();
  for (const [streamId, stream] of after) {
    const previous = before.get(streamId) as Stream;
    if (stream.version === previous.version) continue;
    if (stream.kind === 'job')
      addJob(writes, streamId, stream.state, previous.kind === 'job' ? previous.state : stream.state, documents, times);
    else if (!stream.state.deleted) {
      const { tenantId, createdAt, updatedAt } = stream.state;
      tenants.set(streamId, tenantId);
      if (previous.version === 0) writes.newThreads.push({ id: streamId, tenantId, createdAt, updatedAt });
      else touch(writes, streamId, updatedAt);
    }
  }
  addMessages(writes, tenants);
  endLeases(writes, decided);
  const fresh = new Set(writes.newThreads.map(({ id }) => id));
  const sealedThreads = writes.events.filter(({ sealed }) => sealed).map(({ streamId }) => threadIdOf(after.get(streamId) as Stream));
  writes.heldThreads = [...new Set(sealedThreads)].filter((threadId) => !fresh.has(threadId));
  return writes;
}

function addJob(
  writes: Writes,
  jobId: string,
  state: JobState,
  previous: JobState,
  documents: ReadonlyMap<string, Buffer>,
  { leaseMs, redispatchFirstMs }: Times,
): void {
  const old = new Map(agendaOf(previous, leaseMs).map((entry) => [agendaKey(entry), entry]));
  for (const entry of agendaOf(state, leaseMs)) {
    if (old.delete(agendaKey(entry))) continue;
    const lookInMs = entry.dueInMs === 0 ? redispatchFirstMs : entry.dueInMs;
    writes.agendaAdded.push({ ...entry, jobId, lookInMs, sealedRun: null });
  }
  for (const { kind, ref } of old.values()) writes.agendaRemoved.push({ jobId, kind, ref, ended: false });
  if (state.erased) return;
  const row = { ...jobRow(jobId, state), document: documents.get(jobId) ?? null };
  (previous.version === 0 ? writes.newJobs : writes.changedJobs).push(row);
  if (state.completedAt !== null && previous.completedAt === null) touch(writes, state.threadId, state.completedAt);
}

function addMessages(writes: Writes, tenants: ReadonlyMap<string, string>): void {
  for (const { streamId, version, type, facts, meta } of writes.events) {
    const tenantId = tenants.get(streamId);
    if (type !== 'MessageAdded' || tenantId === undefined) continue;
    const { messageId, role } = facts as MessageAdded['facts'];
    writes.messages.push({ id: messageId, tenantId, threadId: streamId, version, role, createdAt: meta.occurredAt });
  }
}

/** A lease that must have run out is removed on that condition, not merely because the state no longer has it. */
function endLeases(writes: Writes, decided: readonly Decided[]): void {
  const leases = decided.flatMap(({ unit, appended }) => (unit.endedLease && appended.length > 0 ? [unit.endedLease] : []));
  if (leases.length === 0) return;
  const ended = new Set(leases.map(({ jobId, kind, ref }) => `${jobId}/${kind}/${ref}`));
  const others = writes.agendaRemoved.filter(({ jobId, kind, ref }) => !ended.has(`${jobId}/${kind}/${ref}`));
  writes.agendaRemoved = [...others, ...leases.map((lease) => ({ ...lease, ended: true }))];
}

function touch(writes: Writes, id: string, updatedAt: string): void {
  const row = writes.newThreads.find((other) => other.id === id) ?? writes.touchedThreads.find((other) => other.id === id);
  if (!row) writes.touchedThreads.push({ id, updatedAt });
  else if (row.updatedAt < updatedAt) row.updatedAt = updatedAt;
}
