import type { Logger } from 'pino';
import { DAY_MS } from '@lib/domain/durations';
import { UnknownEvent } from '@lib/store/history/upcasters';
import type { OldEntry } from '@lib/store/agenda/cancellations';
import type { DueEntry } from '@lib/store/agenda/due-entry';
import { isOutage } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import { startRounds } from '../runtime/rounds';

const LIMIT = 200;
/** How long providers are asked to stop a run; after that the run has ended by itself. */
const MAX_MS = DAY_MS;
const AGAIN_MS = 60_000;

/**
 * Gives up runs whose cancellation has not reached the provider for a day, so that their agenda rows go away even if no worker serves the provider
 * any more.
 */
export class GivenUpRuns {
  constructor(
    private readonly store: Store,
    private readonly logger: Logger,
    private readonly lookMs = AGAIN_MS,
  ) {}

  /** @returns a function that stops it */
  start(): () => Promise<void> {
    return startRounds((stopped) => this.look(stopped), this.lookMs);
  }

  private async look(stopped: AbortSignal): Promise<void> {
    try {
      // Each page starts after the previous one, so that runs which cannot be given up are skipped until the next round.
      let last: OldEntry | undefined;
      do {
        const old = await this.store.cancellations.takeOld(LIMIT, { ageMs: MAX_MS, againMs: AGAIN_MS }, last);
        await Promise.all(old.map((entry) => this.giveUp(entry)));
        last = old.length === LIMIT ? old.at(-1) : undefined;
      } while (last && !stopped.aborted);
    } catch (error) {
      this.logger.warn({ reason: 'give_up_failed', err: error }, 'runs could not be given up; they are with the next round');
    }
  }

  /** A failure does not stop the others; an outage ends the round. */
  private async giveUp({ jobId, kind, stepId, run }: DueEntry): Promise<void> {
    if (stepId === null || run === null) return;
    const meta = { actor: 'role:saga', correlationId: `agenda:${kind}` };
    try {
      await this.store.jobs.execute(jobId, { type: 'RecordRunCancelled', stepId, run, outcome: 'given_up' }, meta);
    } catch (error) {
      if (isOutage(error)) throw error;
      const reason = error instanceof UnknownEvent ? 'newer_history' : 'run_not_given_up';
      this.logger.warn({ reason, jobId, kind, err: error }, 'a run could not be given up; it comes again');
    }
  }
}
