import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../messaging/eventually';
import { createMigratedDatabase } from '../servers/database';
import { PROGRAM_ENVIRONMENT } from '../support/program-environment';
import { stablePort } from '../support/stable-port';
import { writeProvidersFile } from '../system/support/providers-file';

jest.setTimeout(60_000);

const MAIN = resolve(__dirname, '../../dist/src/main.js');
const SECRETS = { MASTER_KEY: Buffer.alloc(32, 7).toString('base64'), API_KEY_PEPPER: 'the pepper of a test' };

const closing = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'research-log-'));
closing.defer(() => rmSync(folder, { recursive: true }));
afterAll(() => closing.disposeAsync());

/** As a file on a disk without room. */
const fullDisk = (): number => openSync('/dev/full', 'w');

/** Its other end is open, and nothing more fits into it. */
function unreadPipe(): number {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  closing.defer(() => closeSync(reader));
  const piece = Buffer.alloc(4096, '\n');
  try {
    for (;;) writeSync(reader, piece);
  } catch {
    return openSync(pipe, constants.O_WRONLY);
  }
}

async function startApi(log: number): Promise<{ child: ChildProcess; address: string }> {
  const database = await createMigratedDatabase();
  closing.defer(() => database.drop());
  const port = String(await stablePort());
  const servers = { DATABASE_URL: database.url, NATS_URL: process.env.TEST_NATS_URL ?? '', NATS_PREFIX: `log-${port}` };
  const env = {
    ...PROGRAM_ENVIRONMENT,
    ...SECRETS,
    ...servers,
    HOST: '127.0.0.1',
    PORT: port,
    DRAIN_MS: '50',
    LOG_LEVEL: 'trace',
    PROVIDERS_FILE: writeProvidersFile(folder, {}),
  };
  const child = spawn(process.execPath, [MAIN, 'api'], { env, cwd: '/', stdio: ['ignore', log, 'inherit'] });
  closeSync(log);
  closing.defer(() => void child.kill('SIGKILL'));
  return { child, address: `http://127.0.0.1:${port}` };
}

const statusOf = (address: string): Promise<number> =>
  fetch(`${address}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => 0,
  );

it.each<[string, () => number, number | string]>([
  ['stands on a disk without room', fullDisk, 0],
  ['goes into a pipe that nobody reads', unreadPipe, 'SIGKILL'],
])('a process whose log %s serves all the same, and ends when it is told to', async (_, open, ending) => {
  const { child, address } = await startApi(open());
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  await eventually(200, () => statusOf(address), 20_000);
  for (let request = 0; request < 20; request += 1) expect(await statusOf(address)).toBe(200);
  child.kill('SIGTERM');
  await expect(Promise.race([ended, sleep(10_000, 'still there', { ref: false })])).resolves.toBe(ending);
});
