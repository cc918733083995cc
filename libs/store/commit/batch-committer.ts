import { DomainError } from '@lib/domain/errors';
import { emptyStream, type Stream, type StreamCommand } from '../history/aggregates';
import type { Loaded } from '../history/load';
import { databaseTime } from '../postgres/database-time';
import type { NewThreadKey } from '../sealing/key-ring';
import { Unsealable } from '../sealing/seal';
import type { ReadKeys } from '../sealing/thread-keys';
import type { NotRecorded, SetAside } from './append';
import { decideUnit, isOfDeletedThread, sealingThread, type DecidedUnit, type PendingUnit } from './decide-unit';
import { mayFitLater, resultOfRefused, type Refused } from './refused';
import type { Outcome } from './unit';
import { writeDecided, type BatchKeys, type WriteTools } from './write-decided';

/**
 * The result of a unit. A stale one has to be decided again on the stored state, a locked one once nobody else holds its rows. If its request was not
 * recorded, nothing was done.
 */
export type Result = PromiseSettledResult<Outcome> | 'stale' | 'locked' | NotRecorded;

/**
 * Commits batches. Each call is one try: load the streams that are not cached, fold, decide, and append everything in one statement. A unit is
 * refused alone if one of its streams cannot be folded, or if it would seal content under a key that cannot be opened.
 */
export class BatchCommitter {
  constructor(private readonly tools: WriteTools) {}

  async commit(pending: readonly PendingUnit[]): Promise<Result[]> {
    const loaded = await this.streamsOf(pending);
    const readable = pending.filter((one) => !failureOf(one, loaded));
    const keys = await this.keysOf(readable, loaded.streams);
    for (const one of readable) if (isOfErasedThread(one, loaded.streams, keys)) one.threadDeleted = true;
    const now = (await this.time()).toISOString();
    const { results, decided, stale, after } = decideEach(pending, loaded, keys, now);
    const answerBy = Math.min(...pending.map((one) => one.answerBy));
    const [refused, ofDeleted] = await bothEnded(
      writeDecided(this.tools, { decided, before: loaded.streams, after }, keys, this.tools.clock.at(answerBy)),
      this.ofDeletedThreads(pending, results, after),
    );
    const reasons = refused.threads.size > 0 ? pending.map((one) => setAsideOf(one, refused, after, loaded)) : [];
    pending.forEach((one, index) => {
      if (reasons[index] === 'deleted') one.threadDeleted = true;
      if (mayFitLater(one, refused)) one.roomlessTries = (one.roomlessTries ?? 0) + 1;
    });
    for (const index of ofDeleted) stale.add(index);
    this.invalidate(pending.filter((_, index) => stale.has(index) || reasons[index] !== undefined));
    return results.map(
      (result, index) =>
        resultOfRefused(pending[index] as PendingUnit, reasons[index], refused, now) ?? (stale.has(index) ? 'stale' : result),
    );
  }

  /**
   * A unit without effect writes nothing, so the append would not notice that its thread was deleted. This checks for it, because a repeated claim
   * must not get its grant from a deleted thread.
   * @returns the indexes of the units to decide again
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
    const deleted = await this.tools.keys.missing(asked.values());
    const found = [...asked].flatMap(([index, threadId]) => (deleted.has(threadId) ? [index] : []));
    for (const index of found) (pending[index] as PendingUnit).threadDeleted = true;
    return found;
  }

  /** Makes the streams of these units be loaded before anything else is decided about them. */
  invalidate(pending: readonly PendingUnit[]): void {
    for (const { streamId } of pending.flatMap(({ unit }) => unit.commands)) this.tools.streams.invalidate(streamId);
  }

  /** The database's time: a process whose own clock is wrong must not date its first event by it. */
  async time(): Promise<Date> {
    const { clock, pool } = this.tools;
    if (!clock.isKnown) {
      const askedAt = performance.now();
      clock.observe(await databaseTime(pool), askedAt, performance.now());
    }
    return clock.now();
  }

  private async streamsOf(pending: readonly PendingUnit[]): Promise<LoadedStreams> {
    const streams = new Map<string, Stream>();
    const trusted = new Set<string>();
    const missing = new Set<string>();
    for (const { unit, eventIds } of pending) {
      for (const command of unit.commands) {
        const { streamId } = command;
        if (streams.has(streamId)) continue;
        const known = this.tools.streams.trusted(streamId);
        if (known) trusted.add(streamId);
        const stream = known ?? (eventIds.length === 0 && creates(command) ? emptyStream(streamId) : undefined);
        if (stream) streams.set(streamId, stream);
        else missing.add(streamId);
      }
    }
    // An earlier try may have stored these events. Loading only finds what comes after the cached version, which may already be past them, so they
    // are looked up by their ids; before the streams are loaded, so that these include them.
    const found = await this.tools.streams.storedTimes(pending.flatMap((one) => (one.mayBeStored ? one.eventIds.slice(0, 1) : [])));
    const stored = await this.tools.streams.loadAll([...missing]);
    for (const [streamId, stream] of stored.streams) streams.set(streamId, stream);
    return { streams, trusted, failures: stored.failures, eventTimes: new Map([...found, ...stored.eventTimes]) };
  }

