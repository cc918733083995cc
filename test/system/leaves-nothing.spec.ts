import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { isAlive } from '../../src/embedded/postgres-orphan';
import { eventually } from '../messaging/eventually';
import { start } from './support/command';
import { NEVER_MS, writeProvidersFile } from './support/providers-file';

const PATIENCE_MS = 120_000;
jest.setTimeout(PATIENCE_MS);

let folder: string;
/** Where a command that answers from documents keeps its temporary folder. */
let temporary: string;
let environment: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'research-leaves-'));
  temporary = join(folder, 'temporary');
  for (const name of ['temporary', 'documents']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'documents', 'kelm.md'), '# Kelm\n\nThe lighthouse of Kelm was built in 1874.\n');
  const endless = Object.fromEntries(PROVIDERS.map((provider) => [provider, { latencyMs: NEVER_MS }]));
  environment = {
    DATA_DIR: join(folder, 'data'),
    TMPDIR: temporary,
    PORT: '0',
    DRAIN_MS: '50',
    PROVIDERS_FILE: writeProvidersFile(folder, endless),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ask = () => start('cli/main.js', ['ask', '--corpus', join(folder, 'documents'), 'q'], environment);
/** Process id of the PostgreSQL on a data folder; 0 if none has begun yet. */
const postgresBelow = (data: string): number => {
  const lock = join(data, 'postgres/postmaster.pid');
  return existsSync(lock) ? Number(readFileSync(lock, 'utf8').split('\n')[0]) : 0;
};
const ownData = (): string => join(temporary, readdirSync(temporary)[0] ?? '');

describe('a question with a service of its own leaves neither a server nor a folder', () => {
  const leftBy = async (asking: ReturnType<typeof ask>, postgres: number) => {
    const { code } = await asking.ended;
    return { code, isServed: isAlive(postgres), folders: readdirSync(temporary) };
  };
  const NOTHING = { code: 130, isServed: false, folders: [] };

  it('once nobody reads what it says', async () => {
    const asking = ask();
    await eventually(true, async () => postgresBelow(ownData()) > 0, PATIENCE_MS);
    const postgres = postgresBelow(ownData());
    asking.stopReading();
    expect(await leftBy(asking, postgres)).toEqual(NOTHING);
  });

  it('when it is interrupted while it starts, and speaks of no job', async () => {
    const asking = start('cli/main.js', ['ask', 'q'], environment);
    const data = join(folder, 'data');
    await eventually(true, async () => existsSync(join(data, 'master-key')), PATIENCE_MS);
    asking.kill('SIGINT');
    const { code, stderr } = await asking.ended;
    expect([code, stderr]).toEqual([130, expect.not.stringMatching(/job/)]);
    expect(postgresBelow(data)).toBe(0);
  });

  it('when its terminal is closed', async () => {
    const asking = ask();
    await asking.until('provider-a');
    const postgres = postgresBelow(ownData());
    for (let times = 0; times < 2; times += 1) asking.kill('SIGHUP');
    expect(await leftBy(asking, postgres)).toEqual(NOTHING);
    expect(asking.said()).toMatch(/job_\w+ ends with the service that was started for it\. .* up to 1500 cents/);
  });

  it('when its terminal is closed while it starts', async () => {
    const asking = ask();
    await eventually(true, async () => existsSync(join(ownData(), 'master-key')), PATIENCE_MS);
    asking.kill('SIGHUP');
    expect((await asking.ended).code).toBe(130);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('when its service cannot start', async () => {
    environment.PROVIDERS_FILE = '/no/such/file';
    const { code, stderr } = await ask().ended;
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('/no/such/file') });
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('a command', () => {
  it('stops the PostgreSQL that it started when it is interrupted', async () => {
    const list = join(folder, 'list');
    execFileSync('mkfifo', [list]);
    // Whoever reads the list waits as long as it is open.
    const writer = openSync(list, 'r+');
    const command = start('cli/main.js', ['deletions', 'apply', list], environment);
    const data = join(folder, 'data');
    await eventually(true, async () => postgresBelow(data) > 0, PATIENCE_MS);
    const postgres = postgresBelow(data);
    command.kill('SIGINT');
    await eventually(false, async () => isAlive(postgres));
    closeSync(writer);
    expect((await command.ended).code).toBe(130);
  });
});

describe('a service', () => {
  it('stops its PostgreSQL when its terminal is closed, though nobody reads its log', async () => {
    const service = start('main.js', ['all'], environment);
    await service.until('Ctrl-C stops it.');
    const postgres = postgresBelow(join(folder, 'data'));
    service.stopReading();
    service.kill('SIGHUP');
    expect((await service.ended).code).toBe(0);
    expect(isAlive(postgres)).toBe(false);
  });
});
