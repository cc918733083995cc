import type { Pool } from 'pg';
import { DomainError } from '@lib/domain/errors';
import { isFinal } from '@lib/domain/job/state';
import { emptyStream, type Stream, type StreamCommand } from '../history/aggregates';
import { append, type Appended, type NotRecorded, type SetAside } from './append';
import type { CorrectedClock } from './clock';
import { decideUnit, isOfDeletedThread, sealingThread, type Decided, type PendingUnit } from './decide-unit';
import { NOTHING_REFUSED, refusalOf, type Refused } from './refused';
import type { AppendedEvent, Outcome } from './unit';
import type { Streams } from '../history/streams';
import { indexThreads, writesOf, type Times } from './writes-of';
import type { Writes } from './writes';
import { sealRuns } from '../agenda/sealed-runs';
import { uncommitted, type Contents } from '../sealing/contents';
import { Unsealable } from '../sealing/seal';
import type { ReadKeys, ThreadKeys } from '../sealing/thread-keys';
import { sealedDocuments } from '../views/sealed-documents';

/** What a batch committed: its listeners dispatch, tell and log it. They must not throw. */
export interface Commit {
  appended: readonly AppendedEvent[];
  agendaAdded: Writes['agendaAdded'];
  /** What was appended to, as it is now. */
  streams: ReadonlyMap<string, Stream>;
  /** How many units were decided together, and how long the statement took, in milliseconds. */
  units: number;
  tookMs: number;
}

/** Threads that the commit deleted, and jobs of which it erased the content. */
export const erasedIn = ({ appended }: Commit): string[] =>
  appended.flatMap(({ record: { type, streamId } }) => (type === 'ThreadDeleted' || type === 'ContentErased' ? [streamId] : []));

/**
 * What became of a unit; a stale one has to be decided again, on what is stored by now, and a locked one once nobody else holds its rows.
 * Of one whose request was not recorded nothing was done.
 */
export type Result = PromiseSettledResult<Outcome> | 'stale' | 'locked' | NotRecorded;

interface Parts {
  pool: Pool;
  streams: Streams;
  keys: ThreadKeys;
  contents: Contents;
  clock: CorrectedClock;
  times: Times;
  tell: (commit: Commit) => void;
}

/**
 * One try of a batch: load what is not remembered, fold, decide, and append everything in one statement. A unit of which a stream cannot be
 * folded, or that would seal content under a key that cannot be opened, is refused alone.
 */
export class CommitBatch {
  constructor(private readonly parts: Parts) {}

  async commit(pending: readonly PendingUnit[]): Promise<Result[]> {
    const { streams, trusted, eventIds, failures } = await this.streamsOf(pending);
    const failureOf = ({ unit }: PendingUnit) => unit.commands.map(({ streamId }) => failures.get(streamId)).find(Boolean);
    const readable = pending.filter((one) => !failureOf(one));
    const keys = await this.keysOf(readable, streams);
    const now = (await this.now()).toISOString();
    const working = new Map(streams);
    const decided: Decided[] = [];
    const stale = new Set<number>();
    const results = pending.map((one, index): PromiseSettledResult<Outcome> => {
      const own = one.eventIds[0];
      if (own !== undefined && eventIds.has(own)) return { status: 'fulfilled', value: { streams: working, appended: [] } };
      const failure = failureOf(one);
      if (failure) return { status: 'rejected', reason: failure };
      const isCertain = !one.unit.commands.some(({ streamId }) => trusted.has(streamId));
      try {
        const result = decideUnit(one, (streamId) => working.get(streamId) as Stream, keys, now);
        for (const [streamId, stream] of result.streams) working.set(streamId, stream);
        if (result.appended.length === 0 && !isCertain) stale.add(index);
        else decided.push(result);
        return { status: 'fulfilled', value: { streams: result.streams, appended: result.appended } };
      } catch (reason) {
        if (!(reason instanceof DomainError || reason instanceof Unsealable)) throw reason;
        if (!isCertain) stale.add(index);
        return { status: 'rejected', reason };
      }
    });
    const answerBy = Math.min(...pending.map((one) => one.answerBy));
    const refused = await this.write(decided, streams, working, keys, this.parts.clock.at(answerBy));
    const reasonOf = (one: PendingUnit): SetAside | undefined =>
      failureOf(one)
        ? undefined
        : one.unit.commands.map((command) => refused.threads.get(threadOf(command, working))).find((reason) => reason !== undefined);
    const reasons = refused.threads.size > 0 ? pending.map(reasonOf) : [];
    pending.forEach((one, index) => {
      if (reasons[index] === 'deleted') one.threadDeleted = true;
    });
    for (const index of await this.ofDeletedThreads(pending, results, working)) stale.add(index);
    this.distrust(pending.filter((_, index) => stale.has(index) || reasons[index] !== undefined));
    return results.map((result, index) => {
      const { request } = (pending[index] as PendingUnit).unit;
      const notRecorded = request && refused.requests.get(request);
      if (notRecorded) return notRecorded;
      if (reasons[index] === 'locked') return 'locked';
      const refusal = refusalOf(pending[index] as PendingUnit, refused);
      if (refusal) return { status: 'rejected', reason: refusal };
      return stale.has(index) || reasons[index] !== undefined ? 'stale' : result;
    });
  }

