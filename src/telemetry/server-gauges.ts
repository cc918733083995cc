import type { Logger } from 'pino';
import { inTime } from '../in-time';

/** A scrape that comes sooner gets what the last one got: several scrapers cost a server no more than one. */
const FRESH_FOR_MS = 5_000;
/** For so long a scrape waits for a server: a scraper gives up after some ten seconds. */
const PATIENCE_MS = 2_000;

interface Gauges<Value> {
  /** Who is asked, for the log. */
  server: 'the database' | 'the broker' | 'the database or CHECKPOINT_DIR';
  read: () => Promise<Value>;
  fill: (value: Value) => void;
  /** While the server does not answer they are left out, since what they said last may be wrong by then. */
  leaveOut: () => void;
  logger: Pick<Logger, 'warn'>;
}

/** What a scrape calls to have gauges filled with what a server says. Never rejects: everything else that the process tells is told all the same. */
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

/** Reads at most once in so many milliseconds, and once for all who ask meanwhile. */
function freshFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let known: { at: number; value: Promise<Value> } | null = null;
  return () => {
    const now = performance.now();
    if (known && now - known.at < milliseconds) return known.value;
    known = { at: now, value: read() };
    return known.value;
  };
}

/** Whoever asks while it is read gets the same: a server that hangs holds one connection of ours, however often it is asked. */
function onceAtATime<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => (reading ??= read().finally(() => (reading = null)));
}
