import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { startPostgres } from '../src/embedded/postgres';
import { endAfterFailure } from './end-after-failure';
import { percentilesOf } from './load';
import { SHAPES } from './options';
import { PeakMemory } from './processes';
import { startProcesses, type RunningService } from './service';

const REPORT_BYTES = 100 * 1024;
const CITATIONS = 50;
/** Long enough that a job can be cancelled before it has reports. */
const LATENCY_MS = 200;
/** At a fixed rate, so that a pause of the service meets as many requests as it would in life. */
const EVERY_MS = 5;
const CONNECTIONS = 64;
const IDLE_MS = 5_000;
const WARM_UP_JOBS = 2;
const JOBS = 8;
const LOOK_MS = 10;

interface Phases {
  reporting: number[];
  synthesizing: number[];
}

/**
 * How long role `all` on the memory transport takes for a GET of a job without reports: at rest, while eight reports of 100 KB arrive, and
 * while they are synthesized.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'research-responsiveness-'));
  await using opened = new AsyncDisposableStack();
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: {}, keep: false });
  opened.defer(() => postgres.stop());
  const servers = { databaseUrl: postgres.url, natsUrl: null, folder, cpuProf: null };
  const service = await startProcesses(SHAPES.all, await writeProviders(folder), servers);
  opened.defer(() => service.stop());
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  opened.defer(() => database.end());
  const client = new Client(service);
  opened.defer(() => client.close());

  const probed = await client.create();
  await client.call('POST', `${probed.path}/cancel`);
  for (let job = 0; job < WARM_UP_JOBS; job += 1) await phasesOf(client, database, probed.path);
  const idle = await latencies(client, probed.path, () => sleep(IDLE_MS));
  const memory = new PeakMemory(service.processes);
  const phases: Phases[] = [];
  for (let job = 0; job < JOBS; job += 1) phases.push(await phasesOf(client, database, probed.path));
  const [megabytes = 0] = Object.values(memory.stop());
  const rows = [
    ['at rest', idle],
    ['8 reports of 100 KB arrive', phases.flatMap(({ reporting }) => reporting)],
    ['they are synthesized', phases.flatMap(({ synthesizing }) => synthesizing)],
  ] as const;
  process.stdout.write(
    `Role all, memory transport, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}.\n`,
  );
  process.stdout.write(`${JOBS} jobs; a GET every ${EVERY_MS} ms; ${megabytes.toFixed(0)} MB at most.\n\n`);
  process.stdout.write('| while | GETs | p50 ms | p99 ms | longest ms |\n| --- | --- | --- | --- | --- |\n');
  for (const [name, values] of rows) {
    const { p50, p99 } = percentilesOf(values);
    const figures = [p50, p99, Math.max(...values)].map((value) => value.toFixed(1));
    process.stdout.write(`| ${[name, values.length, ...figures].join(' | ')} |\n`);
  }
}

/** Latencies of the requests that were sent while a job's reports came in, and while they were synthesized. */
async function phasesOf(client: Client, database: pg.Client, probed: string): Promise<Phases> {
  const { id } = await client.create();
  const reporting = await latencies(client, probed, () => recorded(database, id, 'SynthesisStarted'));
  const synthesizing = await latencies(client, probed, () => recorded(database, id, 'JobCompleted'));
  return { reporting, synthesizing };
}

async function recorded(database: pg.Client, jobId: string, type: string): Promise<void> {
  for (;;) {
    const { rows } = await database.query('select 1 from event where stream_id = $1 and type = $2', [jobId, type]);
    if (rows.length > 0) return;
    await sleep(LOOK_MS);
  }
}

async function latencies(client: Client, path: string, during: () => Promise<unknown>): Promise<number[]> {
  const asked: Promise<number>[] = [];
  const ask = async (): Promise<number> => {
    const from = performance.now();
    await client.call('GET', path);
    return performance.now() - from;
  };
  const timer = setInterval(() => asked.push(ask()), EVERY_MS);
  await during();
  clearInterval(timer);
  return Promise.all(asked);
}

class Client {
  private readonly pool: Pool;

  constructor(private readonly service: RunningService) {
    this.pool = new Pool(service.address, { connections: CONNECTIONS, pipelining: 1 });
  }

  /** The same question each time, so that the simulated providers make their reports once. */
  async create(): Promise<{ id: string; path: string }> {
    const body = JSON.stringify({ message: 'What is known?', providers: PROVIDERS, mode: 'fast', budget: 'XL' });
    const created = (await this.call('POST', '/v1/threads', body)) as { id: string; job: { id: string } };
    return { id: created.job.id, path: `/v1/threads/${created.id}/jobs/${created.job.id}` };
  }

  async call(method: 'GET' | 'POST', path: string, body?: string): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.service.apiKey}`, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const response = await this.pool.request({ method, path, headers, body });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`);
    return JSON.parse(text);
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

async function writeProviders(folder: string): Promise<string> {
  const file = join(folder, 'providers.yaml');
  const options = { latencyMs: LATENCY_MS, reportBytes: REPORT_BYTES, citations: CITATIONS };
  const entry = { adapter: 'simulated', minReserveCents: 0, maxReserveCents: 0, aliases: [], options };
  const defaults = { preference: PROVIDERS, count: { XXS: 1, XS: 1, S: 1, M: 2, L: 3, XL: 8 } };
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ defaults, providers: Object.fromEntries(PROVIDERS.map((provider) => [provider, entry])) }));
  return file;
}

main().catch(endAfterFailure);
