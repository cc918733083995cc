import { setTimeout as sleep } from 'node:timers/promises';

/** The work goes on where it takes longer: nobody waits for it. @throws Error after `withinMs` milliseconds without what was waited for */
export async function inTime<Value>(work: Promise<Value>, withinMs: number, awaited = 'answer'): Promise<Value> {
  const over = new AbortController();
  const late = sleep(withinMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no ${awaited} within ${withinMs} ms`);
  });
  return Promise.race([work, late]).finally(() => over.abort());
}
