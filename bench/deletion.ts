import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { markdownTable } from 'markdown-table';
import type { StreamCommand } from '@lib/store/history/aggregates';
import { newId } from '@lib/store/new-id';
import { migrate } from '@lib/store/postgres/migrations';
import { openStore, type Store } from '@lib/store/store';
import { startPostgres } from '../src/embedded/postgres';
import { META, requestJob, TENANT } from './commands';

const JOBS = Number(process.argv[2] ?? 10_000);
/** How long they take when nothing is deleted. */
const WRITES_ALONE = 500;

/** Deletes a thread with many open jobs: measures DELETE, and writes to another thread until the deleted one is erased. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'research-deletion-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { max_connections: '100' }, keep: false });
  await migrate(postgres.url);
  const settings = { databaseUrl: postgres.url, connections: 4, masterKeys: [randomBytes(32)] };
  const store = openStore({ ...settings, leaseMs: 30_000, redispatchFirstMs: 10_000 });
  try {
    process.stdout.write(`${await measure(store)}\n`);
  } finally {
    await store.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(store: Store): Promise<string> {
  const [threadId, other] = [newId('thr'), newId('thr')];
  for (const id of [threadId, other]) {
    await store.execute({ meta: META, commands: [onThread(id, { type: 'CreateThread', tenantId: TENANT, title: 'Bench' }), message(id)] });
  }
  for (let begun = 0; begun < JOBS; begun += 250) {
    await Promise.all(Array.from({ length: Math.min(250, JOBS - begun) }, () => addJob(store, threadId)));
  }
  const writeOther = async (): Promise<number> => {
    const asked = performance.now();
    await store.execute({ meta: META, commands: [message(other)] });
    await sleep(5);
    return performance.now() - asked;
  };
  const aloneMs: number[] = [];
  while (aloneMs.length < WRITES_ALONE) aloneMs.push(await writeOther());
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  await store.threads.delete(threadId, TENANT, META);
  const answeredMs = performance.now() - began;
  store.erasure.start(threadId);
  const tookMs: number[] = [];
  while ((await store.pool.query('select 1 from agenda where job_id = $1', [threadId])).rows.length > 0) {
    tookMs.push(await writeOther());
  }
  const wholeMs = performance.now() - began;
  delay.disable();
  const figures = [answeredMs, Math.max(...tookMs), Math.max(...aloneMs), delay.max / 1e6, wholeMs].map((ms) => ms.toFixed(0));
  return markdownTable([
    ['open jobs', 'DELETE ms', 'longest other write ms', 'the same without a deletion', 'longest event loop delay ms', 'erased after ms'],
    [String(JOBS), ...figures],
  ]);
}

const onThread = (streamId: string, command: Extract<StreamCommand, { kind: 'thread' }>['command']): StreamCommand => ({
  kind: 'thread',
  streamId,
  command,
});
const message = (threadId: string) =>
  onThread(threadId, { type: 'AddMessage', tenantId: TENANT, messageId: newId('msg'), content: 'And then?' });

async function addJob(store: Store, threadId: string): Promise<void> {
  const jobId = newId('job');
  await store.execute({
    meta: META,
    commands: [
      onThread(threadId, { type: 'AddJob', tenantId: TENANT, jobId, parent: null }),
      { kind: 'job', streamId: jobId, command: requestJob(threadId, [newId('stp'), newId('stp')]) },
    ],
  });
}

void main();
