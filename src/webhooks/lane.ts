import { setTimeout as sleep } from 'node:timers/promises';
import type { TakenDelivery } from '@lib/store/webhooks/deliveries';
import type { ToldFailures } from '../runtime/told-failures';
import type { SharedRoom } from './shared-room';

export interface LaneSettings {
  /** Whether it serves webhooks that currently fail. They have their own lane, so that no other webhook waits for them, however many they are. */
  failing: boolean;
  /** The most deliveries at a time. */
  most: number;
  /** The pause between two looks, unless more was due than taken. */
  lookMs: number;
}

/** Takes due deliveries while it has room, and has them attempted. */
export class Lane {
  private readonly attempts = new Map<TakenDelivery, Promise<void>>();
  private readonly stopping = new AbortController();
  private running: Promise<void> | null = null;
  private ended: (() => void) | null = null;

  constructor(
    private readonly room: Pick<SharedRoom, 'take' | 'leave'>,
    private readonly settings: LaneSettings,
    /** Must not throw. */
    private readonly attempt: (taken: TakenDelivery) => Promise<void>,
    private readonly told: Pick<ToldFailures, 'failed' | 'worked'>,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Takes no more deliveries, and waits for the running ones. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await Promise.all(this.attempts.values());
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const hasMore = await this.look();
      if (signal.aborted) return;
      // If more is due, the next attempt that ends makes room for it.
      await Promise.race([
        sleep(this.settings.lookMs, undefined, { signal }).catch(() => undefined),
        ...(hasMore ? [new Promise<void>((resolve) => (this.ended = resolve))] : []),
      ]);
    }
  }

  /** @returns whether deliveries may still be waiting for room */
  private async look(): Promise<boolean> {
    const { most, failing } = this.settings;
    const free = most - this.attempts.size;
    if (free <= 0) return true;
    try {
      const taken = await this.room.take(free, failing);
      this.told.worked();
      for (const one of taken) this.begin(one);
      return this.attempts.size > 0;
    } catch (error) {
      this.told.failed(error);
      return false;
    }
  }

  private begin(taken: TakenDelivery): void {
    const attempting = this.attempt(taken).then(() => {
      this.attempts.delete(taken);
      this.room.leave(taken);
      this.ended?.();
    });
    this.attempts.set(taken, attempting);
  }
}
