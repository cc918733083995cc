import { setTimeout as sleep } from 'node:timers/promises';
import { batch } from '@lib/batching/batch';
import { DomainError } from '@lib/domain/errors';
import { answerBy, refuse } from '../postgres/answer-within';
import type { BatchCommitter, Result } from './batch-committer';
import type { CorrectedClock } from './clock';
import type { PendingUnit } from './decide-unit';
import { lengthOf, type Outcome, type Unit } from './unit';
import { DEADLOCK, LOCK_NOT_AVAILABLE, SERIALIZATION_FAILURE, sqlStateOf, UNIQUE_VIOLATION } from '../postgres/sql-states';
import { AnswerTooLate, asStoreError, isOutage, RowLocked, StoreUnavailable } from '../postgres/store-unavailable';
import { RequestRepeated, RequestUnderWay } from '../requests/idempotent-requests';

const MAX_BATCH = 256;
/** Most tries of a unit against writers in other processes. */
const MAX_TRIES = 8;
/**
 * Most tries of a unit that was decided on an outdated state: processes that keep writing to one thread outdate each other's units with each commit.
 */
const MAX_STALE_TRIES = 64;
/** Bounds of the queue of units. */
const MAX_WAITING = { items: 4096, bytes: 32 * 1024 * 1024 };
/** Memory of a waiting unit beside its content, with the request that waits for its answer. */
const UNIT_BYTES = 2048;
/** A unit with less time left than this is not tried: its answer would come too late. */
const MIN_MS = 250;
/** Pause before another try of a unit that met a locked row; doubled each time. */
const LOCKED_PAUSE_MS = { first: 4, longest: 100 };
/** SQLSTATEs of our own, raised by functions of the schema. */
const LEASE_RENEWED = 'RT002';
const TOO_LATE = 'RT004';
/** Two writers met: the unit has to be decided again on what is stored now. */
const CONFLICTS = new Set<unknown>([UNIQUE_VIOLATION, DEADLOCK, SERIALIZATION_FAILURE]);

const rejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });
const isWanted = ({ unit, answerBy }: PendingUnit): boolean => performance.now() < answerBy - MIN_MS && unit.isWanted?.() !== false;

/** Why a unit has to be decided again. */
export type ConflictReason = 'stale' | 'locked' | 'under way';

/**
 * The only write path. Units that arrive during a commit are committed together after it.
 *
 * The append sets aside a unit if another process has changed one of its streams, or has locked one of its rows. Such a unit is decided again,
 * together with what has arrived since. If an error refuses the whole batch (two processes begin one stream, a deadlock), the batch is tried once
 * more, and then each unit alone. If the database cannot be reached, the whole batch fails.
 */
export class WritePath {
  private readonly enqueue: (pending: PendingUnit) => Promise<Result>;

  constructor(
    private readonly batches: BatchCommitter,
    private readonly clock: Pick<CorrectedClock, 'invalidate'>,
    /** Called for each unit that has to be decided again. Must not throw. */
    private readonly tellConflict: (reason: ConflictReason) => void = () => undefined,
  ) {
    this.enqueue = batch((pending: PendingUnit[]) => this.commitSeparating(pending), {
      maxItems: MAX_BATCH,
      mixesTenants: true,
      maxWaiting: MAX_WAITING,
      name: 'writes that wait',
      // A UTF-16 unit takes at most two bytes.
      sizeOf: ({ unit }) => UNIT_BYTES + 2 * lengthOf(unit),
      answerBy: ({ answerBy }) => answerBy,
      isWanted,
      refuse,
    });
  }

  /**
   * Answers within `ANSWER_WITHIN_MS`, or within the longer time of work done `patiently`. A commit that has not begun by then is not begun any more.
   * If one had begun, only a repetition of the unit can tell whether it was stored.
   * @throws DomainError if a command is refused
   * @throws StoreUnavailable if the database cannot be reached; the unit may be repeated. Two kinds of it: RowLocked if only a row could not be
   * locked, AnswerTooLate if only the time was over
   * @throws RequestRepeated if its request was recorded before
   * @throws RequestUnderWay if another process is about to record its request
   */
  async execute(unit: Unit): Promise<Outcome> {
    const pending: PendingUnit = { unit, eventIds: [], answerBy: answerBy() };
    const lockedUntil = performance.now() + (unit.lockedMs ?? Infinity);
    let pauseMs = LOCKED_PAUSE_MS.first;
    let blocked: Error | null = null;
    for (let staleTries = 0; staleTries < MAX_STALE_TRIES;) {
      const result = await this.enqueue(pending).catch((error: unknown) => {
        // Its time ran out while it waited for another try, so the reason for waiting is the more informative error.
        throw blocked && !isWanted(pending) ? blocked : error;
      });
      if (result === 'repeated') throw new RequestRepeated();
      if (typeof result === 'string') this.tellConflict(result);
      if (result === 'locked' || result === 'under way') {
        blocked = result === 'locked' ? new RowLocked() : new RequestUnderWay();
        // A random part, so that units waiting for one row do not collide again.
        await sleep(pauseMs * (0.5 + Math.random()));
        pauseMs = Math.min(pauseMs * 2, LOCKED_PAUSE_MS.longest);
        if (!isWanted(pending) || performance.now() > lockedUntil) throw blocked;
      } else if (result === 'stale') {
        staleTries += 1;
      } else if (result.status === 'rejected') {
        throw result.reason;
      } else {
        return result.value;
      }
    }
    throw changedMeanwhile(unit);
  }

