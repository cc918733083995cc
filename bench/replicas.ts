import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import type { JobCommand } from '@lib/domain/job/commands';
import { newId } from '@lib/store/new-id';
import { migrate } from '@lib/store/postgres/migrations';
import { openStore, type Store } from '@lib/store/store';
import { startPostgres, type RunningPostgres } from '../src/embedded/postgres';
import { completedStep, completeJob, META, requestJob, TENANT } from './commands';
import { createDatabase } from './databases';
import { cpuSecondsOf } from './processes';

const IN_FLIGHT = 64;
const STEPS = 3;
const JOBS = Number(process.argv[2] ?? 1000);
const COUNTS = (process.argv[3] ?? '1,2,4').split(',').map(Number);
const REPORT = 'A sentence of a report that says as much as another one does. '.repeat(32);

/**
 * What several stores on one database cost when they work on the same jobs: each request of a job goes to a store that chance chooses,
 * as requests over NATS do. All stores run in this process, so that its CPU time is theirs together. Needs no broker and no provider.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'research-replicas-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { max_connections: '100' }, keep: false });
  try {
    const rows = [];
    for (const count of COUNTS) rows.push(await measure(postgres, count));
    process.stdout.write(`${markdownTable([['stores', 'jobs/s', 'CPU ms a job', 'PostgreSQL ms a job'], ...rows])}\n`);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(postgres: RunningPostgres, count: number): Promise<string[]> {
  const databaseUrl = await createDatabase(postgres.url, `replicas_${count}`);
  await migrate(databaseUrl);
  const masterKey = randomBytes(32);
  const settings = { databaseUrl, connections: 4, masterKeys: [masterKey], leaseMs: 30_000, redispatchFirstMs: 10_000 };
  const stores = Array.from({ length: count }, () => openStore(settings));
  await work(stores, Math.ceil(JOBS / 4));
  const [cpu, database, startedAt] = [process.cpuUsage(), cpuSecondsOf(postgres.pid), performance.now()];
  await work(stores, JOBS);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const databaseMs = (cpuSecondsOf(postgres.pid) - database) * 1000;
  await Promise.all(stores.map((store) => store.close()));
  return [count, (JOBS / seconds).toFixed(0), ((user + system) / 1000 / JOBS).toFixed(2), (databaseMs / JOBS).toFixed(2)].map(String);
}

async function work(stores: readonly Store[], jobs: number): Promise<void> {
  let left = jobs;
  const worker = async () => {
    while (left-- > 0) await runJob(() => stores[Math.floor(Math.random() * stores.length)] as Store);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}

/** The commits of a job: its request, the claims of its steps, their reports, its report. */
async function runJob(anyStore: () => Store): Promise<void> {
  const [threadId, jobId] = [newId('thr'), newId('job')];
  const stepIds = Array.from({ length: STEPS }, () => newId('stp'));
  await anyStore().execute({
    meta: META,
    commands: [
      { kind: 'thread', streamId: threadId, command: { type: 'CreateThread', tenantId: TENANT, title: 'How?' } },
      { kind: 'thread', streamId: threadId, command: { type: 'AddMessage', tenantId: TENANT, messageId: newId('msg'), content: 'How?' } },
      { kind: 'thread', streamId: threadId, command: { type: 'AddJob', tenantId: TENANT, jobId, parent: null } },
      { kind: 'job', streamId: jobId, command: requestJob(threadId, stepIds) },
    ],
  });
  const execute = (command: JobCommand) => anyStore().jobs.execute(jobId, command, META);
  await Promise.all(
    stepIds.map(async (stepId) => {
      await execute({ type: 'StartStep', stepId, claimId: stepId });
      await execute({ type: 'RecordStep', stepId, attempt: 1, result: completedStep(REPORT) });
    }),
  );
  const synthesizer = anyStore();
  const state = await synthesizer.jobs.recall(jobId);
  if (state.status !== 'synthesizing') await synthesizer.jobs.load(jobId);
  await synthesizer.jobs.execute(jobId, completeJob(REPORT), META);
}

void main();
