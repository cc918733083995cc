import { DomainError } from '@lib/domain/errors';
import { emptyStream, type Stream, type StreamCommand } from '../history/aggregates';
import { databaseTime } from '../postgres/database-time';
import { Unsealable } from '../sealing/seal';
import type { ReadKeys } from '../sealing/thread-keys';
import type { NotRecorded, SetAside } from './append';
import { decideUnit, isOfDeletedThread, sealingThread, type Decided, type PendingUnit } from './decide-unit';
import { refusalOf } from './refused';
import type { Outcome } from './unit';
import { writeDecided, type WriteParts } from './write-decided';

/**
 * What became of a unit; a stale one has to be decided again, on what is stored by now, and a locked one once nobody else holds its rows.
 * Of one whose request was not recorded nothing was done.
 */
export type Result = PromiseSettledResult<Outcome> | 'stale' | 'locked' | NotRecorded;

/**
 * One try of a batch: load what is not remembered, fold, decide, and append everything in one statement. A unit of which a stream cannot be
 * folded, or that would seal content under a key that cannot be opened, is refused alone.
 */
export class CommitBatch {
  constructor(private readonly parts: WriteParts) {}

  async commit(pending: readonly PendingUnit[]): Promise<Result[]> {
    const { streams, trusted, eventTimes, failures } = await this.streamsOf(pending);
    const failureOf = ({ unit }: PendingUnit) => unit.commands.map(({ streamId }) => failures.get(streamId)).find(Boolean);
    const readable = pending.filter((one) => !failureOf(one));
    const keys = await this.keysOf(readable, streams);
    const now = (await this.time()).toISOString();
    const working = new Map(streams);
    const decided: Decided[] = [];
    const stale = new Set<number>();
    const results = pending.map((one, index): PromiseSettledResult<Outcome> => {
      const storedAt = eventTimes.get(one.eventIds[0] ?? '');
      if (storedAt !== undefined) return { status: 'fulfilled', value: { streams: working, appended: [], at: storedAt } };
      const failure = failureOf(one);
      if (failure) return { status: 'rejected', reason: failure };
      const isCertain = !one.unit.commands.some(({ streamId }) => trusted.has(streamId));
      try {
        const result = decideUnit(one, (streamId) => working.get(streamId) as Stream, keys, now);
        for (const [streamId, stream] of result.streams) working.set(streamId, stream);
        if (result.appended.length === 0 && !isCertain) stale.add(index);
        else decided.push(result);
        const { streams: after, appended } = result;
        return { status: 'fulfilled', value: { streams: after, appended, at: appended[0]?.record.meta.occurredAt ?? null } };
      } catch (reason) {
        if (!(reason instanceof DomainError || reason instanceof Unsealable)) throw reason;
        if (!isCertain) stale.add(index);
        return { status: 'rejected', reason };
      }
    });
    const answerBy = Math.min(...pending.map((one) => one.answerBy));
    const [refused, ofDeleted] = await Promise.all([
      writeDecided(this.parts, { decided, before: streams, after: working }, keys, this.parts.clock.at(answerBy)),
      this.ofDeletedThreads(pending, results, working),
    ]);
    const reasonOf = (one: PendingUnit): SetAside | undefined =>
      failureOf(one)
        ? undefined
        : one.unit.commands.map((command) => refused.threads.get(threadOf(command, working))).find((reason) => reason !== undefined);
    const reasons = refused.threads.size > 0 ? pending.map(reasonOf) : [];
    pending.forEach((one, index) => {
      if (reasons[index] === 'deleted') one.threadDeleted = true;
    });
    for (const index of ofDeleted) stale.add(index);
    this.distrust(pending.filter((_, index) => stale.has(index) || reasons[index] !== undefined));
    return results.map((result, index) => {
      const { request } = (pending[index] as PendingUnit).unit;
      const notRecorded = request && refused.requests.get(request);
      if (notRecorded) return notRecorded;
      if (reasons[index] === 'locked') return 'locked';
      const refusal = refusalOf(pending[index] as PendingUnit, refused, now);
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
  async time(): Promise<Date> {
    const { clock, pool } = this.parts;
    if (!clock.isKnown) {
      const askedAt = performance.now();
      clock.observe(await databaseTime(pool), askedAt, performance.now());
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
    const found = await this.parts.streams.storedTimes(pending.flatMap((one) => (one.mayBeStored ? one.eventIds.slice(0, 1) : [])));
    const stored = await this.parts.streams.loadAll([...missing]);
    for (const [streamId, stream] of stored.streams) streams.set(streamId, stream);
    return { streams, trusted, failures: stored.failures, eventTimes: new Map([...found, ...stored.eventTimes]) };
  }

  private async keysOf(pending: readonly PendingUnit[], streams: ReadonlyMap<string, Stream>): Promise<ReadKeys> {
    const commands = pending.flatMap(({ unit }) => unit.commands);
    for (const { command, streamId } of commands) if (command.type === 'CreateThread') this.parts.keys.create(streamId);
    const threads = commands.map((command) => threadOf(command, streams));
    return this.parts.keys.readEach(threads.filter((threadId) => threadId !== ''));
  }
}

const threadOf = (command: StreamCommand, streams: ReadonlyMap<string, Stream>): string =>
  sealingThread(command, streams.get(command.streamId) as Stream);

/** A stream that this command begins need not be looked for, unless an earlier try may have written it. */
const creates = ({ command }: StreamCommand): boolean => command.type === 'CreateThread' || command.type === 'RequestJob';
