import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `look` again and again, with a pause after each, until the signal aborts. */
export async function inRounds(look: () => Promise<void>, pauseMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await look();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Calls `take` until it took fewer than `most`, which says that nothing is left, or the signal aborts. */
export async function untilNoneIsLeft(take: () => Promise<number>, most: number, signal: AbortSignal): Promise<void> {
  for (let taken = most; taken === most && !signal.aborted;) taken = await take();
}
