import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { Transport } from '@lib/messaging/transport';
import { readAnnouncement, WORKER_LIMITS_SUBJECT, type WorkerAnnouncement } from '@lib/messaging/worker-limits';
import type { Window } from '@lib/store/agenda/admission-table';
import { DEFAULT_WINDOW } from '@lib/store/store';

/** A worker that was not heard for so long is taken to be gone: three of its announcements were lost. */
const FORGET_AFTER_MS = 15_000;
/** More workers than this are not told apart, so that no sender of announcements can fill the memory. */
const MOST_WORKERS = 1000;
/** Share of the slots that may be dispatched and unclaimed. The rest comes in the tenants' turns when a slot is free. */
const AHEAD = 0.5;
const MINUTE_MS = 60_000;

/** What the workers that were heard lately take, all together. */
export class Capacity {
  private readonly workers = new Map<string, { heardAt: number; limits: WorkerAnnouncement['limits'] }>();
  private windows: ReadonlyMap<ProviderId, Window> = new Map();

  /** For as long as there is a transport. */
  async listen(transport: Transport): Promise<void> {
    await transport.subscribe(WORKER_LIMITS_SUBJECT, (payload) => {
      const announced = readAnnouncement(payload);
      if (announced) this.hear(announced);
    });
  }

  /** How much of a provider may be dispatched. Where no worker was heard, as if there were one. */
  windowOf(provider: ProviderId): Window {
    return this.windows.get(provider) ?? { size: DEFAULT_WINDOW, paceMs: 0 };
  }

  /** The same for a writer: where submits have a distance, steps wait for whoever keeps it. */
  writerWindow(provider: ProviderId): number {
    const { size, paceMs } = this.windowOf(provider);
    return paceMs > 0 ? 0 : size;
  }

  private hear({ worker, limits }: WorkerAnnouncement): void {
    const now = performance.now();
    for (const [other, { heardAt }] of this.workers) if (now - heardAt > FORGET_AFTER_MS) this.workers.delete(other);
    if (limits.size === 0) this.workers.delete(worker);
    else if (this.workers.has(worker) || this.workers.size < MOST_WORKERS) this.workers.set(worker, { heardAt: now, limits });
    this.windows = this.sum();
  }

  private sum(): Map<ProviderId, Window> {
    const windows = new Map<ProviderId, Window>();
    for (const provider of PROVIDERS) {
      const all = [...this.workers.values()].flatMap(({ limits }) => limits.get(provider) ?? []);
      if (all.length === 0) continue;
      const slots = all.reduce((total, limits) => total + limits.slots, 0);
      const isPaced = all.every(({ requestsPerMinute }) => requestsPerMinute !== null);
      const requests = all.reduce((total, { requestsPerMinute }) => total + (requestsPerMinute ?? 0), 0);
      windows.set(provider, { size: Math.ceil(slots * AHEAD), paceMs: isPaced ? Math.ceil(MINUTE_MS / requests) : 0 });
    }
    return windows;
  }
}
