import { HOUR_MS } from '@lib/domain/durations';
import type { ClaimRequest } from '@lib/messaging/saga-messages';

/** More than this is given to no worker, whatever it says. */
const MAX_LEASE_MS = HOUR_MS;

/**
 * How long a lease is. A worker that was started with a longer LEASE_MS than this saga sends its heartbeats by that: by the shorter time its attempts
 * would be lost between two of them, and paid for again.
 */
export class LeaseLengths {
  private hasWarned = false;

  constructor(
    private readonly leaseMs: number,
    private readonly warn: (fields: object, message: string) => void,
  ) {}

  /** The longer one of this saga's and the worker's. */
  of({ jobId, stepId, leaseMs: workerLeaseMs = this.leaseMs }: Pick<ClaimRequest, 'jobId' | 'stepId' | 'leaseMs'>): number {
    if (workerLeaseMs !== this.leaseMs && !this.hasWarned) {
      this.hasWarned = true;
      const told = { reason: 'lease_differs', leaseMs: this.leaseMs, workerLeaseMs, jobId, stepId };
      this.warn(
        told,
        'a worker was started with another LEASE_MS than this saga: set it alike everywhere; until then the longer one counts',
      );
    }
    return Math.max(this.leaseMs, Math.min(workerLeaseMs, MAX_LEASE_MS));
  }
}
