import fc from '../support/properties';
import type { Store } from '@lib/store/store';
import type { PastJobView } from '@lib/store/views/past-job.view';
import { complete, report, start, success } from '../support/job-history';
import { runWaves, waves, type RunJob } from '../support/random-work';
import { candidate, createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { deleteThread, onJob } from '../support/streams';

/** Leases that have run out at once, so that attempts can be lost. */
const LEASE_MS = 1;
const CANARY = 'a canary of this test';

let test: TestStore;
let store: Store;
/** Has seen nothing of what the other writes. */
let reader: Store;
beforeAll(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  store = test.store;
  reader = test.another();
});
afterAll(() => test.close());

/** What the routes answer, and what stands on the agenda. */
interface Answered {
  document: string;
  steps: string;
  agenda: string[];
}

const PARTS = { steps: true, claims: false, reports: true };
const entries = (rows: readonly { kind: string; ref: string }[]) => rows.map(({ kind, ref }) => `${kind}/${ref}`).sort();

async function answered({ threadId, jobId }: RunJob): Promise<[number, Answered] | null> {
  const job = await store.views.readJob({ tenantId: TENANT, threadId, jobId });
  const detail = await store.flatJobs.get(TENANT, jobId, PARTS);
  if (!job?.json || !detail) return null;
  const { rows } = await store.pool.query<{ kind: string; ref: string }>('select kind, ref from agenda where job_id = $1', [jobId]);
  return [job.version, { document: String(job.json), steps: JSON.stringify(detail.job?.steps), agenda: entries(rows) }];
}

async function replayed({ jobId }: RunJob, { pastJobs } = reader): Promise<PastJobView[]> {
  const history = (await pastJobs.history(TENANT, jobId)) ?? [];
  return Promise.all(history.map(({ version }) => pastJobs.view(jobId, history, version)));
}

const shown = ({ document, steps, agenda }: PastJobView): Answered => ({
  document: JSON.stringify(document),
  steps: JSON.stringify(steps),
  agenda: entries(agenda),
});

it('is at every version, byte by byte, what was answered when that version was the newest', async () => {
  const seen = { versions: 0, final: 0, deleted: 0 };
  await fc.assert(
    fc.asyncProperty(waves({ processes: 1, jobs: 1, width: [1, 2], length: [5, 30] }), async (schedule) => {
      const job = await createJob(store, {
        query: CANARY,
        candidates: [candidate('provider-a', { max: 400_000 }), candidate('provider-c', { max: 400_000 })],
      });
      const answers = new Map<number, Answered>();
      for (const wave of schedule) {
        const now = await answered(job);
        if (now) answers.set(...now);
        expect(await runWaves([wave], [store], [job])).toEqual([]);
      }
      const last = await answered(job);
      if (last) answers.set(...last);
      const views = await replayed(job);
      if (!last) {
        seen.deleted += 1;
        expect(JSON.stringify(views)).not.toContain(CANARY);
        expect(new Set(views.map(({ erased, document }) => `${erased} ${document.query}`))).toEqual(new Set(['true ']));
        return;
      }
      for (const [version, answer] of answers) expect([version, shown(views[version - 1] as PastJobView)]).toEqual([version, answer]);
      seen.versions += answers.size;
      seen.final += views.filter(({ document }) => document.completedAt !== null).length;
    }),
    { numRuns: 40, endOnFailure: true },
  );
  // What never happened was not tried.
  expect(Object.entries(seen).filter(([, times]) => times < 5)).toEqual([]);
}, 120_000);

it('keeps the money of every version as the ledger of that time would', async () => {
  const job = await createJob(store, { candidates: [candidate('provider-a', { min: 400_000, max: 400_000 })] });
  const [stepId = ''] = job.stepIds;
  await onJob(store, job.jobId, start(stepId), report(stepId, 1, success(300_000)), complete);
  const views = await replayed(job);
  const money = views.map(({ status, money: { chargedMicros, totals } }) => [
    status,
    totals.heldMicros,
    totals.committedMicros,
    chargedMicros,
  ]);
  expect(money).toEqual([
    ['pending', 400_000, 0, null],
    ['running', 400_000, 0, null],
    ['running', 0, 300_000, null],
    ['synthesizing', 0, 300_000, null],
    ['completed', 0, 300_000, 300_000],
  ]);
  expect(views.map(({ version, latestVersion, until }) => [version, latestVersion, until === null])).toEqual(
    [1, 2, 3, 4, 5].map((version) => [version, 5, version === 5]),
  );
});

it('shows at no version what was deleted, though the process that wrote it still remembers it', async () => {
  const writer = test.another();
  const job = await createJob(writer, { query: CANARY });
  const [one = ''] = job.stepIds;
  await onJob(writer, job.jobId, start(one), report(one, 1, success()));
  const read = async () => JSON.stringify(await replayed(job, writer));
  expect(await read()).toContain(CANARY);
  await deleteThread(store, job.threadId);
  const after = await read();
  expect(after).not.toContain(CANARY);
  expect(after).not.toContain('So it is');
  expect(JSON.parse(after)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ version: 1, status: 'pending', erased: true }),
      expect.objectContaining({ version: 3, status: 'running', erased: true }),
    ]),
  );
});

it('is nobody else’s', async () => {
  const { jobId, threadId } = await createJob(store);
  for (const [tenantId, id] of [
    ['another', jobId],
    [TENANT, threadId],
    [TENANT, 'job_\0'],
  ] as const)
    expect(await reader.pastJobs.history(tenantId, id)).toBeNull();
});
