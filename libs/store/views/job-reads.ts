import type { KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import type { BudgetTier, JobStatus } from '@lib/domain/vocabulary';
import { textArray } from '../events/array-parameter';
import { documentPlace, eventPlace, unseal } from '../sealing/seal';
import type { ThreadKeys } from '../sealing/thread-keys';
import type { JobView } from './job.view';

/** A finished job is its document; an open one is its row and the sealed question of its first event. */
const READ = {
  name: 'jobs',
  text: `select job.id, job.tenant_id, job.thread_id, job.status, job.budget_tier, job.budget_cap_cents, job.created_at, job.document,
      case when job.document is null then event.sealed end as sealed_request
    from job join event on event.stream_id = job.id and event.version = 1
    where job.id = any ($1::text[])`,
};

interface Row {
  id: string;
  tenant_id: string;
  thread_id: string;
  status: JobStatus;
  budget_tier: BudgetTier;
  budget_cap_cents: number;
  created_at: Date;
  document: Buffer | null;
  sealed_request: Buffer | null;
}

export interface JobPlace {
  tenantId: string;
  threadId: string;
  jobId: string;
}

/** Reads jobs by id, all requests that wait together in one statement; tenant and thread are checked per row. */
export function createJobReads(pool: Pool, keys: ThreadKeys): (place: JobPlace) => Promise<string | null> {
  return batch(
    async (places: JobPlace[]) => {
      const ids = [...new Set(places.map(({ jobId }) => jobId))];
      const { rows } = await pool.query<Row>({ ...READ, values: [textArray(ids)] });
      const byId = new Map(rows.map((row) => [row.id, row]));
      const threadKeys = await keys.read(rows.map((row) => row.thread_id));
      return places.map(({ tenantId, threadId, jobId }) => {
        const row = byId.get(jobId);
        if (row?.tenant_id !== tenantId || row.thread_id !== threadId) return null;
        const key = threadKeys.get(threadId);
        return key ? jobText(row, key) : null;
      });
    },
    { maxItems: 64, width: 2 },
  );
}

function jobText(row: Row, key: KeyObject): string | null {
  if (row.document) return unseal(key, documentPlace(row.id), row.document);
  if (!row.sealed_request) return null;
  const { query } = JSON.parse(unseal(key, eventPlace(row.id, 1, 'JobRequested'), row.sealed_request)) as { query: string };
  const view: JobView = {
    id: row.id,
    threadId: row.thread_id,
    status: row.status,
    budgetTier: row.budget_tier,
    budgetCapCents: row.budget_cap_cents,
    query,
    synthesisMarkdown: null,
    synthesisClaimsJson: null,
    totalCustomerCostCents: 0,
    durationSeconds: null,
    createdAt: row.created_at.toISOString(),
    completedAt: null,
    steps: [],
  };
  return JSON.stringify(view);
}
