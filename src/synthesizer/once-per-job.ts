import type { Delivery } from '@lib/messaging/transport';

/**
 * Handles the wake-ups of a job one after the other: this process may have the work in hand already without the queue, or be woken for
 * it again after a gap of its connection. Such a wake-up comes back later.
 */
export function oncePerJob(handle: (delivery: Delivery) => Promise<void>, againMs: number): (delivery: Delivery) => Promise<void> {
  const inHand = new Set<string>();
  return async (delivery) => {
    const { jobId } = delivery.work;
    if (inHand.has(jobId)) return delivery.retryAfter(againMs);
    inHand.add(jobId);
    try {
      await handle(delivery);
    } finally {
      inHand.delete(jobId);
    }
  };
}
