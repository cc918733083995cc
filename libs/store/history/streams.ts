import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { HOUR_MS } from '@lib/domain/durations';
import { isFinal } from '@lib/domain/job/state';
import { boundedCache } from '@lib/memory/bounded-cache';
import { answeredInTime } from '../postgres/answer-within';
import { withStoreErrors } from '../postgres/store-unavailable';
import { emptyStream, type Stream } from './aggregates';
import { CorruptHistory } from './corrupt-history';
import { load, storedTimes, type Loaded } from './load';
import { EVERY_OPEN_JOB, type RememberedJobs } from './remembered-jobs';
import type { UnknownEvent } from './upcasters';

const MAX_LOADED = 64;
const REMEMBERED_BYTES = 32 * 1024 * 1024;

interface Remembered {
  stream: Stream;
  /** Another process may have changed the stream: new events must be loaded before anything is decided. */
  shared: boolean;
}

/**
 * A history may be removed a day after its last event. By then no process may remember the job as open, or it would append to a history that is gone.
 */
const REMEMBERED_MS = 12 * HOUR_MS;
/** Estimated sizes of a folded job and of its parts. Facts hold no long texts, so they hardly differ. */
const JOB_BYTES = 1_200;
const STEP_BYTES = 700;
const ATTEMPT_BYTES = 300;

function bytesOf({ stream }: Remembered): number {
  if (stream.kind !== 'job') return JOB_BYTES;
  const { steps, syntheses } = stream.state;
  const attempts = steps.reduce((sum, step) => sum + step.attempts.length + step.runs.length, syntheses.length);
  return JOB_BYTES + steps.length * STEP_BYTES + attempts * ATTEMPT_BYTES;
}

/**
 * Streams as stored, and as cached by this process. A cached open job is trusted. If another process has changed it, the next append finds out; from
 * then on new events are loaded first, as for any other stream.
 */
export class Streams {
  private readonly remembered = boundedCache<Remembered>({ name: 'job states', maxBytes: REMEMBERED_BYTES, bytesOf, ttlMs: REMEMBERED_MS });

  /** The stream as it is stored now. One that does not exist comes back empty, at version 0. */
  readonly load: (streamId: string) => Promise<Stream>;

  /**
   * @param tellCorrupt called for each stream that could not be folded
   * @param tellLost called for each stream with a cached event that is no longer stored
   */
  constructor(
    private readonly pool: Pool,
    private readonly tellCorrupt: (failure: CorruptHistory) => void,
    private readonly tellLost: (streamId: string) => void,
    private readonly isWorthKeeping: RememberedJobs['state'] = EVERY_OPEN_JOB.state,
  ) {
    const read = batch((streamIds: string[]) => this.readTogether(streamIds), { maxItems: MAX_LOADED, ...answeredInTime });
    this.load = async (streamId) => {
      const stream = await read(streamId);
      if (stream instanceof Error) throw stream;
      return stream;
    };
  }

  private async readTogether(streamIds: readonly string[]): Promise<(Stream | UnknownEvent | CorruptHistory)[]> {
    const { streams, failures } = await this.loadAll([...new Set(streamIds)]);
    return streamIds.map((streamId) => failures.get(streamId) ?? (streams.get(streamId) as Stream));
  }

  /** Loads several streams. If one cannot be folded, the others are loaded all the same. */
  async loadAll(streamIds: readonly string[]): Promise<Loaded> {
    const known = streamIds.map((streamId) => this.remembered.get(streamId)?.stream ?? emptyStream(streamId));
    const loaded = await withStoreErrors(() => load(this.pool, known));
    for (const failure of loaded.failures.values()) if (failure instanceof CorruptHistory) this.tellCorrupt(failure);
    for (const streamId of loaded.lost) {
      this.remembered.delete(streamId);
      this.tellLost(streamId);
    }
    return loaded;
  }

  /** When each of these events occurred, as far as it is stored. */
  async storedTimes(eventIds: readonly string[]): Promise<Map<string, string>> {
    return eventIds.length === 0 ? new Map() : storedTimes(this.pool, eventIds);
  }

  /** The stream as this process remembers it, if it trusts that; otherwise as it is stored. */
  recall(streamId: string): Promise<Stream> {
    return this.recallIf(streamId, () => this.trusted(streamId) !== undefined);
  }

  /** The stream as this process remembers it, if that suffices, even if it may be outdated; otherwise as it is stored. */
  async recallIf(streamId: string, suffices: (stream: Stream) => boolean): Promise<Stream> {
    const remembered = this.remembered.get(streamId)?.stream;
    if (remembered && suffices(remembered)) return remembered;
    const stored = await this.load(streamId);
    if (stored.version > (this.remembered.get(streamId)?.stream.version ?? 0)) this.remember(stored);
    return stored;
  }

  trusted(streamId: string): Stream | undefined {
    const remembered = this.remembered.get(streamId);
    return remembered?.shared === false ? remembered.stream : undefined;
  }

  /** Remembers open jobs only. Final jobs are seldom read; threads are written by any api process, and their rows sum them up. */
  remember(stream: Stream): void {
    if (stream.kind !== 'job') return;
    const { streamId } = stream;
    if (isFinal(stream.state) || !this.isWorthKeeping(stream.state.status)) this.remembered.delete(streamId);
    else this.remembered.set(streamId, { stream, shared: this.remembered.get(streamId)?.shared ?? false });
  }

  /** Stops trusting the cached stream: another process was faster, a commit's answer was lost, or the database has lost a commit. */
  invalidate(streamId: string): void {
    const remembered = this.remembered.get(streamId);
    if (remembered) remembered.shared = true;
  }
}
