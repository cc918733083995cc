import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { HOUR_MS } from '@lib/domain/durations';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { startEmulator, type Emulator } from '../emulators/emulator';
import { startPostgres } from '../src/embedded/postgres';
import type { Role } from '../src/roles';
import { PollingClient } from './client';
import { endAfterFailure } from './end-after-failure';
import { closedLoop } from './load';
import { cpuSecondsOf, openSocketsOf, PeakMemory } from './processes';
import { startNats } from './servers/nats';
import { startProcesses, type RunningService } from './service';

const RUN_MS = HOUR_MS / 2;
const IN_FLIGHT = 64;
const SETTLE_MS = 15_000;
/** Runs in the background for half an hour, at an emulated API on loopback. */
const BACKGROUND: ProviderId = 'provider-e';
const USAGE = 'width [--jobs 10000] [--seconds 60] [--workers 2] [--poll-ms 10000] [--finished 1000]';

interface WidthOptions {
  jobs: number;
  seconds: number;
  workers: number;
  'poll-ms': number;
  finished: number;
}

/**
 * What open jobs cost that only wait: so many background runs of half an hour, polled over HTTP, first with no job finished and then with
 * `--finished` of them. Prints a table.
 */
async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  const folder = await mkdtemp(join(tmpdir(), 'research-width-'));
  await using servers = new AsyncDisposableStack();
  servers.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: { max_connections: '100' }, keep: false });
  servers.defer(() => postgres.stop());
  const nats = await startNats({ storeDir: join(folder, 'nats'), monitored: true });
  servers.defer(() => nats.stop());
  const emulator = await startEmulator('openai', { workMs: RUN_MS });
  servers.defer(() => emulator.stop());
  const service = await startWide(options, folder, { databaseUrl: postgres.url, natsUrl: nats.url }, emulator);
  servers.defer(() => service.stop());
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  servers.defer(() => database.end());
  const client = new PollingClient(service.address, service.apiKey, IN_FLIGHT);
  servers.defer(() => client.close());

  const processes = new Map([...service.processes, ['postgres', postgres.pid], ['nats', nats.pid]]);
  const watch = new Watch(processes, database, nats.monitorUrl ?? '', emulator);
  let number = 0;
  progress(`creating ${options.jobs} jobs`);
  const create = () => client.create(++number, [BACKGROUND]);
  const { perSecond } = await closedLoop(options.jobs, IN_FLIGHT, create);
  progress(`created ${perSecond.toFixed(0)} a second; waiting until all of them run`);
  await untilRunning(database, options.jobs);
  const rows = [];
  for (const finished of [0, options.finished]) {
    if (finished > 0) {
      progress(`finishing ${finished} other jobs`);
      await closedLoop(finished, IN_FLIGHT, () => client.research(++number));
    }
    await sleep(SETTLE_MS);
    progress(`watching for ${options.seconds} s`);
    rows.push([`${options.jobs} open, ${finished} finished`, ...(await watch.figures(options.seconds))]);
  }
  process.stdout.write(`${table([['jobs', ...watch.headings()], ...rows])}\n`);
}

/** An api with the synthesizer, one saga, and the workers. */
async function startWide(
  options: WidthOptions,
  folder: string,
  servers: { databaseUrl: string; natsUrl: string },
  { baseUrl }: Emulator,
): Promise<RunningService> {
  const services = join(folder, 'service');
  await mkdir(services);
  const entry = { minReserveCents: 0, maxReserveCents: 0, aliases: [] };
  const simulated = { ...entry, adapter: 'simulated', options: { latencyMs: 0, reportBytes: 2048, citations: 5 } };
  const prices = {
    inputMicrosPerMillionTokens: 0,
    cachedInputMicrosPerMillionTokens: 0,
    outputMicrosPerMillionTokens: 0,
    perSearchMicros: 0,
  };
  const limits = { maxOutputTokens: 16_000, maxSearches: 15, inputTokensPerSearch: 1000, prices };
  const background = {
    ...{ ...entry, adapter: 'openai', model: 'gpt-5.4-mini', priceDate: '2026-11-21' },
    options: { ...limits, baseUrl, pollMs: options['poll-ms'] },
  };
  const providers = Object.fromEntries(PROVIDERS.map((provider) => [provider, provider === BACKGROUND ? background : simulated]));
  const defaults = { preference: PROVIDERS, count: { XXS: 1, XS: 1, S: 1, M: 2, L: 3, XL: 8 } };
  const providersFile = join(services, 'providers.yaml');
  await writeFile(providersFile, JSON.stringify({ defaults, providers }));
  const environment = { OPENAI_API_KEY: 'emulated', FAST_DEADLINE_MS: String(2 * HOUR_MS), WORKER_SLOTS: '64' };
  const roles: Role[][] = [['api', 'synthesizer'], ['saga'], ...Array.from({ length: options.workers }, (): Role[] => ['worker'])];
  return startProcesses(roles, providersFile, { ...servers, folder: services, cpuProf: null, environment });
}

