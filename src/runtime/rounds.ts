import { setTimeout as sleep } from 'node:timers/promises';

/** Calls `look` again and again, with a pause after each, until the signal aborts. */
export async function inRounds(look: () => Promise<void>, pauseMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await look();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Starts such rounds. @param look gets a signal that says when to stop @returns a function that ends them and waits for the current look */
export function startRounds(look: (stopped: AbortSignal) => Promise<void>, pauseMs: number): () => Promise<void> {
  const stopping = new AbortController();
  const running = inRounds(() => look(stopping.signal), pauseMs, stopping.signal);
  return () => {
    stopping.abort();
    return running;
  };
}

/** Calls `take` until it takes fewer than `most`, so nothing is left, or until the signal aborts. */
export async function untilNoneIsLeft(take: () => Promise<number>, most: number, signal: AbortSignal): Promise<void> {
  for (let taken = most; taken === most && !signal.aborted;) taken = await take();
}
