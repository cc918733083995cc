import type { ClientBase } from 'pg';
import { agendaKey, agendaOf, givesUpAt, needsTurn, type AgendaEntry } from '@lib/domain/job/agenda';
import type { JobState } from '@lib/domain/job/state';
import type { ThreadState } from '@lib/domain/thread';
import type { AgendaRow } from '../commit/writes';
import { SUMMARY_SHAPE } from '../history/thread-summary';
import { jobRow } from '../views/job-row';

const WRITE_JOB = `insert into job (id, tenant_id, thread_id, parent_job_id, version, status, budget_tier, budget_cap_cents, created_at, completed_at,
    cost_cents, steps, document)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
  on conflict (id) do update set tenant_id = excluded.tenant_id, thread_id = excluded.thread_id, parent_job_id = excluded.parent_job_id,
    version = excluded.version, status = excluded.status, budget_tier = excluded.budget_tier, budget_cap_cents = excluded.budget_cap_cents,
    created_at = excluded.created_at, completed_at = excluded.completed_at, cost_cents = excluded.cost_cents, steps = excluded.steps,
    document = case when $14 then excluded.document else job.document end`;

/** @param document null for none, undefined to leave the one that is there */
export async function writeJob(client: ClientBase, jobId: string, state: JobState, document: Buffer | null | undefined): Promise<void> {
  const { tenantId, threadId, parentJobId, version, status, budgetTier, budgetCapCents, createdAt, completedAt, costCents, steps } = jobRow(
    jobId,
    state,
  );
  const identity = [jobId, tenantId, threadId, parentJobId, version, status, budgetTier, budgetCapCents, createdAt, completedAt];
  await client.query(WRITE_JOB, [...identity, costCents, JSON.stringify(steps), document ?? null, document !== undefined]);
}

const WRITE_THREAD = `insert into thread (id, tenant_id, created_at, updated_at, version, job_count, shape)
  values ($1, $2, $3, $4, $5, $6, ${SUMMARY_SHAPE})
  on conflict (id) do update set tenant_id = excluded.tenant_id, created_at = excluded.created_at, updated_at = excluded.updated_at,
    version = excluded.version, job_count = excluded.job_count, shape = excluded.shape`;

export async function writeThread(client: ClientBase, threadId: string, state: ThreadState, updatedAt: unknown): Promise<void> {
  const { tenantId, createdAt, version, jobCount } = state;
  await client.query(WRITE_THREAD, [threadId, tenantId, createdAt, updatedAt, version, jobCount]);
}

/**
 * A restored entry: due as far as the history shows when; a step waits for its turn.
 * @param sincePhaseMs how long the job has been in its phase
 */
export function agendaRow(jobId: string, entry: AgendaEntry, state: JobState, sincePhaseMs: number): AgendaRow {
  const { tenantId } = state;
  const elapsedMs = entry.kind === 'job deadline' ? sincePhaseMs : 0;
  const dueInMs = Math.round(Math.max(0, entry.dueInMs - Math.max(0, elapsedMs)));
  const waiting = needsTurn(entry);
  const turn = { window: null, givesUpAt: waiting ? givesUpAt(state, entry.stepId) : null, waiting };
  return { ...entry, ...turn, jobId, tenantId, dueInMs, lookInMs: dueInMs, sealedRun: null };
}

const WRITE_ENTRY = `insert into agenda (job_id, kind, ref, step_id, attempt, provider, run, tenant_id, sealed_run, due_at, look_at, waiting, gives_up_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + $10::int4 * interval '1 millisecond',
    case when not $11 then clock_timestamp() + $10::int4 * interval '1 millisecond' when $12::timestamptz > clock_timestamp() then $12 else 'infinity' end,
    $11, case when $12::timestamptz > clock_timestamp() then $12::timestamptz end
  on conflict (job_id, kind, ref) do update set step_id = excluded.step_id, attempt = excluded.attempt, provider = excluded.provider,
    run = excluded.run, tenant_id = excluded.tenant_id`;

/** An existing entry keeps its due time, its tries and its run; only its subject is corrected. */
export async function writeEntry(client: ClientBase, row: AgendaRow): Promise<void> {
  const { jobId, kind, ref, stepId, attempt, provider, run, tenantId, sealedRun, dueInMs, waiting, givesUpAt } = row;
  const what = [jobId, kind, ref, stepId, attempt, provider, run, tenantId, sealedRun];
  await client.query(WRITE_ENTRY, [...what, dueInMs, waiting, givesUpAt]);
}

const REMOVE_ENTRY = `delete from agenda where job_id = $1 and job_id || ' ' || kind || '/' || ref = $2`;

/** @param key as a difference names it */
export async function removeEntry(client: ClientBase, jobId: string, key: string): Promise<void> {
  await client.query(REMOVE_ENTRY, [jobId, key]);
}

/** The entries of a job's agenda, by their names in a difference. */
export const entriesOf = (jobId: string, state: JobState, leaseMs: number): Map<string, AgendaEntry> =>
  new Map(agendaOf(state, leaseMs).map((entry) => [`${jobId} ${agendaKey(entry)}`, entry]));

const ERASE_THREAD = `insert into agenda (job_id, kind, ref, tenant_id, due_at, look_at)
  values ($1, 'erase thread', '', $2, clock_timestamp(), clock_timestamp()) on conflict do nothing`;

/** Adds the entry by which some process continues the erasure of the thread. */
export async function writeErasure(client: ClientBase, threadId: string, tenantId: string): Promise<void> {
  await client.query(ERASE_THREAD, [threadId, tenantId]);
}
