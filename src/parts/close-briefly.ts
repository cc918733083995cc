import { setTimeout as sleep } from 'node:timers/promises';

const MAX_MS = 1_000;

/** Waits for something to close, but only briefly: work left over by the drain may never end. */
export async function closeBriefly(closed: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([closed, sleep(MAX_MS, undefined, { signal: over.signal }).catch(() => undefined)]);
  over.abort();
}
