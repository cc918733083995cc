import { Gauge, type Registry } from 'prom-client';
import { AGENDA_KINDS } from '@lib/domain/job/agenda';
import { PROVIDERS } from '@lib/domain/vocabulary';
import type { Pool } from '@lib/store/postgres/pool';
import { checkpointAge, countWork, type WorkCount } from '@lib/store/views/work-counts';

/** A scrape that comes sooner gets what the last one got: several scrapers cost the database no more than one. */
const FRESH_FOR_MS = 5_000;

/** Gauges over the whole service, told by each saga alike: take the maximum over them, not the sum. */
export function measureWork(registry: Registry, pool: Pool): void {
  const refresh = freshFor(FRESH_FOR_MS, async () => fill(await countWork(pool)));
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect: refresh });
  const waiting = gauge('research_steps_waiting', 'Steps that wait for a worker or for their turn. Scale workers by it.', ['provider']);
  const running = gauge('research_steps_running', 'Attempts that a worker holds a lease of.', ['provider']);
  const oldest = gauge('research_step_waiting_oldest_seconds', 'For how long the oldest waiting step has been due.', ['provider']);
  const agenda = gauge('research_agenda_entries', 'Rows of the agenda.', ['kind']);
  const overdue = gauge('research_agenda_overdue', 'Rows of the agenda that are due for more than a minute.', ['kind']);
  const fill = (rows: readonly WorkCount[]): void => {
    // Nothing is told as 0, not left out: a rule over what is absent never fires.
    for (const provider of PROVIDERS) for (const each of [waiting, running, oldest]) each.set({ provider }, 0);
    for (const kind of AGENDA_KINDS) for (const each of [agenda, overdue]) each.set({ kind }, 0);
    for (const { kind, provider, entries, overdue: late, oldestSeconds: age } of rows) {
      agenda.inc({ kind }, entries);
      overdue.inc({ kind }, late);
      if (kind === 'lease') running.inc({ provider }, entries);
      if (kind !== 'dispatch step' && kind !== 'retry') continue;
      waiting.inc({ provider }, entries);
      oldest.set({ provider }, Math.max(0, age));
    }
  };
  new Gauge({
    name: 'research_checkpoint_age_seconds',
    help: 'Age of the newest signed checkpoint of the log; absent without any.',
    registers: [registry],
    async collect() {
      const age = await checkpointAge(pool);
      if (age === null) this.remove();
      else this.set(age);
    },
  });
}

/** Reads at most once in so many milliseconds, and once for all who ask meanwhile. */
function freshFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let known: { at: number; value: Promise<Value> } | null = null;
  return () => {
    const now = performance.now();
    if (known && now - known.at < milliseconds) return known.value;
    const value = read();
    known = { at: now, value };
    value.catch(() => (known = null));
    return value;
  };
}
