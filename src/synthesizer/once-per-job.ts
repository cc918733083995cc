import type { Delivery } from '@lib/messaging/transport';

/**
 * Handles one wake-up of a job at a time. A second one comes if this process took the work without the queue, or after a connection gap; it is
 * returned to the queue for later.
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
