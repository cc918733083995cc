import { settledCents } from '@lib/domain/balance';
import { agendaKey, agendaOf, givesUpAt, needsTurn, type AgendaEntry } from '@lib/domain/job/agenda';
import { findStep, type JobState } from '@lib/domain/job/state';
import { newId } from '../new-id';
import { jobRow } from '../views/job-row';
import { touchThread, type AgendaRow, type AgendaSettings, type Writes } from './writes';

/** A job that the batch changes, as decided. */
export interface DecidedJob {
  jobId: string;
  state: JobState;
  previous: JobState;
  threadIndex: number;
}

/** What follows from a job's new state: its row, its entries on the agenda, and how it changes its tenant's balance. */
export function addJobWrites(writes: Writes, job: DecidedJob, settings: AgendaSettings, documents: ReadonlyMap<string, Buffer>): void {
  addAgenda(writes, job, settings);
  addJob(writes, job, documents);
  addBalance(writes, job);
}

function addAgenda(writes: Writes, { jobId, state, previous, threadIndex }: DecidedJob, settings: AgendaSettings): void {
  const { leaseMs, redispatchFirstMs } = settings;
  const old = new Map(agendaOf(previous, leaseMs).map((entry) => [agendaKey(entry), entry]));
  for (const entry of agendaOf(state, leaseMs)) {
    if (old.delete(agendaKey(entry))) continue;
    const lookInMs = entry.dueInMs === 0 ? redispatchFirstMs : entry.dueInMs;
    const turn = turnOf(entry, state, settings);
    writes.agendaAdded.push({ ...entry, ...turn, jobId, tenantId: state.tenantId, lookInMs, sealedRun: null, threadIndex });
  }
  for (const { kind, ref, stepId } of old.values()) {
    const ended = kind === 'retry' && attemptsOf(state, stepId) > attemptsOf(previous, stepId);
    writes.agendaRemoved.push({ jobId, kind, ref, ended, threadIndex });
  }
}

const attemptsOf = (state: JobState, stepId: string | null): number => findStep(state, stepId)?.attempts.length ?? 0;

/** A retry waits until it is due, and then for its turn: for it the window is 0, so it is never dispatched at once. */
function turnOf(entry: AgendaEntry, state: JobState, { windowOf }: AgendaSettings): Pick<AgendaRow, 'window' | 'givesUpAt' | 'waiting'> {
  if (!needsTurn(entry) || entry.provider === null) return { window: null, givesUpAt: null, waiting: false };
  return { window: entry.dueInMs > 0 ? 0 : windowOf(entry.provider), givesUpAt: givesUpAt(state, entry.stepId), waiting: false };
}

function addJob(writes: Writes, { jobId, state, previous, threadIndex }: DecidedJob, documents: ReadonlyMap<string, Buffer>): void {
  if (state.erased) {
    if (!previous.erased) writes.erasedJobs.push({ jobId, threadIndex });
    return;
  }
  const row = { ...jobRow(jobId, state), document: documents.get(jobId) ?? null, threadIndex };
  (previous.version === 0 ? writes.newJobs : writes.changedJobs).push(row);
  if (state.completedAt !== null && previous.completedAt === null) {
    touchThread(writes, { id: state.threadId, updatedAt: state.completedAt, summary: null, threadIndex });
  }
}

/** Reserves the job's amount when it is created, and returns it when it ends; a batch may do both. */
function addBalance(writes: Writes, { jobId, state, previous, threadIndex }: DecidedJob): void {
  const { tenantId, createdAt, completedAt, totals, balanceReservedCents: reserved } = state;
  if (reserved === 0) return;
  const row = { tenantId, jobId, threadIndex };
  if (previous.version === 0)
    writes.reservations.push({ ...row, id: newId('txn'), cents: -reserved, reservedCents: reserved, at: createdAt });
  if (totals === null || completedAt === null || previous.totals !== null) return;
  const cents = reserved - settledCents(reserved, totals.chargedMicros);
  writes.settlements.push({ ...row, id: newId('txn'), cents, reservedCents: -reserved, at: completedAt });
}
