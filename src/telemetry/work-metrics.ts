import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { AGENDA_KINDS } from '@lib/domain/job/agenda';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { Pool } from '@lib/store/postgres/pool';
import { checkpointAge, countWork, type WorkCount } from '@lib/store/views/work-counts';

/** A scrape that comes sooner gets what the last one got: several scrapers cost the database no more than one. */
const FRESH_FOR_MS = 5_000;
/** For so long a scrape waits for the database: a scraper gives up after some ten seconds. */
const PATIENCE_MS = 2_000;

/**
 * Gauges over the whole service, told by each saga alike: take the maximum over them, not the sum. While the database does not answer they are
 * left out, since what they said last may be wrong by then; everything else that the process tells is told all the same.
 */
export function measureWork(registry: Registry, pool: Pool, logger: Pick<Logger, 'warn'>): void {
  const read = onceAtATime(() => Promise.all([countWork(pool), checkpointAge(pool)]));
  const collect = freshFor(FRESH_FOR_MS, async () => {
    try {
      fill(...(await inTime(read())));
    } catch (error) {
      for (const each of [waiting, running, oldest, agenda, overdue]) each.reset();
      checkpoint.remove();
      logger.warn({ reason: 'work_not_counted', err: error }, 'the database did not tell what waits: the metrics of that are left out');
    }
  });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect });
  const waiting = gauge('research_steps_waiting', 'Steps that wait for a worker or for their turn. Scale workers by it.', ['provider']);
  const running = gauge('research_steps_running', 'Attempts that a worker holds a lease of.', ['provider']);
  const oldest = gauge('research_step_waiting_oldest_seconds', 'For how long the oldest waiting step has been due.', ['provider']);
  const agenda = gauge('research_agenda_entries', 'Rows of the agenda.', ['kind']);
  const overdue = gauge('research_agenda_overdue', 'Rows of the agenda that are due for more than a minute.', ['kind']);
  const checkpoint = gauge(
    'research_checkpoint_age_seconds',
    'Age of the newest signed checkpoint of the log, 0 while it has the newest event; absent without any.',
  );
  const fill = (rows: readonly WorkCount[], age: number | null): void => {
    for (const each of [waiting, running, oldest, agenda, overdue]) each.reset();
    // Nothing is told as 0, not left out: a rule over what is absent never fires.
    for (const provider of PROVIDERS) for (const each of [waiting, running, oldest]) each.set({ provider }, 0);
    for (const kind of AGENDA_KINDS) for (const each of [agenda, overdue]) each.set({ kind }, 0);
    const ages = new Map<string, number>();
    for (const { kind, provider, entries, overdue: late, oldestSeconds } of rows) {
      agenda.inc({ kind }, entries);
      overdue.inc({ kind }, late);
      if (kind === 'lease') running.inc({ provider }, entries);
      if (kind !== 'dispatch step' && kind !== 'retry') continue;
      waiting.inc({ provider }, entries);
      ages.set(provider, Math.max(ages.get(provider) ?? 0, oldestSeconds));
      oldest.set({ provider }, ages.get(provider) ?? 0);
    }
    if (age === null) checkpoint.remove();
    else checkpoint.set(age);
  };
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

/** Whoever asks while it is read gets the same: a database that hangs holds one connection of ours, however often it is asked. */
function onceAtATime<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => (reading ??= read().finally(() => (reading = null)));
}

async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  const over = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: over.signal }).then(() => {
    throw new Error(`no answer in ${PATIENCE_MS} ms`);
  });
  return Promise.race([answer, late]).finally(() => over.abort());
}
