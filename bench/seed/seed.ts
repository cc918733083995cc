import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { SeedOrder } from './seed-process';
import type { Seeded } from './seeder';

const NAMED = 20_000;

/** Seeds `jobs` finished jobs, copies of the templates, and leaves the database as it would be after a quiet while. @returns some of them */
export async function seed(target: { databaseUrl: string; masterKey: string }, templates: Seeded[], jobs: number): Promise<Seeded[]> {
  const processes = Math.min(availableParallelism(), Math.ceil(jobs / 500));
  const shares = Array.from({ length: processes }, (_, place) => Math.floor((jobs + place) / processes));
  const orders = shares.map((share): SeedOrder => ({ ...target, templates, jobs: share, earlierMs: share, named: NAMED / processes }));
  const seeded = (await Promise.all(orders.map(inProcess))).flat();
  const client = new pg.Client({ connectionString: target.databaseUrl });
  await client.connect();
  try {
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
  return seeded;
}

async function inProcess(order: SeedOrder): Promise<Seeded[]> {
  const child = fork(join(__dirname, 'seed-process.js'), { execArgv: ['--max-semi-space-size=64'] });
  try {
    child.send(order);
    const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`seeding ended early, with code ${String(code)}`)));
    const [answer] = (await Promise.race([once(child, 'message'), ended])) as [{ seeded: Seeded[] } | { error: string }];
    if ('error' in answer) throw new Error(`seeding failed: ${answer.error}`);
    return answer.seeded;
  } finally {
    if (child.connected) child.disconnect();
  }
}
