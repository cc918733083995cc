import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '@lib/store/postgres/pool';
import type { Checkpointer } from './checkpointer';
import { sequence } from './sequencer';

/** How far the log may be behind the events, if checkpoints are not closer to each other. */
const BEHIND_MS = 10_000;

/** Keeps the log up to date and signs it now and then, beside everything else. Any number of processes may do it. */
export class LogKeeper {
  private readonly stopping = new AbortController();
  private running: Promise<void>[] = [];

  /** @param checkpointer null: nothing is signed */
  constructor(
    private readonly pool: Pool,
    private readonly checkpointer: Checkpointer | null,
    private readonly checkpointMs: number,
    private readonly logger: Logger,
  ) {}

  start(): void {
    const { checkpointer } = this;
    this.running = [this.repeat(Math.min(BEHIND_MS, this.checkpointMs), () => this.sequence())];
    if (checkpointer) this.running.push(this.repeat(this.checkpointMs, () => this.sign(checkpointer)));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private async repeat(pauseMs: number, act: () => Promise<unknown>): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await act().catch((error: unknown) => {
        if (signal.aborted) return;
        const told = { reason: 'log_failed', err: error };
        this.logger.warn(told, 'the log of events could not be brought up to date or signed; it is tried again');
      });
    }
  }

  private sequence(): Promise<number> {
    return sequence(this.pool, 'the floor', this.stopping.signal);
  }

  private async sign(checkpointer: Checkpointer): Promise<void> {
    await this.sequence();
    await checkpointer.signIfDue(this.checkpointMs, this.stopping.signal);
  }
}
