import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Transport } from '@lib/messaging/transport';
import { announcementPayload, workerLimitsSubject, type WorkerLimits } from '@lib/messaging/worker-limits';

const EVERY_MS = 5_000;

/** Says every few seconds what this worker takes at a time, until it is stopped. */
export function announceLimits(
  transport: Transport,
  { instance: worker, build }: ProcessIdentity,
  limits: ReadonlyMap<ProviderId, WorkerLimits>,
): { stop: () => void } {
  const announce = (told: ReadonlyMap<ProviderId, WorkerLimits>) => {
    for (const provider of limits.keys()) {
      const own = new Map([...told].filter(([other]) => other === provider));
      transport.publish(workerLimitsSubject(provider), announcementPayload({ worker, build, limits: own }));
    }
  };
  announce(limits);
  const timer = setInterval(() => announce(limits), EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
      announce(new Map());
    },
  };
}
