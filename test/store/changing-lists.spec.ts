import fc from '../support/properties';
import type { Pool } from 'pg';
import { claimIdOf } from '@lib/domain/claim-id';
import type { RecordedClaim } from '@lib/domain/job/recorded-report';
import type { CursorFormat } from '@lib/store/cursor-format';
import { connectAlone } from '@lib/store/postgres/pool';
import { JOB_CURSORS } from '@lib/store/views/job-cursor';
import { LOOKED_AT, readJobPage } from '@lib/store/views/job-pages';
import { CLAIM_CURSORS, THREAD_LIST_CURSORS } from '@lib/store/views/list-cursors';
import { completeWith, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, META, type TestStore } from '../support/store';
import { onJob } from '../support/streams';

/** Lists whose rows come, go and change between two pages: what was there the whole time is shown once. */
let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());

const JOBS = 7;
const CLAIMS = 3;

interface Made {
  threadId: string;
  jobId: string;
  stepIds: string[];
}

/** What one tenant has, and what becomes of it. */
class Rows {
  readonly made: Made[] = [];
  readonly deleted = new Set<string>();

  constructor(readonly tenantId: string) {}

  async add(): Promise<void> {
    const made = await createJob(test.store, { tenantId: this.tenantId, candidates: [candidate('provider-a')] });
    this.made.push(made);
    await this.complete(made);
  }

  async delete(place: number): Promise<void> {
    const { threadId = '', jobId = '' } = this.made[place % this.made.length] ?? {};
    if (this.deleted.has(jobId)) return;
    this.deleted.add(jobId);
    await test.store.threads.delete(threadId, this.tenantId, META);
    await test.store.erasure.erase(threadId);
  }

  /** Of those that were there at first and still are, newest first as they are listed. */
  lasting(of: (made: Made) => string[]): string[] {
    return this.made.slice(0, JOBS).flatMap((made) => (this.deleted.has(made.jobId) ? [] : of(made)));
  }

  private async complete({ jobId, stepIds: [stepId = ''] }: Made): Promise<void> {
    const quoted = { provider: 'provider-a' as const, stepId, quote: 'So it is.', start: 0, end: 9, citationIndexes: [] };
    const claims = Array.from({ length: CLAIMS }, (_, place): RecordedClaim => {
      return { id: `c${place + 1}`, claim: 'So it is.', confidence: 'low', supporting: [quoted], contradicting: [] };
    });
    await onJob(test.store, jobId, start(stepId), report(stepId, 1, success()), completeWith({ claims }));
  }
}

interface Page {
  ids: string[];
  /** The cursor of the next page. */
  next: string | null;
}
type Read = (tenantId: string, cursor: string | null, limit: number) => Promise<Page>;

/** Walks all pages, with changes between any two. */
async function walk(rows: Rows, changes: readonly number[], read: Read, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let [page, cursor] = [0, null as string | null]; ; page += 1) {
    const found = await read(rows.tenantId, cursor, limit);
    ids.push(...found.ids);
    if (found.next === null) return ids;
    cursor = found.next;
    const change = changes[page];
    if (change === undefined) continue;
    if (change % 3 === 0) await rows.add();
    else await rows.delete(change);
  }
}

const placeIn = <Place>(cursors: CursorFormat<Place>, cursor: string | null): Place | null =>
  cursor === null ? null : (cursors.placeIn(cursor) ?? null);

const readThreads: Read = async (tenantId, cursor, limit) => {
  const asked = { limit, offset: 0, after: placeIn(THREAD_LIST_CURSORS, cursor) };
  const { threads, next } = await test.store.views.listThreads(tenantId, asked);
  return { ids: threads.map(({ id }) => id), next: next && THREAD_LIST_CURSORS.textOf(next) };
};
const readClaims: Read = async (tenantId, cursor, limit) => {
  const { claims, nextCursor } = await test.store.claims.search(tenantId, {}, { limit, offset: 0, after: placeIn(CLAIM_CURSORS, cursor) });
  return { ids: claims.map(({ id }) => id), next: nextCursor };
};
const readJobs: Read = async (tenantId, cursor, limit) => {
  const after = placeIn(JOB_CURSORS, cursor);
  const { jobs, nextCursor } = await test.store.flatJobs.list(tenantId, { status: 'completed' }, after, limit);
  return { ids: jobs.map(({ id }) => id), next: nextCursor };
};
const claimsOf = ({ jobId }: Made): string[] => Array.from({ length: CLAIMS }, (_, place) => claimIdOf(jobId, place + 1));

