import type { Pool } from 'pg';
import { isFinal } from '@lib/domain/job/state';
import { sealRuns } from '../agenda/sealed-runs';
import type { Stream } from '../history/aggregates';
import type { RememberedJobs } from '../history/remembered-jobs';
import type { Streams } from '../history/streams';
import type { NewThreadKey } from '../sealing/key-ring';
import { uncommitted, type Contents } from '../sealing/contents';
import type { ReadKeys, ThreadKeys } from '../sealing/thread-keys';
import { sealedDocuments } from '../views/sealed-documents';
import { append, type Appended, type SetAside } from './append';
import type { CorrectedClock } from './clock';
import type { Commit } from './commit';
import type { DecidedUnit } from './decide-unit';
import { NOTHING_REFUSED, type Refused } from './refused';
import type { AgendaSettings } from './writes';
import { indexThreads, writesOf } from './writes-of';

export interface WriteTools {
  pool: Pool;
  streams: Streams;
  keys: ThreadKeys;
  contents: Contents;
  clock: CorrectedClock;
  agendaSettings: AgendaSettings;
  tell: (commit: Commit) => void;
  remembers: RememberedJobs;
}

/** The decisions of a batch, and its streams before and after them. */
interface DecidedBatch {
  decided: readonly DecidedUnit[];
  before: ReadonlyMap<string, Stream>;
  after: ReadonlyMap<string, Stream>;
}

/** The keys of a batch, with those of the threads that it creates. */
export interface BatchKeys extends ReadKeys {
  created: ReadonlyMap<string, NewThreadKey>;
}

/**
 * Seals the documents and run ids of a decided batch and appends everything in one statement; then caches the result and tells the listeners.
 * @returns what the database refused
 */
export async function writeDecided(
  tools: WriteTools,
  { decided, before, after }: DecidedBatch,
  { keys, created }: BatchKeys,
  answerBy: Date | null,
): Promise<Refused> {
  const appended = decided.flatMap((one) => one.appended);
  const hasRequest = decided.some(({ unit }) => unit.request);
  if (appended.length === 0 && !hasRequest) return NOTHING_REFUSED;
  const { pool, contents, clock, agendaSettings, tell } = tools;
  const fresh = uncommitted(appended);
  const documents = await sealedDocuments(before, after, fresh, keys, contents);
  const threadIndexes = indexThreads(decided);
  const writes = writesOf({ decided, before, documents, threadIndexes }, agendaSettings);
  await sealRuns(writes.agendaAdded, after, fresh, { pool, contents, ring: tools.keys.ring });
  writes.newKeys = writes.newThreads.map(({ id, tenantId, threadIndex }) => ({
    threadId: id,
    tenantId,
    threadIndex,
    ...(created.get(id) as NewThreadKey),
  }));
  const sentAt = performance.now();
  const { arrivedAt, setAside, waiting, notRecorded, balances, beyond, near } = await append(pool, writes, answerBy);
  const answeredAt = performance.now();
  clock.observe(arrivedAt, sentAt, answeredAt);
  for (const row of writes.agendaAdded) row.waiting = row.window !== null && waiting.has(`${row.jobId}/${row.ref}`);
  const written = decided.filter(({ threadId }) => !setAside.has(threadIndexes.get(threadId) as number));
  remember(written, created, tools);
  tellNear(written, near);
  tell({
    appended: written.flatMap((one) => one.appended),
    agendaAdded: writes.agendaAdded.filter(({ threadIndex }) => !setAside.has(threadIndex)),
    streams: after,
    units: decided.length,
    tookMs: answeredAt - sentAt,
  });
  const threads = refusedThreads(threadIndexes, setAside);
  for (const [threadId, reason] of threads) if (reason === 'deleted') tools.keys.forget(threadId);
  return { threads, requests: notRecorded, balances, beyond };
}

/** The threads that were set aside, by id; the database gives their indexes in the batch. */
function refusedThreads(threadIndexes: ReadonlyMap<string, number>, setAside: ReadonlyMap<number, SetAside>): Map<string, SetAside> {
  const refused = new Map<string, SetAside>();
  for (const [threadId, index] of threadIndexes) {
    const reason = setAside.get(index);
    if (reason) refused.set(threadId, reason);
  }
  return refused;
}

function remember(
  written: readonly DecidedUnit[],
  created: BatchKeys['created'],
  { streams, contents, keys, remembers }: WriteTools,
): void {
  for (const { threadId } of written) {
    const made = created.get(threadId);
    if (made) keys.remember(threadId, made.key);
  }
  const isReadAgain = ({ kind, state }: Stream) => kind === 'job' && !isFinal(state) && remembers.content(state.status);
  const after = new Map(written.flatMap((one) => [...one.streams]));
  for (const [streamId, stream] of after) {
    streams.remember(stream);
    if (!isReadAgain(stream)) contents.forget(streamId);
    if (stream.kind === 'thread' && stream.state.deleted) keys.forget(streamId);
  }
  for (const { record, contentText } of written.flatMap(({ appended }) => appended)) {
    if (contentText === '' || !isReadAgain(after.get(record.streamId) as Stream)) continue;
    contents.remember(record.streamId, record.version, contentText);
  }
}

/** Tells each limit the possible cost of the day's jobs, once that exceeds its warning level. */
function tellNear(written: readonly DecidedUnit[], near: Appended['near']): void {
  if (near.size === 0) return;
  for (const { unit, streams } of written)
    for (const { keyId, cents } of [...streams.keys()].flatMap((streamId) => near.get(streamId) ?? []))
      unit.limits?.find((limits) => limits.keyId === keyId)?.near?.(cents);
}
