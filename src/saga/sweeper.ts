import type { Logger } from 'pino';
import type { AgendaKind } from '@lib/domain/job/agenda';
import type { Dispatched, Transport } from '@lib/messaging/transport';
import type { DueEntry } from '@lib/store/agenda/due-entry';
import type { Store } from '@lib/store/store';
import { workOf } from '../dispatch/dispatch';
import { startRounds, untilNoneIsLeft } from '../runtime/rounds';
import { ToldFailures } from '../runtime/told-failures';
import { LookBack } from './look-back';

interface SweeperSettings {
  sweepMs: number;
  redispatchMs: number;
}

/** Called for each agenda entry that is dispatched again. */
export type MeasureSweep = (kind: AgendaKind, dispatched: Dispatched) => void;

const DISPATCHES: AgendaKind[] = ['dispatch step', 'retry', 'dispatch explore', 'dispatch synthesis', 'cancel run', 'erase thread'];
const LIMIT = 200;

/**
 * Dispatches overdue agenda entries again. Any number of sweepers may run: each takes rows with one committed statement and holds no lock while it
 * dispatches, and dispatching a row twice is harmless.
 */
export class Sweeper {
  private readonly lookBack = new LookBack();
  private readonly told: ToldFailures;
  private readonly waking: ToldFailures;

  constructor(
    private readonly store: Store,
    private readonly transport: Transport,
    private readonly settings: SweeperSettings,
    private readonly logger: Logger,
    private readonly measure: MeasureSweep = () => undefined,
  ) {
    const failures = () => new ToldFailures(logger, 'sweep_failed', 'the sweeper could not do its round; it goes on with the next');
    [this.told, this.waking] = [failures(), failures()];
  }

  /** @returns a function that stops it */
  start(): () => Promise<void> {
    this.transport.onReconnect(() => void this.wake());
    // Runs before any other query of the round.
    const woken = this.wake();
    return startRounds((stopped) => woken.then(() => this.sweepSafely(stopped)), this.settings.sweepMs);
  }

  private async wake(): Promise<void> {
    await this.store.agenda.wakeDispatches().catch((error: unknown) => this.waking.failed(error));
  }

  private async sweepSafely(stopped: AbortSignal): Promise<void> {
    const counts: Counts = {};
    try {
      await this.sweep(counts, stopped);
      this.told.worked();
    } catch (error) {
      this.lookBack.failed();
      this.told.failed(error);
    }
    for (const [kind, dispatched] of Object.entries(counts)) this.logger.info({ reason: 'redispatched', kind, ...dispatched });
  }

  /** One look at the agenda. */
  private async sweep(counts: Counts, stopped: AbortSignal): Promise<void> {
    const lookBackMs = this.lookBack.next();
    const dispatchSome = async (): Promise<number> => {
      const due = await this.store.agenda.takeDue(DISPATCHES, LIMIT, this.settings.redispatchMs, lookBackMs);
      await Promise.all(due.map((entry) => this.dispatch(entry, counts)));
      return due.length;
    };
    await untilNoneIsLeft(dispatchSome, LIMIT, stopped);
  }

  private async dispatch(entry: DueEntry, counts: Counts): Promise<void> {
    if (entry.kind === 'erase thread') this.store.erasure.start(entry.jobId);
    const work = workOf(entry);
    if (!work) return;
    const dispatched = await this.transport.dispatch(work);
    const ofKind = (counts[entry.kind] ??= {});
    ofKind[dispatched] = (ofKind[dispatched] ?? 0) + 1;
    this.measure(entry.kind, dispatched);
  }
}

/** How many entries of a round were dispatched, by kind and outcome. Logged as totals, since a line per entry would say no more. */
type Counts = Partial<Record<AgendaKind, Partial<Record<Dispatched, number>>>>;