let tenants = 0;
it.each<[string, (made: Made) => string[], Read]>([
  ['threads', ({ threadId }) => [threadId], readThreads],
  ['claims', claimsOf, readClaims],
  ['jobs of a status', ({ jobId }) => [jobId], readJobs],
])('%s', async (_, of, read) => {
  const changes = fc.array(fc.nat({ max: 20 }), { minLength: 4, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(changes, fc.integer({ min: 1, max: 3 }), async (between, limit) => {
      const rows = new Rows(`tenant-of-lists-${(tenants += 1)}`);
      for (let place = 0; place < JOBS; place += 1) await rows.add();
      const ids = await walk(rows, between, read, limit);
      expect(ids).toEqual([...new Set(ids)]);
      const lasting = rows.lasting(of);
      expect(ids.filter((id) => lasting.includes(id)).sort()).toEqual(lasting.sort());
    }),
    { numRuns: 12 },
  );
});

it('the hundred jobs of a search for claims are no end: the cursor goes on behind them', async () => {
  const rows = new Rows('tenant-of-many');
  for (let place = 0; place < 102; place += 1) await rows.add();
  const ids = await walk(rows, [], readClaims, 100);
  expect([...ids].sort()).toEqual(rows.made.flatMap(claimsOf).sort());
});

describe('jobs of a rare status, beyond what a page looks at', () => {
  const tenantId = 'tenant-of-rare';
  const ALL = LOOKED_AT + 100;
  beforeAll(async () => {
    const client = await connectAlone(test.databaseUrl);
    const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 26, '0')`;
    const at = `timestamptz '2026-01-01 00:00:00+00' + n * interval '1 minute'`;
    const series = `from generate_series(1, ${ALL}) as n`;
    await client.query(
      `insert into thread (id, tenant_id, created_at, updated_at) select ${id('thr')}, '${tenantId}', ${at}, ${at} ${series}`,
    );
    // Those around the last that a page looks at have failed.
    await client.query(
      `insert into job (id, tenant_id, thread_id, version, status, budget_tier, budget_cap_cents, created_at, cost_cents, steps)
        select ${id('job')}, '${tenantId}', ${id('thr')}, 4, case when n between 90 and 110 then 'failed' else 'completed' end, 'M', 1500, ${at}, 0, '[]'
        ${series}`,
    );
    await client.end();
  });

  it('are shown once while others are created and deleted at every statement', async () => {
    const { pool } = test.store;
    let change = 0;
    const changed = async (): Promise<void> => {
      change += 1;
      const [deleted, created] = [`job_${String(ALL - change * 7).padStart(26, '0')}`, `job_${String(ALL + change).padStart(26, '0')}`];
      const columns = 'tenant_id, thread_id, version, status, budget_tier, budget_cap_cents, cost_cents, steps';
      await pool.query(`insert into job (id, created_at, ${columns}) select $1, now(), ${columns} from job where id = $2`, [
        created,
        deleted,
      ]);
      const range = [`job_${String(ALL - change * 7 - 4).padStart(26, '0')}`, deleted];
      await pool.query('delete from job where id between $1 and $2', range);
    };
    const query = async (statement: { text: string; values: unknown[] }) => {
      const answer = await pool.query(statement);
      await changed();
      return answer;
    };
    const ids: string[] = [];
    const changing = { query } as unknown as Pool;
    let page = await readJobPage(changing, tenantId, { status: 'failed' }, null, 100);
    for (; page.next; page = await readJobPage(changing, tenantId, { status: 'failed' }, { place: page.next }, 100))
      ids.push(...page.rows.map(({ id }) => id));
    ids.push(...page.rows.map(({ id }) => id));
    expect(ids).toHaveLength(21);
    expect(new Set(ids).size).toBe(21);
  });
});
