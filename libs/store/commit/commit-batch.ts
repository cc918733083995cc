import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { DomainError } from '@lib/domain/errors';
import { isFinal } from '@lib/domain/job/state';
import { emptyStream, type Stream, type StreamCommand } from '../history/aggregates';
import { append, appendAndErase } from './append';
import { CorrectedClock } from './clock';
import { decideUnit, sealingThread, type AppendedEvent, type Decided, type PendingUnit } from './decide-unit';
import { load } from '../history/load';
import { writesOf, type Times } from './writes-of';
import type { Writes } from './writes';
import { sealRuns } from '../agenda/sealed-runs';
import type { Contents } from '../sealing/contents';
import type { ThreadKeys } from '../sealing/thread-keys';
import { sealedDocuments } from '../views/sealed-documents';

/** What a unit left: its streams as they are now, and the events that it appended (none if it came too late or twice). */
export interface Outcome {
  streams: ReadonlyMap<string, Stream>;
  appended: readonly AppendedEvent[];
}

/** A batch that is committed: what its listeners dispatch, tell and log. They must not throw. */
export interface Commit {
  appended: readonly AppendedEvent[];
  agendaAdded: Writes['agendaAdded'];
  streams: ReadonlyMap<string, Stream>;
}

type Keys = Awaited<ReturnType<ThreadKeys['read']>>;

const MAX_LOADED = 64;

/** One try of a batch: load what is not remembered, fold, decide, and append everything in one statement. */
export class CommitBatch {
  /** Open jobs as this process last saw them; another process may be ahead, which the next append finds out. */
  private readonly jobs = new LRUCache<string, Stream>({ max: 10_000 });
  private readonly listeners: ((commit: Commit) => void)[] = [];
  private readonly clock = new CorrectedClock();

  private readonly loadTogether: (streamId: string) => Promise<Stream>;

  constructor(
    private readonly pool: Pool,
    private readonly keys: ThreadKeys,
    private readonly contents: Contents,
    private readonly times: Times,
  ) {
    this.loadTogether = batch(
      async (streamIds: string[]) => {
        const streams = await this.load([...new Set(streamIds)]);
        return streamIds.map((streamId) => streams.get(streamId) as Stream);
      },
      { maxItems: MAX_LOADED },
    );
  }

  onCommit(listener: (commit: Commit) => void): void {
    this.listeners.push(listener);
  }

  /** The process clock as corrected by the database's. */
  now(): Date {
    return this.clock.now();
  }

  async load(streamIds: readonly string[]): Promise<Map<string, Stream>> {
    return (await load(this.pool, streamIds)).streams;
  }

  /** The stream as this process last saw it, or as it is stored if it does not remember it: another process may be ahead. */
  async recall(streamId: string): Promise<Stream> {
    const remembered = this.jobs.get(streamId);
    if (remembered) return remembered;
    const stored = await this.loadTogether(streamId);
    const isOpen = stored.kind === 'job' && stored.version > 0 && !isFinal(stored.state);
    if (isOpen && !this.jobs.has(streamId)) this.jobs.set(streamId, stored);
    return stored;
  }

  forget(pending: readonly PendingUnit[]): void {
    for (const { streamId } of pending.flatMap(({ unit }) => unit.commands)) this.jobs.delete(streamId);
  }

  /** @returns the units' results, and the places of those that a remembered state left without effect: decide them again */
  async commit(pending: readonly PendingUnit[]): Promise<{ results: PromiseSettledResult<Outcome>[]; stale: number[] }> {
    const { streams, remembered, eventIds } = await this.streamsOf(pending);
    const keys = await this.keysOf(pending, streams);
    const now = this.clock.now().toISOString();
    const working = new Map(streams);
    const decided: Decided[] = [];
    const stale: number[] = [];
    const results = pending.map((one, place): PromiseSettledResult<Outcome> => {
      const own = one.eventIds[0];
      if (own !== undefined && eventIds.has(own)) return { status: 'fulfilled', value: { streams: working, appended: [] } };
      const fresh = !one.unit.commands.some(({ streamId }) => remembered.has(streamId));
      try {
        const result = decideUnit(one, (streamId) => working.get(streamId) as Stream, keys, now);
        if (result.appended.length === 0 && !fresh) stale.push(place);
        for (const [streamId, stream] of result.streams) working.set(streamId, stream);
        decided.push(result);
        return { status: 'fulfilled', value: { streams: result.streams, appended: result.appended } };
      } catch (reason) {
        if (!(reason instanceof DomainError)) throw reason;
        if (!fresh) stale.push(place);
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
        const known = this.jobs.get(streamId);
        if (known) remembered.add(streamId);
        const stream = known ?? (eventIds.length === 0 && creates(command) ? emptyStream(streamId) : undefined);
        if (stream) streams.set(streamId, stream);
        else missing.add(streamId);
      }
    }
    const stored = await load(this.pool, [...missing]);
    for (const [streamId, stream] of stored.streams) streams.set(streamId, stream);
    return { streams, remembered, eventIds: stored.eventIds };
  }

  private async keysOf(pending: readonly PendingUnit[], streams: ReadonlyMap<string, Stream>): Promise<Keys> {
    const commands = pending.flatMap(({ unit }) => unit.commands);
    for (const { command, streamId } of commands) if (command.type === 'CreateThread') this.keys.create(streamId);
    const threads = commands.map((command) => sealingThread(command, streams.get(command.streamId) as Stream));
    return this.keys.read(threads.filter((threadId) => threadId !== ''));
  }

  private async write(
    decided: readonly Decided[],
    before: ReadonlyMap<string, Stream>,
    after: ReadonlyMap<string, Stream>,
    keys: Keys,
  ): Promise<void> {
    const appended = decided.flatMap((one) => one.appended);
    if (appended.length === 0) return;
    const documents = await sealedDocuments(before, after, appended, keys, this.contents);
    const writes = writesOf(decided, before, documents, this.times);
    await sealRuns(writes.agendaAdded, after, appended, this.contents, this.keys.ring);
    writes.newKeys = writes.newThreads.map(({ id }) => ({ threadId: id, ...this.keys.create(id) }));
    const sentAt = Date.now();
    const erasure = decided.find(({ unit }) => unit.erasedThread !== undefined);
    const databaseNow = await (erasure?.unit.erasedThread
      ? appendAndErase(this.pool, writes, erasure.unit.erasedThread, [...erasure.streams.keys()])
      : append(this.pool, writes));
    this.clock.observe(databaseNow, sentAt, Date.now());
    this.remember(appended, after);
    for (const listener of this.listeners) listener({ appended, agendaAdded: writes.agendaAdded, streams: after });
  }

  private remember(appended: readonly AppendedEvent[], after: ReadonlyMap<string, Stream>): void {
    for (const { record, content } of appended) {
      if (content) this.contents.remember(record.streamId, record.version, content, record.sealed?.length ?? 0);
    }
    for (const [streamId, stream] of after) {
      if (stream.kind === 'thread') {
        this.contents.forget(streamId, stream.version);
        if (stream.state.deleted) this.keys.forget(streamId);
      } else if (isFinal(stream.state)) {
        this.jobs.delete(streamId);
        this.contents.forget(streamId, stream.version);
      } else this.jobs.set(streamId, stream);
    }
  }
}

/** A stream that this command begins need not be looked for, unless an earlier try may have written it. */
const creates = ({ command }: StreamCommand): boolean => command.type === 'CreateThread' || command.type === 'RequestJob';
