import { randomUUID } from 'node:crypto';

import { API_WELL_SUBJECT, readApiWell, WIRE_VERSION } from '@lib/messaging/subjects';
import type { Subscription, Transport } from '@lib/messaging/transport';

/** A process tells the others at most this often, however often its readiness is asked for. */
const TOLD_EVERY_MS = 1_000;
/** Longer than between two probes. Whoever was silent for so long may be gone. */
const HEARD_WITHIN_MS = 60_000;
/** The result that another process reports may be this old when it arrives. */
const OLD_NEWS_MS = 500;

/** What the other api processes say of themselves: that every check of theirs passed. */
export class Peers {
  private readonly id = randomUUID();
  private heardAt = -Infinity;
  private toldAt = -Infinity;
  private listening: Subscription | null = null;

  constructor(
    private readonly transport: Transport,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async listen(): Promise<void> {
    this.listening = await this.transport.subscribe(API_WELL_SUBJECT, (payload) => {
      const from = readApiWell(payload);
      if (from !== null && from !== this.id) this.heardAt = this.now();
    });
  }

  async stop(): Promise<void> {
    await this.listening?.stop();
  }

  /** Tells the others that every check of this process passed. */
  tellWell(): void {
    const now = this.now();
    if (now - this.toldAt < TOLD_EVERY_MS) return;
    this.toldAt = now;
    this.transport.publish(API_WELL_SUBJECT, { v: WIRE_VERSION, from: this.id });
  }

  /** Whether another process found itself well after this moment, and lately. */
  isWellSince(moment: number): boolean {
    return this.heardAt > moment + OLD_NEWS_MS && this.now() - this.heardAt < HEARD_WITHIN_MS;
  }
}
