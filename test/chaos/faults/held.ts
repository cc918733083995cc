import { setTimeout as delay } from 'node:timers/promises';
import type { Evidence } from './evidence';

/** How much longer a fault goes on that has met nobody yet. */
const PATIENCE_MS = 8_000;
const LOOK_MS = 50;

/** Waits for as long as the fault shall last, and on, for so long, until it has met somebody. */
export async function held(forMs: number, look: () => Evidence | Promise<Evidence>, patienceMs = PATIENCE_MS): Promise<Evidence> {
  const began = performance.now();
  for (let seen: Evidence = null; ;) {
    seen ??= await look();
    const lasted = performance.now() - began;
    if (lasted >= forMs + (seen === null ? patienceMs : 0)) return seen;
    await delay(Math.min(LOOK_MS, Math.max(0, forMs - lasted) || LOOK_MS));
  }
}
