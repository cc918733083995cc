import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { AGENDA_KINDS, isWaitingStep } from '@lib/domain/job/agenda';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import type { Pool } from '@lib/store/postgres/pool';
import { countWork, heldProviders, logLag, type WorkCount } from '@lib/store/views/work-counts';
import { fromServer } from './server-gauges';

/**
 * Gauges over the whole service. Each saga reports the same values: take the maximum, not the sum. While the database does not answer they are left
 * out, because their last values may be wrong by then; the process's other metrics are still reported.
 */
export function measureWork(registry: Registry, pool: Pool, logger: Pick<Logger, 'warn'>): void {
  const collect = fromServer({
    server: 'the database',
    read: () => Promise.all([countWork(pool), heldProviders(pool), logLag(pool)]),
    fill: (read) => fill(...read),
    leaveOut: () => {
      for (const each of byLabel) each.reset();
      lag.remove();
    },
    logger,
  });
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry], collect });
  const waiting = gauge('research_steps_waiting', 'Steps that wait for a worker or for their turn. Scale workers by it.', ['provider']);
  const held = gauge(
    'research_provider_held',
    '1 while the provider gets no steps, or only a trial step, because it is drained, down or asked for a pause; otherwise 0.',
    ['provider'],
  );
  const running = gauge('research_steps_running', 'Attempts that a worker holds a lease of.', ['provider']);
  const oldest = gauge('research_step_waiting_oldest_seconds', 'For how long the oldest waiting step has been due.', ['provider']);
  const agenda = gauge('research_agenda_entries', 'Rows of the agenda.', ['kind']);
  const overdue = gauge('research_agenda_overdue', 'Rows of the agenda that are due for more than a minute.', ['kind']);
  const agendaOldest = gauge('research_agenda_oldest_seconds', 'For how long the oldest row of the agenda has been due.', ['kind']);
  const lag = gauge(
    'research_log_lag_seconds',
    'For how long the oldest event has been waiting for its place in the log; absent without a log.',
  );
  const byLabel = [waiting, held, running, oldest, agenda, overdue, agendaOldest];
  const fill = (rows: readonly WorkCount[], heldBack: readonly ProviderId[], behind: number | null): void => {
    for (const each of byLabel) each.reset();
    // An absence is reported as 0 and not left out, because a rule over an absent series never fires.
    for (const provider of PROVIDERS) for (const each of [waiting, held, running, oldest]) each.set({ provider }, 0);
    for (const kind of AGENDA_KINDS) for (const each of [agenda, overdue, agendaOldest]) each.set({ kind }, 0);
    for (const provider of heldBack) held.set({ provider }, 1);
    for (const { kind, provider, entries, overdue: late } of rows) {
      agenda.inc({ kind }, entries);
      overdue.inc({ kind }, late);
      if (kind === 'lease') running.inc({ provider }, entries);
      if (isWaitingStep(kind)) waiting.inc({ provider }, entries);
    }
    for (const [kind, seconds] of oldestBy(rows, 'kind')) agendaOldest.set({ kind }, seconds);
    const steps = rows.filter(({ kind }) => isWaitingStep(kind));
    for (const [provider, seconds] of oldestBy(steps, 'provider')) oldest.set({ provider }, seconds);
    if (behind === null) lag.remove();
    else lag.set(behind);
  };
}

/** For how long the oldest of each kind, or of each provider, has been due. */
function oldestBy(rows: readonly WorkCount[], label: 'kind' | 'provider'): Map<string, number> {
  const oldest = new Map<string, number>();
  for (const row of rows) oldest.set(row[label], Math.max(oldest.get(row[label]) ?? 0, row.oldestSeconds));
  return oldest;
}
