import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** One of the two halves of the young generation. */
const HALF_MB = 8;
const BOUND_BYTES = 2 * HALF_MB * 1024 * 1024;
/** The same for a thread whose limit allows it. */
const THREAD_HALF_MB = 16;
/** How much the old generation may grow until it is collected again, in percent of what survived the last collection. */
const OLD_GROWTH_PERCENT = 70;

/**
 * Keeps V8 from holding much more memory under load than is in use (the rest is mostly garbage), in threads as well.
 *
 * The old generation would grow to up to four times its live data. The flag replaces V8's own choice, even when V8 would choose less because memory
 * is short.
 *
 * The young generation would grow to more than 100 MB; keeping it small saves a third of a process's memory for a tenth more processor time. Node's
 * own option for it is read before any code of ours, so growth is stopped once it is large enough. Threads could then not grow beyond their usual
 * initial size, so they start with as much as their own limit allows.
 *
 * V8 may also allocate the objects of a line of code directly in the old generation, once such objects have lived long (pretenuring). In the thread
 * that compares reports this kept much of each report alive until the next collection of the old generation, so it is switched off.
 */
export function boundHeap(oldGrowthPercent = OLD_GROWTH_PERCENT): void {
  setFlagsFromString(`--heap-growing-percent=${oldGrowthPercent}`);
  setFlagsFromString(`--min-semi-space-size=${THREAD_HALF_MB}`);
  setFlagsFromString('--no-allocation-site-pretenuring');
  const collections = new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (!space || space.space_size < BOUND_BYTES) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    collections.disconnect();
  });
  collections.observe({ entryTypes: ['gc'] });
}
