import { setTimeout as delay } from 'node:timers/promises';

/** Repeats `ask` until its answer is `wanted`, for what is true soon but tells nobody; gives up after `withinMs`. */
export const eventually = async <Answer>(wanted: Answer, ask: () => Promise<Answer>, withinMs = 20_000): Promise<void> => {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer === wanted) return;
    if (performance.now() > deadline) throw new Error(`still ${String(answer)} after ${withinMs} ms, wanted ${String(wanted)}`);
    await delay(10);
  }
};
