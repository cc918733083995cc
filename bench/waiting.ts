import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { markdownTable } from 'markdown-table';
import { Pool } from 'undici';
import { startPostgres } from '../src/embedded/postgres';
import { PollingClient } from './client';
import { closedLoop, percentilesOf } from './load';
import { cpuSecondsOf, PeakMemory } from './processes';
import { startNats } from './servers/nats';
import { PARKED, startProcesses, writeProviders, type RunningService } from './service';

const WAITERS = Number(process.argv[2] ?? 10_000);
const OPENED_TOGETHER = 128;
const IN_FLIGHT = 64;
/** Other requests come at a fixed rate, so that a pause of the process meets as many as it would in life. */
const EVERY_MS = 5;
const AT_REST_MS = 5_000;
const SETTLE_MS = 3_000;
const PATIENCE_MS = 60_000;

interface Way {
  name: string;
  jobs: number;
  request: (path: string, service: RunningService) => string;
  /** What comes with the final event. */
  woken: string;
}

const head = (path: string, { apiKey }: RunningService, more: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${apiKey}\r\n${more}\r\n\r\n`;
const LONG_POLL = {
  name: 'long polls',
  request: (path: string, service: RunningService) => head(path, service, 'Prefer: wait=30'),
  woken: '"status":"cancelled"',
};
const STREAM = {
  name: 'event streams',
  request: (path: string, service: RunningService) => head(`${path}/events`, service, 'Accept: text/event-stream'),
  woken: '"JobCancelled"',
};
const WAYS: Way[] = [LONG_POLL, STREAM].flatMap((way) => [1, WAITERS / 10].map((jobs) => ({ ...way, jobs })));

/**
 * One api process with so many clients that wait for jobs, which another process ends: memory of a client that waits, the process's time until
 * all of them are woken, and how long other requests take meanwhile.
 */
async function main(): Promise<void> {
  const rows = [];
  for (const way of WAYS) rows.push(await measure(way));
  const { p99, ...headings } = {
    way: 'waiting',
    kilobytes: 'KB a waiter',
    cpu: 'CPU s until all are woken',
    seconds: 'seconds',
    p99: ['others at rest', 'while all wait', 'while all are woken'].map((phase) => `p99 ms of ${phase}`),
  };
  process.stdout.write(`One api process, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}.\n\n`);
  process.stdout.write(`${markdownTable([[...Object.values(headings), ...p99], ...rows])}\n`);
}

async function measure(way: Way): Promise<string[]> {
  await using opened = new AsyncDisposableStack();
  const service = await start(opened);
  const [measured = '', other = ''] = service.addresses;
  const pid = [...service.processes.values()][0] ?? 0;
  const client = new PollingClient(other, service.apiKey, IN_FLIGHT);
  opened.defer(() => client.close());
  const paths: string[] = [];
  await closedLoop(way.jobs + 2, IN_FLIGHT, async () => paths.push(await client.create(paths.length, [PARKED])));
  const [probed = '', warm = '', ...waitedFor] = paths;
  const probe = new Probe({ address: measured, apiKey: service.apiKey, path: probed });
  opened.defer(() => probe.stop());
  const warmUp = await openAll(
    way,
    service,
    Array.from({ length: 500 }, () => warm),
  );
  await cancel(other, service, warm);
  await warmUp.woken;
  warmUp.close();
  await sleep(SETTLE_MS);
  const atRest = await probe.latenciesWhile(sleep(AT_REST_MS));
  const before = megabytesOf(pid);
  progress(`${WAITERS} ${way.name} for ${way.jobs} jobs`);
  const waiters = await openAll(
    way,
    service,
    Array.from({ length: WAITERS }, (_, place) => waitedFor[place % waitedFor.length] ?? ''),
  );
  opened.defer(() => waiters.close());
  await sleep(SETTLE_MS);
  const waiting = await probe.latenciesWhile(sleep(AT_REST_MS));
  const kilobytes = ((megabytesOf(pid) - before) * 1024) / WAITERS;
  const [cpuBefore, from] = [cpuSecondsOf(pid), performance.now()];
  const ending = closedLoop(waitedFor.length, IN_FLIGHT, () => cancel(other, service, waitedFor.pop() ?? ''));
  const waking = await probe.latenciesWhile(Promise.all([ending, waiters.woken]));
  const [cpu, seconds] = [cpuSecondsOf(pid) - cpuBefore, (performance.now() - from) / 1000];
  const p99s = [atRest, waiting, waking].map((values) => percentilesOf(values).p99);
  return [
    `${WAITERS} ${way.name}, ${way.jobs} jobs`,
    kilobytes.toFixed(1),
    cpu.toFixed(2),
    seconds.toFixed(1),
    ...p99s.map((p99) => p99.toFixed(1)),
  ];
}

/** The api that is measured, and beside it one that creates and ends jobs. Nobody works on them. */
async function start(opened: AsyncDisposableStack): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'research-waiting-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { max_connections: '100' }, keep: false });
  opened.defer(() => postgres.stop());
  const nats = await startNats({ storeDir: join(folder, 'nats'), monitored: false });
  opened.defer(() => nats.stop());
  const services = join(folder, 'service');
  await mkdir(services);
  const servers = { databaseUrl: postgres.url, natsUrl: nats.url, folder: services, cpuProf: null };
  const service = await startProcesses([['api'], ['api']], await writeProviders(services), servers);
  opened.defer(() => service.stop());
  return service;
}

async function cancel(address: string, { apiKey }: RunningService, path: string): Promise<void> {
  const response = await fetch(`${address}${path}/cancel`, { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } });
  if (!response.ok) throw new Error(`cancel: ${response.status}`);
  await response.arrayBuffer();
}

/** Opens a connection for each path and says when all of them were told of the end. */
async function openAll(way: Way, service: RunningService, paths: string[]): Promise<{ woken: Promise<unknown>; close: () => void }> {
  const { hostname, port } = new URL(service.addresses[0] ?? '');
  const sockets: Socket[] = [];
  const woken: Promise<void>[] = [];
  await closedLoop(paths.length, OPENED_TOGETHER, async () => {
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    woken.push(told(socket, way.woken));
    socket.write(way.request(paths[sockets.length] ?? '', service));
    sockets.push(socket);
  });
  return { woken: Promise.all(woken), close: () => sockets.forEach((socket) => socket.destroy()) };
}

function told(socket: Socket, text: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const impatience = setTimeout(() => reject(new Error(`a waiter was not told: ${said.slice(0, 500)}`)), PATIENCE_MS);
  let said = '';
  socket.on('data', (bytes) => {
    said += bytes.toString('latin1');
    if (!said.includes(text)) return;
    clearTimeout(impatience);
    resolve();
  });
  socket.on('error', reject);
  return promise;
}

interface Probed {
  address: string;
  apiKey: string;
  path: string;
}

/** Sends other requests from a thread of its own: this one has its hands full with those who wait. */
class Probe {
  private readonly thread: Worker;

  constructor(probed: Probed) {
    this.thread = new Worker(__filename, { workerData: probed });
  }

  async latenciesWhile(during: Promise<unknown>): Promise<number[]> {
    await this.take();
    await during;
    return this.take();
  }

  async stop(): Promise<void> {
    await this.thread.terminate();
  }

  /** Of the requests since the last time. */
  private async take(): Promise<number[]> {
    this.thread.postMessage('take');
    const [latencies] = (await once(this.thread, 'message')) as [number[]];
    return latencies;
  }
}

function probe({ address, apiKey, path }: Probed): void {
  const pool = new Pool(address, { connections: IN_FLIGHT });
  const asked: Promise<number>[] = [];
  const ask = async (): Promise<number> => {
    const from = performance.now();
    const answer = await pool.request({ method: 'GET', path, headers: { authorization: `Bearer ${apiKey}` } });
    await answer.body.dump();
    return performance.now() - from;
  };
  setInterval(() => asked.push(ask()), EVERY_MS);
  parentPort?.on('message', () => void Promise.all(asked.splice(0)).then((latencies) => parentPort?.postMessage(latencies)));
}

function megabytesOf(pid: number): number {
  const [megabytes = 0] = Object.values(new PeakMemory(new Map([['api', pid]])).stop());
  return megabytes;
}

const progress = (text: string): void => void process.stderr.write(`${text}\n`);

if (!isMainThread) probe(workerData as Probed);
else
  main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  });
