import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** One of the two halves of the young generation. */
const HALF_MB = 8;
const BOUND_BYTES = 2 * HALF_MB * 1024 * 1024;
/** The same for a thread, if its own limit allows that much. */
const THREAD_HALF_MB = 16;
/** How much the old generation may grow before its next collection, relative to what survived the last one. */
const OLD_GROWTH_PERCENT = 70;

/**
 * Keeps V8 from holding much more memory under load than is in use (the rest is mostly garbage), in threads as well.
 *
 * The old generation would grow to up to four times its live size. The flag replaces V8's own choice, even where that would be less because memory
 * is short.
 *
 * The young generation would grow to more than 100 MB; limited, a process needs a third less memory for a tenth more work. Node reads its own option
 * before any of our code runs, so growth is stopped here once it is large enough. Threads then could not grow from their usual initial size, so they
 * start with as much as their own limit allows.
 *
 * V8 may also allocate objects directly in the old generation (pretenuring) if earlier ones from the same line of code lived long. In the thread that
 * compares reports, that kept much of each report alive until the next collection of the old generation.
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
