import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markdownTable } from 'markdown-table';
import { newId } from '@lib/store/new-id';
import { migrate } from '@lib/store/postgres/migrations';
import { openStore, type Store } from '@lib/store/store';
import { createPool } from '@lib/store/postgres/pool';
import { checkpointNow, Checkpointer } from '../src/audit/checkpointer';
import { sequence } from '../src/audit/sequencer';
import { startPostgres } from '../src/embedded/postgres';
import { bundled } from './bundle';
import { completedStep, completeJob, META, requestJob, TENANT } from './commands';
import { packageFolder } from './package-folder';
import { seed } from './seed/seed';
import type { Seeded } from './seed/seeder';

const EVENTS = Number(process.argv[2] ?? 1_000_000);
const REPORT = `${'The tower is three hundred metres high. '.repeat(50)}\n`;

/** `research verify` over so many events of finished jobs with three reports of 2 KB each: how many a second, and its largest memory. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'research-audit-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { max_connections: '100' }, keep: false });
  const masterKey = randomBytes(32);
  try {
    await migrate(postgres.url);
    const store = openStore({
      databaseUrl: postgres.url,
      connections: 4,
      masterKeys: [masterKey],
      leaseMs: 30_000,
      redispatchFirstMs: 10_000,
    });
    const template = await finishedJob(store);
    const { rows } = await store.pool.query<{ count: number }>('select count(*)::int as count from event');
    await store.close();
    const jobs = Math.ceil(EVENTS / (rows[0]?.count ?? 1)) - 1;
    await seed({ databaseUrl: postgres.url, masterKey: masterKey.toString('base64') }, [template], jobs);
    await logged(postgres.url);
    process.stdout.write(
      `${await checkpointed(postgres.url, () => seed({ databaseUrl: postgres.url, masterKey: masterKey.toString('base64') }, [template], 91))}\n`,
    );
    const table = process.argv[3] === 'bundle' ? await bundled(postgres.url, folder, EVENTS) : await verified(postgres.url);
    process.stdout.write(`${table}\n`);
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a checkpoint of about a thousand new events takes of this process, which is warm: to put them into the log, and to sign it. */
async function checkpointed(databaseUrl: string, add: () => Promise<unknown>): Promise<string> {
  const pool = createPool(databaseUrl, 2, 600_000);
  const checkpointer = new Checkpointer(
    pool,
    { keys: [Buffer.alloc(32, 7)], origin: 'bench', folder: null, witnesses: [] },
    { warn: () => undefined, info: () => undefined },
  );
  const before = (await checkpointNow(pool, checkpointer, null)).size;
  await add();
  const began = process.cpuUsage();
  const after = (await checkpointNow(pool, checkpointer, null)).size;
  const { user, system } = process.cpuUsage(began);
  await pool.end();
  return `A checkpoint of ${after - before} new events after ${before}: ${((user + system) / 1000).toFixed(0)} ms of processor time.`;
}

/** Puts every event into the log, so that the look at it counts too. */
async function logged(databaseUrl: string): Promise<void> {
  const pool = createPool(databaseUrl, 1, 600_000);
  while ((await sequence(pool)) > 0);
  await pool.end();
}

async function finishedJob(store: Store): Promise<Seeded> {
  const [threadId, jobId] = [newId('thr'), newId('job')];
  const stepIds = [newId('stp'), newId('stp'), newId('stp')];
  await store.execute({
    meta: META,
    commands: [
      { kind: 'thread', streamId: threadId, command: { type: 'CreateThread', tenantId: TENANT, title: 'Bench' } },
      { kind: 'thread', streamId: threadId, command: { type: 'AddJob', tenantId: TENANT, jobId, parent: null } },
      { kind: 'job', streamId: jobId, command: requestJob(threadId, stepIds) },
    ],
  });
  const result = completedStep(REPORT);
  for (const stepId of stepIds) {
    await store.jobs.execute(jobId, { type: 'StartStep', stepId, claimId: stepId }, META);
    await store.jobs.execute(jobId, { type: 'RecordStep', stepId, attempt: 1, result, jitter: 0 }, META);
  }
  await store.jobs.execute(jobId, completeJob(REPORT), META);
  return { threadId, jobId };
}

async function verified(databaseUrl: string): Promise<string> {
  const command = join(packageFolder(), 'dist', 'src', 'cli', 'main.js');
  const began = performance.now();
  const child = spawn(process.execPath, [command, 'verify', '--json'], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  const ended = once(child, 'close');
  let [peakMb, cpuSeconds] = [0, 0];
  while (child.exitCode === null && child.signalCode === null) {
    peakMb = Math.max(peakMb, await peakOf(child.pid));
    cpuSeconds = Math.max(cpuSeconds, await cpuOf(child.pid));
    await sleep(50);
  }
  await ended;
  const seconds = (performance.now() - began) / 1000;
  const { events, faults } = JSON.parse(said) as { events: number; faults: unknown[] };
  const figures = [
    events,
    faults.length,
    seconds.toFixed(1),
    (events / seconds).toFixed(0),
    cpuSeconds.toFixed(1),
    (events / cpuSeconds).toFixed(0),
    peakMb.toFixed(0),
  ].map(String);
  return markdownTable([
    ['events', 'faults', 's', 'events a second', 'CPU s of the command', 'events a CPU second', 'largest memory MB'],
    figures,
  ]);
}

/** The most that the process has had in memory so far. */
async function peakOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Seconds of CPU that the process has taken so far: its clock ticks are hundredths of a second. */
async function cpuOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return ((user ?? 0) + (system ?? 0)) / 100;
}

void main();
