import { MINUTE_MS } from '@lib/domain/durations';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { Transport } from '@lib/messaging/transport';
import {
  readAnnouncement,
  WORKER_LIMITS_SUBJECT,
  workerLimitsSubject,
  type WorkerAnnouncement,
  type WorkerLimits,
} from '@lib/messaging/worker-limits';
import type { Window } from '@lib/store/agenda/admission-table';
import { DEFAULT_WINDOW } from '@lib/store/store';

/** A worker silent for this long is presumed gone: three of its announcements are missing. */
const FORGET_AFTER_MS = 15_000;
/** Limit per provider; further workers are ignored, so that forged announcements cannot fill the memory. */
const MAX_WORKERS = 1000;
/**
 * Share of the slots for which steps are dispatched ahead, before a worker claims them. The other steps wait until a slot is free, and then tenants
 * take turns.
 */
const AHEAD = 0.5;

interface Heard extends WorkerLimits {
  heardAt: number;
}

/** The capacity of the workers that were heard lately, added up for each provider. */
export class Capacity {
  private readonly workers = new Map<ProviderId, Map<string, Heard>>(PROVIDERS.map((provider) => [provider, new Map()]));
  private readonly windows = new Map<ProviderId, Window>();

  /** Listens for as long as the transport is open. */
  async listen(transport: Transport): Promise<void> {
    const hear = (payload: unknown, providers: readonly ProviderId[]): void => {
      const announced = readAnnouncement(payload);
      if (announced) for (const provider of providers) this.hear(provider, announced);
    };
    // A message counts for the provider in its subject only, since only workers of that provider may send there.
    const listening = PROVIDERS.map((provider) =>
      transport.subscribe(workerLimitsSubject(provider), (payload) => hear(payload, [provider])),
    );
    await Promise.all([...listening, transport.subscribe(WORKER_LIMITS_SUBJECT, (payload) => hear(payload, PROVIDERS))]);
  }

  /** How many steps of a provider may be dispatched ahead. If no worker was heard, as many as for one worker. */
  windowOf(provider: ProviderId): Window {
    return this.windows.get(provider) ?? { size: DEFAULT_WINDOW, paceMs: 0 };
  }

  /** The same for the write path. 0 if submits must be spaced: then all steps wait, because only the admission spaces them. */
  writerWindow(provider: ProviderId): number {
    const { size, paceMs } = this.windowOf(provider);
    return paceMs > 0 ? 0 : size;
  }

  private hear(provider: ProviderId, { worker, limits }: WorkerAnnouncement): void {
    const now = performance.now();
    const workers = this.workers.get(provider) ?? new Map<string, Heard>();
    const told = limits.get(provider);
    if (!told) workers.delete(worker);
    else if (workers.has(worker) || workers.size < MAX_WORKERS) workers.set(worker, { heardAt: now, ...told });
    this.sum(now);
  }

  /** Recomputes the sums of all providers, because a worker that disappears does not announce it. */
  private sum(now: number): void {
    for (const [provider, workers] of this.workers) {
      for (const [other, { heardAt }] of workers) if (now - heardAt > FORGET_AFTER_MS) workers.delete(other);
      if (workers.size === 0) this.windows.delete(provider);
      else this.windows.set(provider, windowOf([...workers.values()]));
    }
  }
}

function windowOf(workers: readonly WorkerLimits[]): Window {
  const slots = workers.reduce((total, limits) => total + limits.slots, 0);
  const isPaced = workers.every(({ requestsPerMinute }) => requestsPerMinute !== null);
  const requests = workers.reduce((total, { requestsPerMinute }) => total + (requestsPerMinute ?? 0), 0);
  return { size: Math.ceil(slots * AHEAD), paceMs: isPaced ? Math.ceil(MINUTE_MS / requests) : 0 };
}
