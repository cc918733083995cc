import pg from 'pg';
import { batch } from '@lib/batching/batch';
import { DomainError } from '@lib/domain/errors';
import type { CommitBatch, Result } from './commit-batch';
import type { PendingUnit } from './decide-unit';
import type { Outcome, Unit } from './unit';
import { asStoreError, StoreUnavailable } from '../postgres/store-unavailable';

const MAX_BATCH = 256;
/** Tries of a unit against writers in other processes. */
const MAX_TRIES = 8;
/** The same where it is set aside: of several processes that write to one thread all the time, each commit sets those of the others aside. */
const MAX_STALE_TRIES = 64;
const THREAD_DELETED = 'RT001';
const LEASE_RENEWED = 'RT002';
/** Unique violation, deadlock, serialization failure: reload and decide again. */
const CONFLICTS = new Set(['23505', '40P01', '40001']);

const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/**
 * The one write path: what arrives while the last commit is out is committed together. Units whose streams another process has moved on
 * are set aside by the append and decided again with what has arrived since. What refuses the whole batch (two processes that begin one stream, a deadlock, a thread
 * that was deleted) has it tried once more and then each unit alone.
 */
export class WritePath {
  private readonly enqueue: (pending: PendingUnit) => Promise<Result>;

  constructor(private readonly batches: CommitBatch) {
    this.enqueue = batch((pending: PendingUnit[]) => this.commitSeparating(pending), { maxItems: MAX_BATCH });
  }

  /** @throws DomainError if a command is refused, StoreUnavailable if the database cannot be reached (the unit may be repeated) */
  async execute(unit: Unit): Promise<Outcome> {
    const pending: PendingUnit = { unit, eventIds: [] };
    for (let tries = 1; tries <= MAX_STALE_TRIES; tries += 1) {
      const result = await this.enqueue(pending);
      if (result === 'stale') continue;
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    }
    throw new DomainError('conflict');
  }

  /** An erasure deletes what others of its batch may write, so it goes alone. */
  private async commitSeparating(pending: PendingUnit[]): Promise<Result[]> {
    const isErasure = ({ unit }: PendingUnit) => unit.erasedThread !== undefined;
    if (pending.length === 1 || !pending.some(isErasure)) return this.commit(pending);
    const others = pending.filter((one) => !isErasure(one));
    const results = new Map<PendingUnit, Result>();
    if (others.length > 0) (await this.commit(others)).forEach((result, index) => results.set(others[index] as PendingUnit, result));
    for (const erasure of pending.filter(isErasure)) results.set(erasure, (await this.commit([erasure]))[0] as Result);
    return pending.map((one) => results.get(one) as Result);
  }

  private async commit(pending: PendingUnit[]): Promise<Result[]> {
    try {
      return await this.tryCommit(pending);
    } catch (error) {
      if (pending.length === 1) return [await this.commitAlone(pending[0] as PendingUnit, error)];
      const again = CONFLICTS.has(sqlState(error)) ? await this.tryCommit(pending).catch(() => null) : null;
      if (again) return again;
      const results: Result[] = [];
      for (const one of pending) results.push(...(await this.commit([one])));
      return results;
    }
  }

  private async commitAlone(pending: PendingUnit, failure: unknown): Promise<Result> {
    let error = asStoreError(failure);
    for (let tries = 1; tries < MAX_TRIES; tries += 1) {
      // The job's stream may say more by now: a result that comes after the deletion still has a cost to record.
      if (sqlState(error) === THREAD_DELETED && tries > 1) return { status: 'rejected', reason: new DomainError('thread_not_found') };
      if (sqlState(error) === LEASE_RENEWED) return { status: 'fulfilled', value: { streams: new Map(), appended: [] } };
      // An outage is tried once more, since the commit may have gone through; the caller decides about more.
      const mayRepeat =
        CONFLICTS.has(sqlState(error)) || sqlState(error) === THREAD_DELETED || (error instanceof StoreUnavailable && tries === 1);
      if (!mayRepeat) break;
      try {
        return (await this.tryCommit([pending]))[0] as Result;
      } catch (again) {
        error = asStoreError(again);
      }
    }
    return { status: 'rejected', reason: CONFLICTS.has(sqlState(error)) ? new DomainError('conflict') : error };
  }

  private async tryCommit(pending: PendingUnit[]): Promise<Result[]> {
    try {
      return await this.batches.commit(pending);
    } catch (error) {
      this.batches.distrust(pending);
      if (asStoreError(error) instanceof StoreUnavailable) for (const one of pending) one.mayBeStored = true;
      throw error;
    }
  }
}
