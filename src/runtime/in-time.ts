import { setTimeout as sleep } from 'node:timers/promises';

/** `sleep` warns of a time that is over already. */
const sleepUpTo = <Value>(withinMs: number, value: Value, signal: AbortSignal): Promise<Value> =>
  sleep(Math.max(0, withinMs), value, { signal });

/**
 * Waits for work for a limited time; if it takes longer, it goes on without a waiter. @throws Error after `withinMs` milliseconds without a result
 */
export async function inTime<Value>(work: Promise<Value>, withinMs: number, awaited = 'answer'): Promise<Value> {
  const over = new AbortController();
  const late = sleepUpTo(withinMs, undefined, over.signal).then(() => {
    throw new Error(`no ${awaited} within ${withinMs} ms`);
  });
  return Promise.race([work, late]).finally(() => over.abort());
}

/** Waits for work for a limited time; if it takes longer, it goes on without a waiter. @returns whether it has ended */
export async function endsWithin(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  const over = new AbortController();
  const late = sleepUpTo(withinMs, false, over.signal);
  return Promise.race([work.then(() => true), late]).finally(() => over.abort());
}
