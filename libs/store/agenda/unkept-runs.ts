import type { Pool } from 'pg';
import type { Contents } from '../sealing/contents';
import type { KeyRing } from '../sealing/key-ring';
import { rowsOf } from '../postgres/rows-of';
import { unlessUnsealable } from '../sealing/seal';
import { sealExternalId } from './sealed-runs';

/** Runs of unfinished steps that have no row to keep their id. */
const UNKEPT = {
  name: 'agenda_unkept_runs',
  text: `select job.id as job_id, job.tenant_id, step ->> 'id' as step_id, step ->> 'provider' as provider, event.version,
      (event.facts ->> 'run')::int as run, (step ->> 'id') || '#' || (event.facts ->> 'run') as ref
    from job cross join jsonb_array_elements(job.steps) as step
      join event on event.stream_id = job.id and event.type = 'StepExternalIdRecorded' and event.facts ->> 'stepId' = step ->> 'id'
    where job.thread_id = $1 and job.tenant_id = $2 and job.completed_at is null and step ->> 'status' in ('queued', 'running')
      and not exists (select from agenda where agenda.job_id = job.id and agenda.kind in ('run', 'cancel run')
        and agenda.ref = (step ->> 'id') || '#' || (event.facts ->> 'run'))`,
};

const KEEP = `insert into agenda (job_id, tenant_id, kind, ref, step_id, run, provider, sealed_run, due_at, look_at)
  values ($1, $2, 'run', $3, $4, $5, $6, $7, 'infinity', 'infinity') on conflict do nothing`;

interface UnkeptRun {
  job_id: string;
  tenant_id: string;
  step_id: string;
  provider: string;
  version: number;
  run: number;
  ref: string;
}

/**
 * Adds the rows that keep the ids of a thread's runs, for runs recorded without them by a build of the previous release. They must exist before the
 * thread's key is deleted; otherwise nobody could tell the providers to stop.
 */
export async function keepRuns(
  { threadId, tenantId }: { threadId: string; tenantId: string },
  { pool, contents, ring }: { pool: Pool; contents: Contents; ring: KeyRing },
): Promise<void> {
  const keep = async ({ job_id: jobId, tenant_id, step_id, provider, version, run, ref }: UnkeptRun): Promise<void> => {
    const external = { version };
    const externalId = await contents.ofJob(jobId, threadId).externalId({ external }).catch(unlessUnsealable);
    if (externalId === null) return;
    const values = [jobId, tenant_id, ref, step_id, run, provider, sealExternalId({ jobId, ref }, externalId, ring)];
    await rowsOf(pool, { text: KEEP, values });
  };
  const rows = await rowsOf<UnkeptRun>(pool, { ...UNKEPT, values: [threadId, tenantId] });
  for (const row of rows) await keep(row);
}
