import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { HOUR_MS } from '@lib/domain/durations';
import { PROVIDERS, type ProviderId } from '@lib/domain/vocabulary';
import { generateKey } from '@lib/store/access/key-format';
import type { Role } from '../src/roles';
import { SHAPES, type Shape } from './options';
import { packageFolder } from './package-folder';

export interface RunningService {
  /** `http://host:port` of the api. */
  address: string;
  /** Of every process, in their order. */
  addresses: string[];
  apiKey: string;
  /** In base64. A seeder needs it to seal as the service does. */
  masterKey: string;
  /** Pids by the roles of the process. */
  processes: Map<string, number>;
  stop(): Promise<void>;
}

export interface ServiceServers {
  databaseUrl: string;
  /** Null: the memory transport. */
  natsUrl: string | null;
  /** For the logs and the providers file. */
  folder: string;
  /** Where each process leaves a profile of its processor time (and one of each of its threads) when it ends; null for none. */
  cpuProf: string | null;
  /** More settings of every process. */
  environment?: NodeJS.ProcessEnv;
}

/** A provider whose runs take an hour: its jobs stay open. */
export const PARKED: ProviderId = 'provider-d-premium';
const START_TIMEOUT_MS = 60_000;
const START_POLL_MS = 20;

/** Starts the built service in one of its shapes, with simulated providers that take no time. */
export async function startService(shape: Shape, servers: ServiceServers): Promise<RunningService> {
  const { folder, cpuProf } = servers;
  await mkdir(folder, { recursive: true });
  const profiles = cpuProf === null ? null : join(resolve(cpuProf), shape);
  return startProcesses(SHAPES[shape], await writeProviders(folder), { ...servers, cpuProf: profiles });
}

/** Starts the built service, a process for each set of roles. The first one answers HTTP. */
export async function startProcesses(
  processes: readonly (readonly Role[])[],
  providersFile: string,
  { databaseUrl, natsUrl, folder, cpuProf, environment: settings }: ServiceServers,
): Promise<RunningService> {
  const apiKey = generateKey().keyText;
  const masterKey = randomBytes(32).toString('base64');
  const environment = {
    ...environmentOf({ databaseUrl, folder, providersFile, apiKey, masterKey }),
    ...(natsUrl !== null && { NATS_URL: natsUrl }),
    ...settings,
  };
  const main = join(packageFolder(), 'dist', 'src');
  await promisify(execFile)(process.execPath, [join(main, 'cli', 'main.js'), 'migrate'], { env: environment });
  const started: RoleProcess[] = [];
  const stop = async () => void (await Promise.all(started.map(({ process }) => end(process))));
  try {
    for (const roles of processes.map((names) => names.join(','))) {
      const twins = started.filter(({ name }) => name.split(' ')[0] === roles).length;
      const name = twins === 0 ? roles : `${roles} ${twins + 1}`;
      const profiled = cpuProf === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${join(cpuProf, name)}`];
      started.push(await startRoles([...profiled, join(main, 'main.js'), roles], name, environment, folder));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const addresses = started.map(({ address }) => address);
  return {
    address: addresses[0] ?? '',
    addresses,
    apiKey,
    masterKey,
    processes: new Map(started.map(({ name, process }) => [name, process.pid ?? 0])),
    stop,
  };
}

interface EnvironmentOf {
  databaseUrl: string;
  folder: string;
  providersFile: string;
  apiKey: string;
  masterKey: string;
}

const environmentOf = ({ databaseUrl, folder, providersFile, apiKey, masterKey }: EnvironmentOf): NodeJS.ProcessEnv => ({
  ...process.env,
  // As in the image.
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '2',
  PORT: '0',
  DATA_DIR: folder,
  DATABASE_URL: databaseUrl,
  MASTER_KEY: masterKey,
  API_KEY_PEPPER: randomBytes(32).toString('hex'),
  BOOTSTRAP_API_KEY: apiKey,
  PROVIDERS_FILE: providersFile,
  FAST_DEADLINE_MS: String(HOUR_MS),
  WORKER_SLOTS: '512',
  DRAIN_MS: '100',
});

interface RoleProcess {
  name: string;
  process: ChildProcess;
  address: string;
}

async function startRoles(args: string[], name: string, env: NodeJS.ProcessEnv, folder: string): Promise<RoleProcess> {
  const logFile = join(folder, `${name}.log`);
  const log = await open(logFile, 'w');
  const started = spawn(process.execPath, args, { env, stdio: ['ignore', log.fd, log.fd] });
  await once(started, 'spawn');
  await log.close();
  for (const deadline = performance.now() + START_TIMEOUT_MS; performance.now() < deadline; await sleep(START_POLL_MS)) {
    const said = await readFile(logFile, 'utf8');
    const address = /"reason":"started".*"address":"([^"]+)"/.exec(said)?.[1];
    if (address !== undefined) return { name, process: started, address };
    if (started.exitCode !== null) throw new Error(`the process ${name} ended:\n${said.slice(-2000)}`);
  }
  await end(started);
  throw new Error(`the process ${name} did not start within ${START_TIMEOUT_MS / 1000} s`);
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  process.kill('SIGTERM');
  await once(process, 'exit');
}

export async function writeProviders(folder: string): Promise<string> {
  const file = join(folder, 'providers.yaml');
  const entry = (provider: ProviderId) => ({
    adapter: 'simulated',
    minReserveCents: 0,
    maxReserveCents: 0,
    aliases: [],
    options: { latencyMs: provider === PARKED ? HOUR_MS : 0, reportBytes: 2048, citations: 5 },
  });
  const defaults = { preference: PROVIDERS, count: { XXS: 1, XS: 1, S: 1, M: 2, L: 3, XL: 8 } };
  const providers = Object.fromEntries(PROVIDERS.map((provider) => [provider, entry(provider)]));
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ defaults, providers }));
  return file;
}
