import { setTimeout as sleep } from 'node:timers/promises';
import type { HealthCheck } from './health';

/** Whoever asks for readiness asks more often than that. */
const ASKED_WITHIN_MS = 60_000;
/** Of the time to drain; the rest is for what was taken in. */
const SHARE = 0.5;

/**
 * How an api leaves its clients: first it is no longer ready, and goes on with everything, so that a balancer which knows nothing but readiness has
 * time to send new connections elsewhere. Only then may the listener be closed. Where nobody asks for readiness, nobody would notice.
 */
export class Departure {
  isLeaving = false;
  private askedAt = -Infinity;
  private noticed: Promise<void> | null = null;

  /** One of the checks of readiness. */
  readonly check: HealthCheck = {
    name: 'accepting',
    check: async () => {
      this.askedAt = performance.now();
      if (this.isLeaving) throw new Error('this process is stopping');
    },
  };

  /** Resolves once balancers have had their time to notice. Whoever calls it later waits for the same moment. */
  untilNoticed(drainMs: number): Promise<void> {
    this.isLeaving = true;
    const isAsked = performance.now() - this.askedAt < ASKED_WITHIN_MS;
    return (this.noticed ??= isAsked ? sleep(drainMs * SHARE) : Promise.resolve());
  }
}
