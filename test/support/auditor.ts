import type { Pool } from 'pg';
import { eventually } from '../messaging/eventually';
import { contentLeaks } from './content-leaks';
import { isJob, openJobs, readHistories, type StoredRow } from './histories';
import { historyFaults, jobFaults } from './history-faults';
import type { Load } from './load';
import { LEASE_MS, type Supervisor } from './supervisor';
import { viewDifferences } from './view-differences';

const QUIESCENCE_MS = 60_000;
const NOTHING = {
  crashedProcesses: [],
  lostJobs: [],
  history: [],
  jobs: [],
  providerCalls: [],
  agendaOfFinalJobs: [],
  viewDifferences: [],
  contentLeaks: [],
};

/** Waits until the load has been worked off and nothing is open any more, then looks for whatever must never be. */
export async function expectIntact(supervisor: Supervisor, load: Load): Promise<void> {
  await load.finish();
  await eventually(0, () => openJobs(supervisor.pool), QUIESCENCE_MS);
  await eventually(0, () => erasures(supervisor.pool), QUIESCENCE_MS);
  const { faults } = await audit(supervisor, load);
  expect(faults).toEqual(NOTHING);
}

/** Deleted threads whose content is still being erased: by the sweeper, where the process that began has died. */
async function erasures(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from agenda where kind = 'erase thread'`);
  return rows[0]?.count ?? 0;
}

/** Everything that must never be, in a deployment of which every job has ended, and the histories that it was looked for in. */
export async function audit(supervisor: Supervisor, load: Pick<Load, 'accepted' | 'canaries'>) {
  const { histories, differences } = await snapshot(supervisor.pool);
  const jobs = new Map([...histories].filter(([, history]) => isJob(history)));
  const faults: Record<keyof typeof NOTHING, unknown[]> = {
    crashedProcesses: supervisor.crashed(),
    lostJobs: load.accepted.filter(({ jobId }) => !jobs.has(jobId)),
    history: [...histories.values()].flatMap(historyFaults),
    jobs: [...jobs.values()].flatMap(jobFaults),
    providerCalls: callFaults(supervisor, jobs),
    agendaOfFinalJobs: await agendaRows(supervisor.pool),
    viewDifferences: differences,
    contentLeaks: await contentLeaks(supervisor, load.canaries),
  };
  return { histories, faults };
}

/** Late reports may still arrive: histories and views are compared over a moment in which none did. */
async function snapshot(pool: Pool) {
  const events = async () => (await pool.query<{ last: string }>('select max(position) as last from event')).rows[0]?.last;
  for (;;) {
    const before = await events();
    const histories = await readHistories(pool);
    const { differences } = await viewDifferences(pool, LEASE_MS);
    if (before === (await events())) return { histories, differences };
  }
}

/** No job is open, so none may have anything on the agenda. */
async function agendaRows(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ row: string }>(`select concat_ws(' ', job_id, kind, ref) as row from agenda`);
  return rows.map(({ row }) => row);
}

/** A provider is called at most once for an attempt, and only for one that was committed before. */
function callFaults(supervisor: Supervisor, jobs: ReadonlyMap<string, StoredRow[]>): string[] {
  const events = [...jobs.values()].flat();
  const granted = new Set(events.filter(({ type }) => type === 'StepStarted').map(({ facts }) => attemptOf(facts)));
  const calls = supervisor.ledger();
  const submits = Map.groupBy(
    calls.filter(({ call }) => call === 'submit'),
    attemptOf,
  );
  return [
    ...[...submits].filter(([, made]) => made.length > 1).map(([attempt, made]) => `${attempt} was submitted ${made.length} times`),
    ...calls.filter((call) => !granted.has(attemptOf(call))).map((call) => `${attemptOf(call)} was called without a grant`),
  ];
}

const attemptOf = ({ stepId, attempt }: { stepId?: unknown; attempt?: unknown }): string => `${String(stepId)}#${String(attempt)}`;
