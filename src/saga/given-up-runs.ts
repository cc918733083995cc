import type { Logger } from 'pino';
import { UnknownEvent } from '@lib/store/history/upcasters';
import type { DueEntry } from '@lib/store/agenda/agenda-table';
import type { Store } from '@lib/store/store';
import { inRounds } from './rounds';

const LIMIT = 200;
/** How long a provider may be asked to stop a run: by then it has ended by itself. */
const LONGEST_MS = 24 * 60 * 60 * 1000;
const AGAIN_MS = 60_000;

/** Records runs as given up that nobody could have cancelled for a day, so that their rows end even if no worker serves their provider any more. */
export class GivenUpRuns {
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;

  constructor(
    private readonly store: Store,
    private readonly logger: Logger,
    private readonly lookMs = AGAIN_MS,
  ) {}

  start(): void {
    this.running = inRounds(() => this.look(), this.lookMs, this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async look(): Promise<void> {
    try {
      for (let taken = LIMIT; taken === LIMIT && !this.stopping.signal.aborted;) {
        const old = await this.store.agenda.takeOldCancellations(LIMIT, LONGEST_MS, AGAIN_MS);
        await Promise.all(old.map((entry) => this.giveUp(entry)));
        taken = old.length;
      }
    } catch (error) {
      this.logger.warn({ reason: 'give_up_failed', err: error }, 'runs could not be given up; they are with the next round');
    }
  }

  private async giveUp({ jobId, kind, stepId, run }: DueEntry): Promise<void> {
    if (stepId === null || run === null) return;
    const meta = { actor: 'role:saga', correlationId: `agenda:${kind}`, traceparent: null };
    try {
      await this.store.jobs.execute(jobId, { type: 'RecordRunCancelled', stepId, run, outcome: 'given_up' }, meta);
    } catch (error) {
      if (!(error instanceof UnknownEvent)) throw error;
      this.logger.warn({ reason: 'newer_history', jobId, kind, err: error }, 'a newer build has to decide about this job');
    }
  }
}
