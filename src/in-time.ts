import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work at most `withinMs` milliseconds. @throws Error after that time; the work itself goes on */
export async function inTime<Value>(work: Promise<Value>, withinMs: number, awaited = 'answer'): Promise<Value> {
  const over = new AbortController();
  const late = sleep(withinMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no ${awaited} within ${withinMs} ms`);
  });
  return Promise.race([work, late]).finally(() => over.abort());
}
