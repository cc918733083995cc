import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import type { BudgetTier, JobStatus } from '@lib/domain/vocabulary';
import { textArray } from '../postgres/array-parameter';
import type { Contents } from '../sealing/contents';
import { documentPlace, unseal } from '../sealing/seal';
import type { ThreadKeys } from '../sealing/thread-keys';
import type { JobView } from './job.view';

const READ = {
  name: 'jobs',
  text: `select id, tenant_id, thread_id, status, budget_tier, budget_cap_cents, created_at, document from job where id = any ($1::text[])`,
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
}

export interface JobPlace {
  tenantId: string;
  threadId: string;
  jobId: string;
}

/**
 * Reads jobs by id, all requests that wait together in one statement; tenant and thread are checked per row. A finished job is its
 * document; an open one is its row and the question of its first event, which whoever polls is rarely the first to ask for.
 */
export function createJobReads(pool: Pool, keys: ThreadKeys, contents: Contents): (place: JobPlace) => Promise<string | null> {
  return batch(
    async (places: JobPlace[]) => {
      const ids = [...new Set(places.map(({ jobId }) => jobId))];
      const { rows } = await pool.query<Row>({ ...READ, values: [textArray(ids)] });
      const byId = new Map(rows.map((row) => [row.id, row]));
      const own = places.map(({ tenantId, threadId, jobId }) => {
        const row = byId.get(jobId);
        return row?.tenant_id === tenantId && row.thread_id === threadId ? row : null;
      });
      const texts = await textsOf(new Set(own), keys, contents);
      return own.map((row) => (row && texts.get(row)) ?? null);
    },
    { maxItems: 64, width: 2 },
  );
}

async function textsOf(wanted: ReadonlySet<Row | null>, keys: ThreadKeys, contents: Contents): Promise<Map<Row, string>> {
  const rows = [...wanted].filter((row) => row !== null);
  const open = rows.filter(({ document }) => document === null);
  const [threadKeys, questions] = await Promise.all([
    keys.read(rows.filter(({ document }) => document !== null).map(({ thread_id: threadId }) => threadId)),
    Promise.all(open.map(({ id, thread_id: threadId }) => contents.ofJob(id, threadId).question())),
  ]);
  const texts = new Map<Row, string>();
  for (const row of rows) {
    const key = threadKeys.get(row.thread_id);
    if (row.document && key) texts.set(row, unseal(key, documentPlace(row.id), row.document));
  }
  open.forEach((row, index) => {
    const question = questions[index] ?? null;
    if (question !== null) texts.set(row, openJobText(row, question));
  });
  return texts;
}

function openJobText(row: Row, query: string): string {
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