  private async keysOf(pending: readonly PendingUnit[], streams: ReadonlyMap<string, Stream>): Promise<BatchKeys> {
    const created = new Map<string, NewThreadKey>();
    for (const one of pending) {
      const thread = one.unit.commands.find(({ command }) => command.type === 'CreateThread');
      if (thread) created.set(thread.streamId, (one.newKey ??= this.tools.keys.ring.create(thread.streamId)));
    }
    const threads = pending.flatMap(({ unit }) => unit.commands).map((command) => threadOf(command, streams));
    const { keys, changed } = await this.tools.keys.readEach(threads.filter((threadId) => threadId !== '' && !created.has(threadId)));
    for (const [threadId, { key }] of created) keys.set(threadId, key);
    return { keys, changed, created };
  }
}

/** If one fails, waits for the other too: while it writes, nothing may be tried again. */
async function bothEnded<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** The streams of a batch before anything is decided. */
interface LoadedStreams extends Pick<Loaded, 'streams' | 'failures' | 'eventTimes'> {
  /** Streams that were cached and not loaded: another process may have changed them. */
  trusted: ReadonlySet<string>;
}

interface BatchDecisions {
  results: PromiseSettledResult<Outcome>[];
  decided: DecidedUnit[];
  /** Indexes of units that had no effect on a cached state, but may have one on the stored state. */
  stale: Set<number>;
  /** The streams after all decisions. */
  after: Map<string, Stream>;
}

/** Decides each unit on the state left by the units before it. */
function decideEach(pending: readonly PendingUnit[], loaded: LoadedStreams, keys: ReadKeys, now: string): BatchDecisions {
  const after = new Map(loaded.streams);
  const decided: DecidedUnit[] = [];
  const stale = new Set<number>();
  const results = pending.map((one, index): PromiseSettledResult<Outcome> => {
    const storedAt = loaded.eventTimes.get(one.eventIds[0] ?? '');
    if (storedAt !== undefined) return { status: 'fulfilled', value: { streams: after, appended: [], at: storedAt } };
    const failure = failureOf(one, loaded);
    if (failure) return { status: 'rejected', reason: failure };
    const isCertain = !one.unit.commands.some(({ streamId }) => loaded.trusted.has(streamId));
    try {
      const result = decideUnit(one, (streamId) => after.get(streamId) as Stream, keys, now);
      for (const [streamId, stream] of result.streams) after.set(streamId, stream);
      if (result.appended.length === 0 && !isCertain) stale.add(index);
      else decided.push(result);
      const { streams, appended } = result;
      return { status: 'fulfilled', value: { streams, appended, at: appended[0]?.record.meta.occurredAt ?? null } };
    } catch (reason) {
      if (!(reason instanceof DomainError || reason instanceof Unsealable)) throw reason;
      if (!isCertain) stale.add(index);
      return { status: 'rejected', reason };
    }
  });
  return { results, decided, stale, after };
}

/** Why a stream of the unit cannot be folded. */
const failureOf = ({ unit }: PendingUnit, { failures }: LoadedStreams): Error | undefined =>
  unit.commands.map(({ streamId }) => failures.get(streamId)).find(Boolean);

function setAsideOf(
  one: PendingUnit,
  { threads }: Refused,
  streams: ReadonlyMap<string, Stream>,
  loaded: LoadedStreams,
): SetAside | undefined {
  if (failureOf(one, loaded)) return undefined;
  return one.unit.commands.map((command) => threads.get(threadOf(command, streams))).find((reason) => reason !== undefined);
}

/**
 * Whether the thread's key is gone although the job is not erased yet. The thread was then deleted: what the unit records is late, and only its cost
 * counts. A unit whose key was read before the deletion is set aside by the append.
 */
const isOfErasedThread = ({ unit }: PendingUnit, streams: ReadonlyMap<string, Stream>, { keys, changed }: ReadKeys): boolean =>
  unit.commands.some((command) => {
    const stream = streams.get(command.streamId);
    if (stream?.kind !== 'job' || stream.version === 0 || stream.state.erased) return false;
    return !keys.has(stream.state.threadId) && !changed.has(stream.state.threadId);
  });

const threadOf = (command: StreamCommand, streams: ReadonlyMap<string, Stream>): string =>
  sealingThread(command, streams.get(command.streamId) as Stream);

/** A stream that the command creates need not be loaded, unless an earlier try may have written it. */
const creates = ({ command }: StreamCommand): boolean => command.type === 'CreateThread' || command.type === 'RequestJob';
