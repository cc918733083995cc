import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../messaging/eventually';
import { openJobs, readHistories } from '../support/histories';
import { historyFaults } from '../support/history-faults';
import { Client } from '../support/client';
import { QUICK, SLOW, SLOW_BACKGROUND } from '../support/simulated-providers';
import { LEASE_MS, Supervisor } from '../support/supervisor';
import { viewDifferences } from '../support/view-differences';
import { research } from '../system/support/command';

jest.setTimeout(240_000);

let supervisor: Supervisor;
let client: Client;
let backup: string;
let environment: Record<string, string>;
const outside = mkdtempSync(join(tmpdir(), 'research-restored-'));
beforeAll(async () => {
  supervisor = await Supervisor.start();
  client = new Client(supervisor, 8_000);
  backup = join(outside, 'backup');
  const kept = { DELETION_LIST: join(outside, 'deletions'), CHECKPOINT_DIR: join(outside, 'checkpoints') };
  for (const path of Object.values(kept)) mkdirSync(path);
  const checkpoints = {
    CHECKPOINT_KEY: Buffer.alloc(32, 7).toString('base64'),
    CHECKPOINT_ORIGIN: 'audit.example.org/r',
    CHECKPOINT_MS: '250',
  };
  environment = { ...kept, ...checkpoints };
  await supervisor.startMissing(environment);
  await supervisor.start('api', environment);
});
afterAll(async () => {
  await supervisor?.close();
  rmSync(outside, { recursive: true, force: true });
});

interface Asked {
  threadId: string;
  jobId: string;
}

const answered = async (status: number, method: string, path: string, body?: object, headers = {}) => {
  for (;;) {
    const answer = await client.call(method, path, body, undefined, headers).catch(() => null);
    if (answer && answer.status !== 503) {
      expect([method, path, answer.status]).toEqual([method, path, status]);
      return answer.body;
    }
  }
};
const create = async (key: string, ...providers: string[]): Promise<Asked> => {
  const body = await answered(201, 'POST', '/v1/threads', { message: 'What lasts?', budget: 'M', providers }, { 'idempotency-key': key });
  return { threadId: String(body.id), jobId: (body.job as { id: string }).id };
};
const pathOf = ({ threadId, jobId }: Asked) => `/v1/threads/${threadId}/jobs/${jobId}`;
const statusOf = async (job: Asked) => (await client.call('GET', pathOf(job)).catch(() => null))?.body.status;
const ended = (job: Asked, status = 'completed') => eventually<unknown>(status, () => statusOf(job), 90_000);

/** The server is stopped as little as its files take to be copied; nobody else is. */
async function whileStopped(act: () => void): Promise<void> {
  await supervisor.database.shutDown();
  act();
  await supervisor.database.start();
}

/** How many steps of these jobs have been started. */
const started = async (...jobs: Asked[]): Promise<number> => {
  const text = `select from event where type = 'StepStarted' and stream_id = any ($1)`;
  return (await supervisor.pool.query(text, [jobs.map(({ jobId }) => jobId)])).rowCount ?? 0;
};

it('a database that is restored while every process runs is what they go on with, without what was deleted', async () => {
  const { dataDir } = supervisor.database;
  const before = await create('before', QUICK);
  const deleted = await create('deleted', QUICK);
  await Promise.all([ended(before), ended(deleted)]);
  const cancelled = await create('cancelled', SLOW);
  const running = await create('running', QUICK, SLOW);
  const background = await create('background', QUICK, SLOW_BACKGROUND);
  await eventually(5, () => started(cancelled, running, background), 30_000);
  await whileStopped(() => execFileSync('cp', ['-a', dataDir, backup]));

  const lost = await create('lost', QUICK);
  await answered(200, 'DELETE', `/v1/threads/${deleted.threadId}`);
  await answered(200, 'POST', `${pathOf(cancelled)}/cancel`);
  await Promise.all([ended(lost), ended(running), ended(background)]);
  const lostWhileOpen = await create('lost while open', SLOW);
  await whileStopped(() => {
    rmSync(dataDir, { recursive: true });
    execFileSync('cp', ['-a', backup, dataDir]);
  });

  for (const gone of [lost, lostWhileOpen]) await answered(404, 'GET', pathOf(gone));
  const again = await create('lost', QUICK);
  expect(again.jobId).not.toBe(lost.jobId);
  for (const api of supervisor.apiAddresses()) {
    const headers = { authorization: `Bearer ${supervisor.apiKey}` };
    await eventually(404, async () => (await fetch(`${api}/v1/threads/${deleted.threadId}`, { headers })).status);
  }
  // The cancel is lost too, and may be asked for again.
  await Promise.all([again, running, background, before, cancelled].map((job) => ended(job)));
  await eventually(0, () => openJobs(supervisor.pool), 60_000);
  await eventually(0, async () => (await supervisor.pool.query('select from agenda')).rowCount ?? -1, 60_000);
  expect([...(await readHistories(supervisor.pool)).values()].flatMap(historyFaults)).toEqual([]);
  expect((await viewDifferences(supervisor.pool, LEASE_MS)).differences).toEqual([]);
  expect(supervisor.crashed()).toEqual([]);
  expect(await research(['verify'], { ...supervisor.operator, ...environment })).toMatchObject({ code: 0 });
});