  /**
   * A command without effect meets no deletion, so it is asked for: a claim that is repeated must not get its grant from a deleted thread.
   * @returns the units to decide again
   */
  private async ofDeletedThreads(
    pending: readonly PendingUnit[],
    results: readonly PromiseSettledResult<Outcome>[],
    streams: ReadonlyMap<string, Stream>,
  ): Promise<number[]> {
    const asked = new Map<number, string>();
    results.forEach((result, index) => {
      const one = pending[index] as PendingUnit;
      const [command] = one.unit.commands;
      const stream = command && streams.get(command.streamId);
      if (result.status === 'rejected' || result.value.appended.length > 0 || isOfDeletedThread(one)) return;
      if (stream?.kind === 'job' && stream.version > 0 && !stream.state.erased) asked.set(index, stream.state.threadId);
    });
    const deleted = await this.parts.keys.missing(asked.values());
    const found = [...asked].flatMap(([index, threadId]) => (deleted.has(threadId) ? [index] : []));
    for (const index of found) (pending[index] as PendingUnit).threadDeleted = true;
    return found;
  }

  /** A statement came later than its answer was due, or so it seemed: the database's time is asked anew. */
  distrustClock(): void {
    this.parts.clock.doubt();
  }

  /** Their streams are looked at again before anything else is decided about them. */
  distrust(pending: readonly PendingUnit[]): void {
    for (const { streamId } of pending.flatMap(({ unit }) => unit.commands)) this.parts.streams.distrust(streamId);
  }

  /** The database's time: a process whose own clock is wrong must not date its first event by it. */
  private async now(): Promise<Date> {
    const { clock, pool } = this.parts;
    if (!clock.isKnown) {
      const askedAt = performance.now();
      const { rows } = await pool.query<{ now: Date }>('select statement_timestamp() as now');
      clock.observe((rows as [{ now: Date }])[0].now, askedAt, performance.now());
    }
    return clock.now();
  }

  private async streamsOf(pending: readonly PendingUnit[]) {
    const streams = new Map<string, Stream>();
    const trusted = new Set<string>();
    const missing = new Set<string>();
    for (const { unit, eventIds } of pending) {
      for (const command of unit.commands) {
        const { streamId } = command;
        if (streams.has(streamId)) continue;
        const known = this.parts.streams.trusted(streamId);
        if (known) trusted.add(streamId);
        const stream = known ?? (eventIds.length === 0 && creates(command) ? emptyStream(streamId) : undefined);
        if (stream) streams.set(streamId, stream);
        else missing.add(streamId);
      }
    }
    // What others have remembered past it is not loaded again. Asked before the streams are loaded, so that these hold what is found.
    const found = await this.parts.streams.storedIds(pending.flatMap((one) => (one.mayBeStored ? one.eventIds.slice(0, 1) : [])));
    const stored = await this.parts.streams.loadAll([...missing]);
    for (const [streamId, stream] of stored.streams) streams.set(streamId, stream);
    return { streams, trusted, failures: stored.failures, eventIds: found.union(stored.eventIds) };
  }

