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
 * Keeps V8 from holding much more memory under load than is used, for threads as well; most of the rest is garbage.
 *
 * The old generation would grow to up to four times what lives in it. The flag replaces what V8 chooses by itself, also where that would be less
 * because memory is short.
 *
 * The young generation would grow to more than 100 MB: a process then needs a third less memory for a tenth more work. Node's own option for it is
 * read before any code of ours, so growth is ended once it is large enough. Threads could not grow from their usual beginning then: they begin with
 * as much as their own limit allows.
 *
 * V8 may also put what some line of code makes into the old generation at once, if it has lived for long once. In the thread that compares reports that
 * kept much of each report alive until the next collection of the old generation.
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
