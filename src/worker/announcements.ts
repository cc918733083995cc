import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Transport } from '@lib/messaging/transport';
import { announcementPayload, workerLimitsSubject, type WorkerLimits } from '@lib/messaging/worker-limits';

const EVERY_MS = 5_000;

export interface Announcements {
  /** From now on announces that this worker takes no steps, and how many it still holds. */
  drain(held: () => number): void;
  stop(): void;
}

/** Announces this worker's limits every few seconds, until it is stopped. */
export function announceLimits(
  transport: Transport,
  { instance: worker, build }: ProcessIdentity,
  limits: ReadonlyMap<ProviderId, WorkerLimits>,
): Announcements {
  let heldWhileDraining: (() => number) | null = null;
  let isStopped = false;
  const announce = (): void => {
    const drainsWith = isStopped ? null : (heldWhileDraining?.() ?? null);
    for (const [provider, own] of limits) {
      const taken = new Map(isStopped || heldWhileDraining ? [] : [[provider, own] as const]);
      transport.publish(workerLimitsSubject(provider), announcementPayload({ worker, build, limits: taken, drainsWith }));
    }
  };
  announce();
  const timer = setInterval(announce, EVERY_MS).unref();
  return {
    drain: (held) => {
      heldWhileDraining = held;
      announce();
    },
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      clearInterval(timer);
      announce();
    },
  };
}
