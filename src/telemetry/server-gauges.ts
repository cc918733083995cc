import type { Logger } from 'pino';
import { inTime } from '../runtime/in-time';

/** A scrape within this time gets the previous values, so several scrapers cost a server no more than one. */
const FRESH_FOR_MS = 5_000;
/** How long a scrape waits for a server. A scraper itself gives up after some ten seconds. */
const PATIENCE_MS = 2_000;

interface Gauges<Value> {
  /** Who is asked, for the log. */
  server: 'the database' | 'the broker' | 'the database or CHECKPOINT_DIR';
  read: () => Promise<Value>;
  fill: (value: Value) => void;
  /** Removes the gauges while the server does not answer, because their last values may be wrong by then. */
  leaveOut: () => void;
  logger: Pick<Logger, 'warn'>;
}

/** Returns what a scrape calls to fill gauges from a server. Never rejects, so that the process's other metrics are still reported. */
export function fromServer<Value>({ server, read, fill, leaveOut, logger }: Gauges<Value>): () => Promise<void> {
  const once = onceAtATime(read);
  return freshFor(FRESH_FOR_MS, async () => {
    try {
      fill(await inTime(once(), PATIENCE_MS));
    } catch (error) {
      leaveOut();
      logger.warn({ reason: 'work_not_counted', err: error }, `${server} did not tell what waits: the metrics of that are left out`);
    }
  });
}

/** Reads at most once in this time, and shares the value with all who ask meanwhile. */
function freshFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let known: { at: number; value: Promise<Value> } | null = null;
  return () => {
    const now = performance.now();
    if (known && now - known.at < milliseconds) return known.value;
    known = { at: now, value: read() };
    return known.value;
  };
}

/** Callers during a read share its result, so a server that hangs holds only one of our connections, however many ask. */
function onceAtATime<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => (reading ??= read().finally(() => (reading = null)));
}
