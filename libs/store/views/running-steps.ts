import type { Pool } from 'pg';
import type { ProviderId } from '@lib/domain/vocabulary';

/** An attempt that a worker holds. */
export interface RunningStep {
  provider: ProviderId;
  jobId: string;
  stepId: string;
  /** ISO 8601; of the step's first attempt. */
  startedAt: string | null;
}

const RUNNING = `
  select lease.provider, lease.job_id as "jobId", lease.step_id as "stepId", (
      select step->>'startedAt' from job, jsonb_array_elements(job.steps) as step where job.id = lease.job_id and step->>'id' = lease.step_id
    ) as "startedAt"
    from agenda as lease where lease.kind = 'lease' and lease.provider = any ($1::text[]) order by 4, 2`;

/** The attempts at these providers that workers hold, longest first. */
export async function runningSteps(pool: Pool, providers: readonly ProviderId[]): Promise<RunningStep[]> {
  return (await pool.query<RunningStep>(RUNNING, [providers])).rows;
}
