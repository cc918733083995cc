import type { Pool } from 'pg';
import { DomainError } from '@lib/domain/errors';
import { isFinal } from '@lib/domain/job/state';
import { emptyStream, type Stream, type StreamCommand } from '../history/aggregates';
import { append, appendAndErase } from './append';
import type { CorrectedClock } from './clock';
import { decideUnit, sealingThread, type Decided, type PendingUnit } from './decide-unit';
import type { AppendedEvent, Outcome } from './unit';
import { load } from '../history/load';
import type { Streams } from '../history/streams';
import { writesOf, type Times } from './writes-of';
import type { Writes } from './writes';
import { sealRuns } from '../agenda/sealed-runs';
import { uncommitted, type Contents } from '../sealing/contents';
import type { ThreadKeys } from '../sealing/thread-keys';
import { sealedDocuments } from '../views/sealed-documents';

/** A batch that is committed: what its listeners dispatch, tell and log. They must not throw. */
export interface Commit {
  appended: readonly AppendedEvent[];
  agendaAdded: Writes['agendaAdded'];
  streams: ReadonlyMap<string, Stream>;
}

type Keys = Awaited<ReturnType<ThreadKeys['read']>>;

interface Parts {
  pool: Pool;
  streams: Streams;
  keys: ThreadKeys;
  contents: Contents;
  clock: CorrectedClock;
  times: Times;
  tell: (commit: Commit) => void;
}

/** One try of a batch: load what is not remembered, fold, decide, and append everything in one statement. */
export class CommitBatch {
  constructor(private readonly parts: Parts) {}

  forget(pending: readonly PendingUnit[]): void {
    for (const { streamId } of pending.flatMap(({ unit }) => unit.commands)) this.parts.streams.forget(streamId);
  }

  /** @returns the units' results, and the indexes of those that a remembered state left without effect: decide them again */
  async commit(pending: readonly PendingUnit[]): Promise<{ results: PromiseSettledResult<Outcome>[]; stale: number[] }> {
    const { streams, remembered, eventIds } = await this.streamsOf(pending);
    const keys = await this.keysOf(pending, streams);
    const now = this.parts.clock.now().toISOString();
    const working = new Map(streams);
    const decided: Decided[] = [];
    const stale: number[] = [];
    const results = pending.map((one, index): PromiseSettledResult<Outcome> => {
      const own = one.eventIds[0];
      if (own !== undefined && eventIds.has(own)) return { status: 'fulfilled', value: { streams: working, appended: [] } };
      const fresh = !one.unit.commands.some(({ streamId }) => remembered.has(streamId));
      try {
        const result = decideUnit(one, (streamId) => working.get(streamId) as Stream, keys, now);
        if (result.appended.length === 0 && !fresh) stale.push(index);
        for (const [streamId, stream] of result.streams) working.set(streamId, stream);
        decided.push(result);
        return { status: 'fulfilled', value: { streams: result.streams, appended: result.appended } };
      } catch (reason) {
        if (!(reason instanceof DomainError)) throw reason;
        if (!fresh) stale.push(index);
        return { status: 'rejected', reason };
      }
    });
    await this.write(decided, streams, working, keys);
    return { results, stale };
  }

  private async streamsOf(pending: readonly PendingUnit[]) {
    const streams = new Map<string, Stream>();
    const remembered = new Set<string>();
    const missing = new Set<string>();
    for (const { unit, eventIds } of pending) {
      for (const command of unit.commands) {
        const { streamId } = command;
        if (streams.has(streamId)) continue;
        const known = this.parts.streams.remembered(streamId);
        if (known) remembered.add(streamId);
        const stream = known ?? (eventIds.length === 0 && creates(command) ? emptyStream(streamId) : undefined);
        if (stream) streams.set(streamId, stream);
        else missing.add(streamId);
      }
    }
    const stored = await load(this.parts.pool, [...missing]);
    for (const [streamId, stream] of stored.streams) streams.set(streamId, stream);
    return { streams, remembered, eventIds: stored.eventIds };
  }

  private async keysOf(pending: readonly PendingUnit[], streams: ReadonlyMap<string, Stream>): Promise<Keys> {
    const commands = pending.flatMap(({ unit }) => unit.commands);
    for (const { command, streamId } of commands) if (command.type === 'CreateThread') this.parts.keys.create(streamId);
    const threads = commands.map((command) => sealingThread(command, streams.get(command.streamId) as Stream));
    return this.parts.keys.read(threads.filter((threadId) => threadId !== ''));
  }

  private async write(
    decided: readonly Decided[],
    before: ReadonlyMap<string, Stream>,
    after: ReadonlyMap<string, Stream>,
    keys: Keys,
  ): Promise<void> {
    const appended = decided.flatMap((one) => one.appended);
    if (appended.length === 0) return;
    const { pool, contents, clock, times, tell } = this.parts;
    const fresh = uncommitted(appended.map(({ record, content }) => ({ ...record, content })));
    const documents = await sealedDocuments(before, after, fresh, keys, contents);
    const writes = writesOf(decided, before, documents, times);
    await sealRuns(writes.agendaAdded, after, fresh, contents, this.parts.keys.ring);
    writes.newKeys = writes.newThreads.map(({ id }) => ({ threadId: id, ...this.parts.keys.create(id) }));
    const sentAt = Date.now();
    const erasure = decided.find(({ unit }) => unit.erasedThread !== undefined);
    const databaseNow = await (erasure?.unit.erasedThread
      ? appendAndErase(pool, writes, erasure.unit.erasedThread, [...erasure.streams.keys()])
      : append(pool, writes));
    clock.observe(databaseNow, sentAt, Date.now());
    this.remember(appended, after);
    tell({ appended, agendaAdded: writes.agendaAdded, streams: after });
  }

  private remember(appended: readonly AppendedEvent[], after: ReadonlyMap<string, Stream>): void {
    const { streams, contents, keys } = this.parts;
    for (const { record, content } of appended) {
      if (content) contents.remember(record.streamId, record.version, content, record.sealed?.length ?? 0);
    }
    for (const [streamId, stream] of after) {
      streams.remember(stream);
      if (stream.kind === 'thread' || isFinal(stream.state)) contents.forget(streamId, stream.version);
      if (stream.kind === 'thread' && stream.state.deleted) keys.forget(streamId);
    }
  }
}

/** A stream that this command begins need not be looked for, unless an earlier try may have written it. */
const creates = ({ command }: StreamCommand): boolean => command.type === 'CreateThread' || command.type === 'RequestJob';
