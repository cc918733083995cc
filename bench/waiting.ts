import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markdownTable } from 'markdown-table';
import { startPostgres } from '../src/embedded/postgres';
import { PollingClient } from './client';
import { endAfterFailure } from './end-after-failure';
import { closedLoop, percentilesOf } from './load';
import { askLoopDelay, telling } from './loop-delay';
import { Probe } from './probe';
import { cpuSecondsOf, PeakMemory } from './processes';
import { startNats } from './servers/nats';
import { PARKED, startProcesses, writeProviders, type RunningService } from './service';

const WAITERS = Number(process.argv[2] ?? 10_000);
const OPENED_TOGETHER = 128;
const IN_FLIGHT = 64;
const AT_REST_MS = 5_000;
const SETTLE_MS = 3_000;
const PATIENCE_MS = 60_000;

interface Way {
  name: string;
  jobs: number;
  request: (path: string, service: RunningService) => string;
  /** Text that arrives with the final event. */
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

const PHASES = ['at rest', 'while all wait', 'while all are woken'];

/**
 * One api process with so many clients that wait for jobs, which another process ends: memory of a client that waits, the process's time until
 * all of them are woken, and how long other requests take meanwhile.
 */
async function main(): Promise<void> {
  const rows = [];
  for (const way of WAYS) rows.push(await measure(way));
  const { p99, loop, ...headings } = {
    way: 'waiting',
    kilobytes: 'KB a waiter',
    cpu: 'CPU s until all are woken',
    seconds: 'seconds',
    p99: PHASES.map((phase) => `p99 ms of others ${phase}`),
    loop: PHASES.map((phase) => `its event loop late by ms ${phase}: p50, p99, longest collection`),
  };
  process.stdout.write(`One api process, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}.\n\n`);
  process.stdout.write(`${markdownTable([[...Object.values(headings), ...p99, ...loop], ...rows])}\n`);
}

async function measure(way: Way): Promise<string[]> {
  await using opened = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'research-waiting-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const service = await start(opened, folder);
  const [measured = '', other = ''] = service.addresses;
  const pid = [...service.processes.values()][0] ?? 0;
  const [probed = '', warm = '', ...waitedFor] = await createJobs(opened, service, other, way.jobs + 2);
  const probe = new Probe({ address: measured, apiKey: service.apiKey, path: probed });
  opened.defer(() => probe.stop());
  await warmUp(way, service, other, warm);
  const others = async (during: () => Promise<unknown>): Promise<[number, string]> => {
    await askLoopDelay(folder, pid);
    const { p99 } = percentilesOf(await probe.latenciesWhile(during));
    const loop = await askLoopDelay(folder, pid);
    return [p99, [loop.p50, loop.p99, loop.longestCollection].map((milliseconds) => milliseconds.toFixed(1)).join(', ')];
  };
  const atRest = await others(() => sleep(AT_REST_MS));
  const before = megabytesOf(pid);
  progress(`${WAITERS} ${way.name} for ${way.jobs} jobs`);
  const waiters = await openAll(
    way,
    service,
    Array.from({ length: WAITERS }, (_, place) => waitedFor[place % waitedFor.length] ?? ''),
  );
  opened.defer(() => waiters.close());
  await sleep(SETTLE_MS);
  const waiting = await others(() => sleep(AT_REST_MS));
  const kilobytes = ((megabytesOf(pid) - before) * 1024) / WAITERS;
  const [cpuBefore, from] = [cpuSecondsOf(pid), performance.now()];
  const waking = await others(() => {
    const ending = closedLoop(waitedFor.length, IN_FLIGHT, () => cancel(other, service, waitedFor.pop() ?? ''));
    return Promise.all([ending, waiters.woken]);
  });
  const [cpu, seconds] = [cpuSecondsOf(pid) - cpuBefore, (performance.now() - from) / 1000];
  return rowOf(way, [kilobytes.toFixed(1), cpu.toFixed(2), seconds.toFixed(1)], [atRest, waiting, waking]);
}

const rowOf = (way: Way, figures: string[], phases: readonly [number, string][]): string[] => [
  `${WAITERS} ${way.name}, ${way.jobs} jobs`,
  ...figures,
  ...phases.map(([p99]) => p99.toFixed(1)),
  ...phases.map(([, loop]) => loop),
];

/** @returns their paths */
async function createJobs(opened: AsyncDisposableStack, service: RunningService, address: string, count: number): Promise<string[]> {
  const client = new PollingClient(address, service.apiKey, IN_FLIGHT);
  opened.defer(() => client.close());
  const paths: string[] = [];
  await closedLoop(count, IN_FLIGHT, async () => paths.push(await client.create(paths.length, [PARKED])));
  return paths;
}

/** The first waiters are not measured, because they also pay for warming up. */
async function warmUp(way: Way, service: RunningService, address: string, path: string): Promise<void> {
  const waiters = await openAll(
    way,
    service,
    Array.from({ length: 500 }, () => path),
  );
  await cancel(address, service, path);
  await waiters.woken;
  waiters.close();
  await sleep(SETTLE_MS);
}

/** The measured api, and another process that creates and ends jobs. No worker runs them. */
async function start(opened: AsyncDisposableStack, folder: string): Promise<RunningService> {
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { max_connections: '100' }, keep: false });
  opened.defer(() => postgres.stop());
  const nats = await startNats({ storeDir: join(folder, 'nats'), monitored: false });
  opened.defer(() => nats.stop());
  const services = join(folder, 'service');
  await mkdir(services);
  const servers = { databaseUrl: postgres.url, natsUrl: nats.url, folder: services, cpuProf: null, environment: telling(folder) };
  const service = await startProcesses([['api'], ['api']], await writeProviders(services), servers);
  opened.defer(() => service.stop());
  return service;
}

async function cancel(address: string, { apiKey }: RunningService, path: string): Promise<void> {
  const response = await fetch(`${address}${path}/cancel`, { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } });
  if (!response.ok) throw new Error(`cancel: ${response.status}`);
  await response.arrayBuffer();
}

/** Opens a connection per path, and reports when all of them have received the end. */
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

function megabytesOf(pid: number): number {
  const [megabytes = 0] = Object.values(new PeakMemory(new Map([['api', pid]])).stop());
  return megabytes;
}

const progress = (text: string): void => void process.stderr.write(`${text}\n`);

main().catch(endAfterFailure);
