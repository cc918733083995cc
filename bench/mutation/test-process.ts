import { fork, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats } from '../servers/nats';
import { packageFolder } from '../package-folder';
import { startPostgres } from '../../src/embedded/postgres';
import type { Plan, Report } from './plan';

/** Nobody misses this data after a power loss. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200', shared_buffers: '64MB' };

/** The servers that the specs use: started once, also where the process that runs the specs is started again. */
export async function startServers(): Promise<{ environment: Record<string, string>; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'research-mutation-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), settings: FAST, keep: false });
  const nats = await startNats();
  const stop = async () => {
    await Promise.all([postgres.stop(), nats.stop()]);
    await rm(folder, { recursive: true, force: true });
  };
  return { environment: { TEST_DATABASE_URL: postgres.url, TEST_NATS_URL: nats.url }, stop };
}

/** What the tests of a room need. */
export interface Tests {
  settings: object;
  environment: Record<string, string>;
  folder: string;
}

/** Distributes the items round-robin to that many processes, and waits for all. */
export async function shared<Item>(
  items: readonly Item[],
  processes: number,
  work: (part: Item[], place: number) => Promise<void>,
): Promise<void> {
  const parts = Array.from({ length: processes }, (_, place) => items.filter((__, index) => index % processes === place));
  await Promise.all(parts.flatMap((part, place) => (part.length > 0 ? [work(part, place)] : [])));
}

/** Starts jest on a plan. `told` gets its reports; the promise ends with the process. `place` tells it from others at the same time. */
export async function runPlan(
  plan: Plan,
  { settings, environment, folder }: Tests,
  place: number,
  told: (report: Report, kill: () => void) => void,
): Promise<void> {
  const [planFile, settingsFile] = [join(folder, `plan-${place}.json`), join(folder, `jest-${place}.json`)];
  await Promise.all([writeFile(planFile, JSON.stringify(plan)), writeFile(settingsFile, JSON.stringify(settings))]);
  const log = openSync(join(folder, `jest-${place}.log`), 'a');
  const child: ChildProcess = fork(
    join(packageFolder(), 'node_modules/jest/bin/jest.js'),
    ['--config', settingsFile, '--runInBand', '--forceExit'],
    {
      cwd: packageFolder(),
      env: { ...process.env, ...environment, MUTATION_PLAN: planFile },
      execArgv: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', '--max-old-space-size=3000'],
      stdio: ['ignore', log, log, 'ipc'],
    },
  );
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.on('message', (report) => told(report as Report, end));
  await new Promise<void>((ended) => child.once('exit', () => ended()));
  process.off('exit', end);
}