async function untilRunning(database: pg.Client, jobs: number): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ count: number }>(
      `select count(*)::int from event where type in ('StepExternalIdRecorded', 'StepAttemptLost', 'StepFailed')`,
    );
    if ((rows[0]?.count ?? 0) >= jobs) return;
    await sleep(1000);
  }
}

/** Counters that only grow, read before and after. */
interface Counters {
  cpuSeconds: number[];
  commits: number;
  messages: number;
  polls: number;
}

class Watch {
  constructor(
    private readonly processes: ReadonlyMap<string, number>,
    private readonly database: pg.Client,
    private readonly monitorUrl: string,
    private readonly emulator: Emulator,
  ) {}

  headings(): string[] {
    const names = [...this.processes.keys()];
    return [
      ...names.map((name) => `CPU ${name}`),
      'statements/s',
      'NATS messages/s',
      'polls/s',
      ...names.map((name) => `MB ${name}`),
      'sockets',
    ];
  }

  async figures(seconds: number): Promise<string[]> {
    const before = await this.count();
    const memory = new PeakMemory(this.processes);
    await sleep(seconds * 1000);
    const after = await this.count();
    const megabytes = memory.stop();
    const rate = (of: (counters: Counters) => number) => ((of(after) - of(before)) / seconds).toFixed(1);
    const cpu = after.cpuSeconds.map((used, place) => `${(((used - (before.cpuSeconds[place] ?? 0)) * 100) / seconds).toFixed(1)} %`);
    const names = [...this.processes.keys()];
    const workers = names.filter((name) => name.startsWith('worker')).map((name) => openSocketsOf(this.processes.get(name) ?? 0));
    return [
      ...cpu,
      rate(({ commits }) => commits),
      rate(({ messages }) => messages),
      rate(({ polls }) => polls),
      ...names.map((name) => (megabytes[name] ?? 0).toFixed(0)),
      workers.join(' + '),
    ];
  }

  /** Each statement of the service is a transaction of its own. */
  private async count(): Promise<Counters> {
    const { rows } = await this.database.query<{ commits: string }>(`select sum(xact_commit) as commits from pg_stat_database`);
    const answer = await fetch(`${this.monitorUrl}/varz`);
    const told = (await answer.json()) as { in_msgs: number; out_msgs: number };
    return {
      cpuSeconds: [...this.processes.values()].map(cpuSecondsOf),
      commits: Number(rows[0]?.commits),
      messages: told.in_msgs + told.out_msgs,
      polls: this.emulator.requestCount,
    };
  }
}

function readOptions(args: string[]): WidthOptions {
  const defaults: WidthOptions = { jobs: 10_000, seconds: 60, workers: 2, 'poll-ms': 10_000, finished: 1000 };
  const text = { type: 'string' } as const;
  const names = Object.keys(defaults) as (keyof WidthOptions)[];
  const { values } = parseArgs({ args, options: Object.fromEntries(names.map((name) => [name, text])) });
  for (const name of names) {
    const given = values[name];
    if (given === undefined) continue;
    if (typeof given !== 'string' || !/^[1-9]\d{0,6}$/.test(given)) throw new Error(`--${name} is a whole number. ${USAGE}`);
    defaults[name] = Number(given);
  }
  return defaults;
}

const progress = (text: string): void => void process.stderr.write(`${text}\n`);

/** One line a figure, since there are more of them than runs. */
function table(rows: string[][]): string {
  const [headings = [], ...runs] = rows;
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const of = (place: number) => [headings[place] ?? '', ...runs.map((run) => run[place] ?? '')];
  const [first, ...others] = headings.map((_, place) => of(place));
  return [line(first ?? []), line((first ?? []).map(() => '---')), ...others.map(line)].join('\n');
}

main(process.argv.slice(2)).catch(endAfterFailure);
