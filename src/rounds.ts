import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `look` again and again, with a pause after each, until the signal aborts. */
export async function inRounds(look: () => Promise<void>, pauseMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await look();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Begins such rounds. Whoever looks is told when to stop. @returns ends them, once the look that is under way has ended */
export function startRounds(look: (stopped: AbortSignal) => Promise<void>, pauseMs: number): () => Promise<void> {
  const stopping = new AbortController();
  const running = inRounds(() => look(stopping.signal), pauseMs, stopping.signal);
  return () => {
    stopping.abort();
    return running;
  };
}

/** Calls `take` until it took fewer than `most`, which says that nothing is left, or the signal aborts. */
export async function untilNoneIsLeft(take: () => Promise<number>, most: number, signal: AbortSignal): Promise<void> {
  for (let taken = most; taken === most && !signal.aborted;) taken = await take();
}