  private async keysOf(pending: readonly PendingUnit[], streams: ReadonlyMap<string, Stream>): Promise<ReadKeys> {
    const commands = pending.flatMap(({ unit }) => unit.commands);
    for (const { command, streamId } of commands) if (command.type === 'CreateThread') this.parts.keys.create(streamId);
    const threads = commands.map((command) => threadOf(command, streams));
    return this.parts.keys.readEach(threads.filter((threadId) => threadId !== ''));
  }

  private async write(
    decided: readonly Decided[],
    before: ReadonlyMap<string, Stream>,
    after: ReadonlyMap<string, Stream>,
    { keys }: ReadKeys,
    answerBy: Date | null,
  ): Promise<Refused> {
    const appended = decided.flatMap((one) => one.appended);
    const hasRequest = decided.some(({ unit }) => unit.request);
    if (appended.length === 0 && !hasRequest) return NOTHING_REFUSED;
    const { pool, contents, clock, times, tell } = this.parts;
    const fresh = uncommitted(appended.map(({ record, content }) => ({ ...record, content })));
    const documents = await sealedDocuments(before, after, fresh, keys, contents);
    const threadIndexes = indexThreads(decided);
    const writes = writesOf({ decided, before, documents, threadIndexes }, times);
    await sealRuns(writes.agendaAdded, after, fresh, { pool, contents, ring: this.parts.keys.ring });
    writes.newKeys = writes.newThreads.map(({ id, tenantId, threadIndex }) => ({
      threadId: id,
      tenantId,
      threadIndex,
      ...this.parts.keys.create(id),
    }));
    const sentAt = performance.now();
    const { arrivedAt, setAside, waiting, notRecorded, balances, beyond, near } = await append(pool, writes, answerBy);
    const answeredAt = performance.now();
    clock.observe(arrivedAt, sentAt, answeredAt);
    for (const row of writes.agendaAdded) row.waiting = row.window !== null && waiting.has(`${row.jobId}/${row.ref}`);
    const written = decided.filter(({ threadId }) => !setAside.has(threadIndexes.get(threadId) as number));
    this.remember(written);
    tellNear(written, near);
    tell({
      appended: written.flatMap((one) => one.appended),
      agendaAdded: writes.agendaAdded.filter(({ threadIndex }) => !setAside.has(threadIndex)),
      streams: after,
      units: decided.length,
      tookMs: answeredAt - sentAt,
    });
    const reasons = [...threadIndexes].flatMap(([threadId, index]): [string, SetAside][] => {
      const reason = setAside.get(index);
      return reason ? [[threadId, reason]] : [];
    });
    for (const [threadId, reason] of reasons) if (reason === 'deleted') this.parts.keys.forget(threadId);
    return { threads: new Map(reasons), requests: notRecorded, balances, beyond };
  }

  private remember(written: readonly Decided[]): void {
    const { streams, contents, keys } = this.parts;
    const after = new Map(written.flatMap((one) => [...one.streams]));
    for (const [streamId, stream] of after) {
      streams.remember(stream);
      if (!isOpenJob(stream)) contents.forget(streamId);
      if (stream.kind === 'thread' && stream.state.deleted) keys.forget(streamId);
    }
    for (const { record, contentText } of written.flatMap(({ appended }) => appended)) {
      if (contentText === '' || !isOpenJob(after.get(record.streamId) as Stream)) continue;
      contents.remember(record.streamId, record.version, contentText);
    }
  }
}

/** Its content is read again soon: by its steps, its synthesis and its document. */
const isOpenJob = ({ kind, state }: Stream): boolean => kind === 'job' && !isFinal(state);

const threadOf = (command: StreamCommand, streams: ReadonlyMap<string, Stream>): string =>
  sealingThread(command, streams.get(command.streamId) as Stream);

/** A stream that this command begins need not be looked for, unless an earlier try may have written it. */
const creates = ({ command }: StreamCommand): boolean => command.type === 'CreateThread' || command.type === 'RequestJob';

function tellNear(written: readonly Decided[], near: Appended['near']): void {
  if (near.size === 0) return;
  for (const { unit, streams } of written)
    for (const { keyId, cents } of [...streams.keys()].flatMap((streamId) => near.get(streamId) ?? []))
      unit.limits?.find((limits) => limits.keyId === keyId)?.near?.(cents);
}
