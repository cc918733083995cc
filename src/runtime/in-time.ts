import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits for work for a limited time; if it takes longer, it goes on without a waiter. @throws Error after `withinMs` milliseconds without a result
 */
export async function inTime<Value>(work: Promise<Value>, withinMs: number, awaited = 'answer'): Promise<Value> {
  const over = new AbortController();
  const late = sleep(withinMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no ${awaited} within ${withinMs} ms`);
  });
  return Promise.race([work, late]).finally(() => over.abort());
}

/** Waits for work for a limited time; if it takes longer, it goes on without a waiter. @returns whether it has ended */
export async function endsWithin(work: Promise<unknown>, withinMs: number): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(withinMs, false, { signal: over.signal });
  return Promise.race([work.then(() => true), late]).finally(() => over.abort());
}
