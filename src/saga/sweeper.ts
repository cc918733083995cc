import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AgendaKind } from '@lib/domain/job/agenda';
import type { JobCommand } from '@lib/domain/job/commands';
import type { DeadlinePhase } from '@lib/domain/job/events';
import type { Transport } from '@lib/messaging/transport';
import type { DueEntry } from '@lib/store/agenda/agenda-table';
import type { Store } from '@lib/store/store';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { workOf } from '../dispatch/dispatch';

export interface SweeperSettings {
  sweepMs: number;
  leaseMs: number;
  redispatchMs: number;
}

const DISPATCHES: AgendaKind[] = ['dispatch step', 'retry', 'dispatch explore', 'dispatch synthesis', 'cancel run'];
const EXPIRIES: AgendaKind[] = ['lease', 'synthesis lease', 'job deadline'];
const LIMIT = 200;

/**
 * Does whatever on the agenda is overdue: dispatches again, ends leases and deadlines. Any number of sweepers may run. It takes
 * rows with one committed statement and holds no lock while it acts; every decision is idempotent, so a row taken twice is harmless.
 */
export class Sweeper {
  /** Monotonic time since when this process and its database have worked without a gap; null during one. */
  private steadySince: number | null = null;
  private lastSweep = performance.now();
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly store: Store,
    private readonly transport: Transport,
    private readonly settings: SweeperSettings,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.transport.onReconnect(() => void this.wake());
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    await this.wake();
    while (!this.stopping.signal.aborted) {
      await this.sweepSafely();
      await sleep(this.settings.sweepMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async wake(): Promise<void> {
    await this.store.agenda.wakeDispatches().catch((error: unknown) => this.outage(error));
  }

  private async sweepSafely(): Promise<void> {
    this.noticeStall(this.lastSweep);
    this.lastSweep = performance.now();
    try {
      await this.sweep();
      this.steadySince ??= performance.now();
    } catch (error) {
      this.outage(error);
    }
  }

  /** One look at the agenda. */
  async sweep(): Promise<void> {
    for (let taken = LIMIT; taken === LIMIT && !this.stopping.signal.aborted;) {
      const kinds = this.mayExpire() ? [...DISPATCHES, ...EXPIRIES] : DISPATCHES;
      const askedAt = performance.now();
      const due = await this.store.agenda.takeDue(kinds, LIMIT, this.settings.redispatchMs);
      taken = due.length;
      // If this look hung, nobody could renew leases meanwhile: those that it found are left to a later look.
      this.noticeStall(askedAt);
      await Promise.all(due.filter(({ kind }) => DISPATCHES.includes(kind) || this.mayExpire()).map((entry) => this.actSafely(entry)));
    }
  }

  /** A process that stood still for longer than a look and its pause may take could not hear heartbeats meanwhile. */
  private noticeStall(since: number): void {
    if (performance.now() - since > this.settings.sweepMs * 2 + 1000) this.steadySince = null;
  }

  /**
   * A sweeper that could not hear heartbeats must not call an attempt lost: it ends leases and deadlines only after the process, its database
   * and its transport have been up for a whole lease.
   */
  private mayExpire(): boolean {
    const steadyMs = this.steadySince === null ? 0 : performance.now() - this.steadySince;
    return Math.min(steadyMs, this.transport.connectedForMs() ?? 0) >= this.settings.leaseMs;
  }

  /** One entry that cannot be done must not keep the others waiting; an outage ends the round. */
  private async actSafely(entry: DueEntry): Promise<void> {
    try {
      await this.act(entry);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      this.logger.error({ reason: 'agenda_entry_failed', jobId: entry.jobId, kind: entry.kind, ref: entry.ref, err: error });
    }
  }

  private async act(entry: DueEntry): Promise<void> {
    const work = workOf(entry);
    if (work) {
      const dispatched = await this.transport.dispatch(work);
      this.logger.info({ reason: 'redispatched', jobId: entry.jobId, stepId: entry.stepId, kind: entry.kind, dispatched });
      return;
    }
    const { jobId, kind, ref } = entry;
    const command = expiry(entry);
    const meta = { actor: 'role:saga', correlationId: `agenda:${kind}`, traceparent: null };
    const endedLease = kind === 'lease' ? { jobId, kind, ref } : undefined;
    await this.store.jobs.execute(jobId, command, meta, endedLease);
  }

  private outage(error: unknown): void {
    this.steadySince = null;
    this.logger.warn({ reason: 'sweep_failed', err: error }, 'the sweeper could not do its round; it goes on with the next');
  }
}

/** The command for an entry whose time has run out. */
function expiry({ kind, ref, stepId, attempt }: DueEntry): JobCommand {
  if (kind === 'lease' && stepId !== null && attempt !== null) return { type: 'LoseAttempt', stepId, attempt };
  if (kind === 'synthesis lease' && attempt !== null) return { type: 'LoseSynthesis', attempt };
  return { type: 'ReachDeadline', phase: ref as DeadlinePhase };
}
