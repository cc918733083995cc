import type { Logger } from 'pino';
import { inTime } from '../in-time';

/** A scrape within this time reuses the last values, so that several scrapers cost the server no more than one. */
const FRESH_FOR_MS = 5_000;
/** How long a scrape waits for a server; scrapers give up after about ten seconds. */
const PATIENCE_MS = 2_000;

interface Gauges<Value> {
  /** Who is asked, for the log. */
  server: 'the database' | 'the broker' | 'the database or CHECKPOINT_DIR';
  read: () => Promise<Value>;
  fill: (value: Value) => void;
  /** Called while the server does not answer: the last values may be wrong by then. */
  leaveOut: () => void;
  logger: Pick<Logger, 'warn'>;
}

/** Makes a scrape's function that fills gauges from a server. It never rejects, so that the process's other metrics are still reported. */
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

/** Reads at most once per interval, and only once for concurrent callers. */
function freshFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let known: { at: number; value: Promise<Value> } | null = null;
  return () => {
    const now = performance.now();
    if (known && now - known.at < milliseconds) return known.value;
    known = { at: now, value: read() };
    return known.value;
  };
}

/** Concurrent callers share one read, so that a hanging server holds only one of our connections. */
function onceAtATime<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => (reading ??= read().finally(() => (reading = null)));
}
