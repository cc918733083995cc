import type { Delivery } from '@lib/messaging/transport';

/**
 * Handles the wake-ups of a job one after the other: work on a large job takes longer than a wake-up waits for its answer, and whoever is
 * woken meanwhile would do it again. Such a wake-up comes back later.
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
