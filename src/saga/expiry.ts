import type { Logger } from 'pino';
import type { JobCommand } from '@lib/domain/job/commands';
import type { DeadlinePhase } from '@lib/domain/job/facts';
import type { Transport } from '@lib/messaging/transport';
import { bringForward, putDeadlinesOff } from '@lib/store/agenda/clock-jumps';
import type { DueEntry } from '@lib/store/agenda/due-entry';
import { UnknownEvent } from '@lib/store/history/upcasters';
import { patiently } from '@lib/store/postgres/answer-within';
import { isOutage, StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import { startRounds, untilNoneIsLeft } from '../runtime/rounds';
import { ToldFailures } from '../runtime/told-failures';
import { LookBack } from './look-back';
import { Steadiness } from './steadiness';

export interface ExpirySettings {
  sweepMs: number;
  leaseMs: number;
  reportsMs: number;
  redispatchMs: number;
}

const LIMIT = 200;
/**
 * A row that was taken comes again after this time, or `redispatchMs` if that is less, since a look that hung has moved its rows and ends none of them.
 */
const AGAIN_MS = 10_000;
/** A row that is left to a newer build is looked at again after one to two times this time; the delay is random so that processes do not collide. */
const LEFT_MS = 1_500;
/** How long a round waits for a row that somebody else has locked: the leases of other jobs end only with the next round. */
const LOCKED_MS = 1_000;
const WAITS = 'a lease or deadline could not be ended in time, though the database is well; it comes again';
const JUMPED = 'the clock of the database was set, or its machine was suspended; no lease ends before it could be renewed';

/**
 * Ends leases and deadlines whose time has run out. It has its own loop and index, so that a long queue of work to dispatch does not delay it. A
 * process that could not hear heartbeats must not declare an attempt lost, so it ends nothing until it has been steady for a whole lease: but deadlines
 * of running steps wait for reports alone. That of a synthesis waits for its next try, which may come later than a report does.
 */
export class Expiry {
  private readonly steadiness: Steadiness;
  private readonly lookBack = new LookBack();
  /** Of looks that end the deadlines of running steps alone. */
  private readonly runningLookBack = new LookBack();
  private readonly told: ToldFailures;

  constructor(
    private readonly store: Store,
    transport: Pick<Transport, 'connectedForMs'>,
    private readonly settings: ExpirySettings,
    private readonly logger: Logger,
  ) {
    this.steadiness = new Steadiness(transport, settings);
    this.told = new ToldFailures(logger, 'expiry_failed', 'leases and deadlines could not be ended; they are with the next round');
  }

  /** @returns a function that stops it */
  start(): () => Promise<void> {
    this.steadiness.start();
    const end = startRounds((stopped) => this.look(stopped), this.settings.sweepMs);
    return () => {
      this.steadiness.stop();
      return end();
    };
  }

  private async look(stopped: AbortSignal): Promise<void> {
    try {
      const lookBackMs = (this.steadiness.isSteady() ? this.lookBack : this.runningLookBack).next();
      await untilNoneIsLeft(() => this.endSome(lookBackMs), LIMIT, stopped);
      this.told.worked();
    } catch (error) {
      this.lookBack.failed();
      this.runningLookBack.failed();
      this.steadiness.failed();
      this.told.failed(error);
    }
  }

  /** @returns how many rows were taken */
  private async endSome(lookBackMs: number | null): Promise<number> {
    const askedAt = performance.now();
    const [endsAll, endsRunning] = [this.steadiness.isSteady(), this.steadiness.hasHeardReports()];
    // What such a look leaves, a later one has to read.
    if (!endsAll) this.lookBack.failed();
    if (!endsRunning) this.runningLookBack.failed();
    const limit = endsAll || endsRunning ? LIMIT : 0;
    const againMs = Math.min(this.settings.redispatchMs, AGAIN_MS);
    const { due, arrivedAt } = await this.store.agenda.takeExpired(limit, againMs, lookBackMs, endsAll);
    if (this.steadiness.answered(askedAt, arrivedAt))
      this.logger.warn({ reason: 'database_clock_jumped', ...this.steadiness.recentJump }, JUMPED);
    await this.followClock();
    // If this query hung, workers could not renew their leases either: what it found is left to a later look.
    const mayEnd = (entry: DueEntry) => (waitsForReports(entry) ? this.steadiness.hasHeardReports() : this.steadiness.isSteady());
    await Promise.all(due.filter(mayEnd).map((entry) => this.endSafely(entry)));
    return due.length;
  }

  /** Repeated for a whole lease after a jump of the clock, because rows that somebody has locked are skipped each time. */
  private async followClock(): Promise<void> {
    const jump = this.steadiness.recentJump;
    if (jump === null) return;
    const { pool } = this.store;
    const { leaseMs } = this.settings;
    if (jump.milliseconds < 0) await bringForward(pool, leaseMs);
    else await putDeadlinesOff(pool, jump, leaseMs);
  }

  /** An entry that fails or meets a locked row does not stop the others; an outage ends the round. */
  private async endSafely(entry: DueEntry): Promise<void> {
    const { jobId, kind, ref } = entry;
    const meta = { actor: 'role:saga', correlationId: `agenda:${kind}` };
    try {
      const lease = kind === 'lease' ? { endedLease: { jobId, kind, ref } } : {};
      await patiently(() => this.store.jobs.execute(jobId, expiry(entry), meta, { ...lease, lockedMs: LOCKED_MS }));
    } catch (error) {
      if (isOutage(error)) throw error;
      if (error instanceof UnknownEvent) return this.leaveToOthers(entry, error);
      if (error instanceof StoreUnavailable) this.logger.warn({ reason: 'agenda_entry_waits', jobId, kind, ref, err: error }, WAITS);
      else this.logger.error({ reason: 'agenda_entry_failed', jobId, kind, ref, err: error });
    }
  }

  /** A newer build has to decide about this job: the row is due again soon, instead of after the usual redispatch time. */
  private async leaveToOthers(entry: DueEntry, error: UnknownEvent): Promise<void> {
    const { jobId, kind, ref } = entry;
    this.logger.warn({ reason: 'newer_history', jobId, kind, ref, err: error }, 'a newer build has to decide about this job');
    await this.store.agenda.lookAgain(entry, Math.round(LEFT_MS * (1 + Math.random())));
  }
}

/** Whether it ends what only reports could still complete. */
const waitsForReports = ({ kind, ref }: DueEntry): boolean => kind === 'job deadline' && ref === ('running' satisfies DeadlinePhase);

/** The command for an entry whose time has run out. */
function expiry({ kind, ref, stepId, attempt }: DueEntry): JobCommand {
  if (kind === 'lease' && stepId !== null && attempt !== null) return { type: 'LoseAttempt', stepId, attempt };
  if (kind === 'synthesis lease' && attempt !== null) return { type: 'LoseSynthesis', attempt };
  return { type: 'ReachDeadline', phase: ref as DeadlinePhase };
}