  /** Commits each deletion alone, because it removes rows that other units of its batch may need. */
  private async commitSeparating(pending: PendingUnit[]): Promise<Result[]> {
    const isErasure = ({ unit }: PendingUnit) => unit.commands.some(({ command }) => command.type === 'DeleteThread');
    if (pending.length === 1 || !pending.some(isErasure)) return this.commit(pending);
    const others = pending.filter((one) => !isErasure(one));
    const results = new Map<PendingUnit, Result>();
    if (others.length > 0) (await this.commit(others)).forEach((result, index) => results.set(others[index] as PendingUnit, result));
    for (const erasure of pending.filter(isErasure)) results.set(erasure, (await this.commit([erasure]))[0] as Result);
    return pending.map((one) => results.get(one) as Result);
  }

  private async commit(pending: PendingUnit[]): Promise<Result[]> {
    const { results, error } = await this.tryCommit(pending);
    if (results) return results;
    if (error instanceof StoreUnavailable) return this.commitAfterOutage(pending, error);
    if (pending.length === 1) return [await this.commitAlone(pending[0] as PendingUnit, error)];
    const again = CONFLICTS.has(sqlStateOf(error)) ? await this.tryCommit(pending) : null;
    return again?.results ?? this.commitSingly(pending);
  }

  /** Only one connection may have failed, and the commit may be stored: units that somebody still waits for are tried once more, together. */
  private async commitAfterOutage(pending: PendingUnit[], failure: StoreUnavailable): Promise<Result[]> {
    const waiting = pending.filter(isWanted);
    const { results, error } = waiting.length > 0 ? await this.tryCommit(waiting) : { error: failure };
    // A batch has the time limit of its oldest unit, so the others may have time left.
    const isOver = error instanceof StoreUnavailable && !(error instanceof AnswerTooLate && waiting.length > 1);
    const again = results ?? (isOver ? waiting.map(() => rejected(error)) : await this.commitSingly(waiting));
    const byUnit = new Map(waiting.map((one, place) => [one, again[place] as Result]));
    return pending.map((one) => byUnit.get(one) ?? rejected(failure));
  }

  /** Commits each unit alone. After an outage all that follow fail, so that they do not wait one by one; a late unit fails alone. */
  private async commitSingly(pending: PendingUnit[]): Promise<Result[]> {
    const results: Result[] = [];
    for (const one of pending) {
      const last = results.at(-1);
      if (typeof last === 'object' && last.status === 'rejected' && isOutage(last.reason)) results.push(last);
      else results.push(isWanted(one) ? ((await this.commit([one]))[0] as Result) : rejected(new AnswerTooLate()));
    }
    return results;
  }

  private async commitAlone(pending: PendingUnit, failure: unknown): Promise<Result> {
    let error = failure;
    for (let tries = 1; tries < MAX_TRIES && CONFLICTS.has(sqlStateOf(error)); tries += 1) {
      const again = await this.tryCommit([pending]);
      if (again.results) return again.results[0] as Result;
      error = again.error;
    }
    if (sqlStateOf(error) === LEASE_RENEWED) return { status: 'fulfilled', value: { streams: new Map(), appended: [], at: null } };
    if (sqlStateOf(error) === LOCK_NOT_AVAILABLE) return 'locked';
    return rejected(CONFLICTS.has(sqlStateOf(error)) ? changedMeanwhile(pending.unit) : error);
  }

  private async tryCommit(pending: PendingUnit[]): Promise<{ results?: Result[]; error?: unknown }> {
    try {
      return { results: await this.batches.commit(pending) };
    } catch (failure) {
      this.batches.invalidate(pending);
      if (sqlStateOf(failure) === TOO_LATE) {
        // Or only our clock says so, so the database's time is read again.
        this.clock.invalidate();
        return { error: new AnswerTooLate(failure) };
      }
      const error = asStoreError(failure);
      if (error instanceof StoreUnavailable) for (const one of pending) one.mayBeStored = true;
      return { error };
    }
  }
}

/** The message may name the streams: a unit has commands on one thread and its jobs, all of them the caller's own. */
function changedMeanwhile({ commands }: Unit): DomainError {
  const changed = commands.map(({ streamId }) => streamId).join(', ');
  return new DomainError('conflict', `Others kept changing ${changed} at the same time, so nothing was done: repeat the request.`);
}
