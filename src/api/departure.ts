import { setTimeout as sleep } from 'node:timers/promises';
import type { HealthCheck } from './health';

/** Without a readiness check for so long, there is no balancer that would notice. */
const ASKED_WITHIN_MS = 60_000;
/** Share of the time to drain. The rest is for requests in hand. */
const SHARE = 0.5;

/**
 * How an api leaves its clients. First it is no longer ready, but still answers everything, so that a balancer which only knows readiness has time to
 * send new connections elsewhere. Only then may the listener be closed. It does not wait if nobody asks for readiness.
 */
export class Departure {
  isLeaving = false;
  private askedAt = -Infinity;
  private noticed: Promise<void> | null = null;

  /** One of the checks of readiness. */
  readonly check: HealthCheck = {
    name: 'accepting',
    isOwn: true,
    check: async () => {
      this.askedAt = performance.now();
      if (this.isLeaving) throw new Error('this process is stopping');
    },
  };

  /** Resolves once balancers have had their time to notice. Later calls wait for the same moment. */
  untilNoticed(drainMs: number): Promise<void> {
    this.isLeaving = true;
    const isAsked = performance.now() - this.askedAt < ASKED_WITHIN_MS;
    return (this.noticed ??= isAsked ? sleep(drainMs * SHARE) : Promise.resolve());
  }
}
