import { generateKey } from '@lib/store/access/key-format';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { BUDGET_TIERS, PROVIDERS } from '@lib/domain/vocabulary';
import { readEnv } from '@lib/settings/read-env';
import type { EventListView } from '@lib/store/views/event.view';
import type { JobView } from '@lib/store/views/job.view';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import { readRoles } from '../../src/roles';
import { startService, type Service } from '../../src/service';
import { eventually } from '../messaging/eventually';
import { createDatabase, type TestDatabase } from '../servers/database';

const SLOW_MS = 60_000;

let folder: string;
let database: TestDatabase;
let service: Service;

/** Every provider is a background API that takes a minute. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cancel-'));
  const file = join(folder, 'providers.yaml');
  const provider = {
    adapter: 'simulated',
    minReserveCents: 0,
    maxReserveCents: 10,
    options: { latencyMs: SLOW_MS, background: true, ledgerFile: join(folder, 'ledger') },
  };
  const count = Object.fromEntries(BUDGET_TIERS.map((tier) => [tier, 1]));
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      defaults: { preference: [...PROVIDERS], count },
      providers: Object.fromEntries(PROVIDERS.map((id) => [id, provider])),
    }),
  );
  database = await createDatabase();
  const times = { LEASE_MS: '2000', HEARTBEAT_MS: '200', SWEEP_MS: '100', REDISPATCH_FIRST_MS: '300', REDISPATCH_MS: '300' };
  const env = readEnv({
    BOOTSTRAP_API_KEY: generateKey().keyText,
    DATABASE_URL: database.url,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    PROVIDERS_FILE: file,
    DRAIN_MS: '100',
    ...times,
  });
  service = await startService(env, readRoles('all'), pino({ level: 'silent' }));
});

afterAll(async () => {
  await service.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function call<Answer>(method: string, path: string, body?: object): Promise<{ status: number; answer: Answer }> {
  const headers = { authorization: `Bearer ${service.firstKey?.keyText ?? ''}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const response = await fetch(service.address + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: response.status, answer: (await response.json()) as Answer };
}

const ledger = (kind: string): string[] =>
  readFileSync(join(folder, 'ledger'), 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"${kind}"`))
    .map((line) => (JSON.parse(line) as { runId: string }).runId);

/** A job whose one provider has a run under way. */
async function runningJob(): Promise<{ thread: string; job: string; types: () => Promise<string[]> }> {
  const { answer } = await call<ThreadCreatedView>('POST', '/v1/threads', { message: 'How slow?', providers: ['provider-a'] });
  const thread = `/v1/threads/${answer.id}`;
  const job = `${thread}/jobs/${answer.job.id}`;
  const types = async () => (await call<EventListView>('GET', `${job}/events`)).answer.events.map(({ type }) => type);
  await eventually(true, async () => (await types()).includes('StepExternalIdRecorded'));
  return { thread, job, types };
}

describe('cancelling a job', () => {
  it('answers with the final job, tells the provider, and is no error the second time', async () => {
    const { job, types } = await runningJob();
    const run = ledger('submit').at(-1);
    const { status, answer } = await call<JobView>('POST', `${job}/cancel`);
    expect([status, answer.status]).toEqual([200, 'cancelled']);
    expect(answer.steps).toMatchObject([{ status: 'failed', errorMessage: expect.stringContaining('cancelled') as string }]);
    await eventually(true, async () => (await types()).includes('StepRunCancelled'));
    expect(ledger('cancel')).toContain(run);

    const again = await call<JobView>('POST', `${job}/cancel`);
    expect(again).toEqual({ status: 200, answer });
  });

  it('reaches the provider also when the thread is deleted', async () => {
    const { thread } = await runningJob();
    const run = ledger('submit').at(-1);
    expect((await call('DELETE', thread)).status).toBe(200);
    await eventually(true, async () => ledger('cancel').includes(run ?? ''));
  });

  it('knows nothing of unknown jobs', async () => {
    const { thread } = await runningJob();
    const jobId = 'job_01jd6xw8k2e4zvq7h3m5n9p0rs';
    const { status, answer } = await call<{ code: string; detail: string }>('POST', `${thread}/jobs/${jobId}/cancel`);
    expect([status, answer.code]).toEqual([404, 'job_not_found']);
    expect(answer.detail).toMatch(new RegExp(`^The job ${jobId} does not exist in the thread thr_\\w+\\.$`));
  });
});
