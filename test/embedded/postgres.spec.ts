import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres, type RunningPostgres } from '../../src/embedded/postgres';
import { eventually } from '../messaging/eventually';

const asRoot = process.getuid?.() === 0 ? it : it.skip;

let folder: string;
let dataDir: string;
const servers: RunningPostgres[] = [];
const holders: ChildProcess[] = [];

const start = async (keep = true): Promise<RunningPostgres> => {
  const server = await startPostgres({ dataDir, keep, settings: { fsync: 'off' } });
  servers.push(server);
  return server;
};

const query = async (url: string, statement: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  // The server may be stopped while a session is open.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<object>(statement)).rows;
  } finally {
    await client.end();
  }
};

/** Another process that started the server, for being killed. */
const holdInAnotherProcess = async (): Promise<{ holder: ChildProcess; url: string; pid: number }> => {
  const holder = spawn(process.execPath, [join(__dirname, 'hold-postgres.cjs'), dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  holders.push(holder);
  if (!holder.stdout) throw new Error('no output');
  const [line] = (await once(holder.stdout, 'data')) as [Buffer];
  return { holder, ...(JSON.parse(String(line)) as { url: string; pid: number }) };
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'research-embedded-'));
  dataDir = join(folder, 'postgres');
});

afterEach(async () => {
  for (const holder of holders.splice(0)) holder.kill('SIGKILL');
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  await rm(folder, { recursive: true, force: true });
});

describe('the embedded PostgreSQL', () => {
  it('keeps its data and its password over a restart', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await start();

    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  });

  it('lets nobody in without the password, which only its owner can read', async () => {
    const server = await start();
    const guess = new URL(server.url);
    guess.password = 'guess';

    await expect(query(guess.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    const file = join(dataDir, 'password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(new URL(server.url).password);
  });

  it('removes a throw-away cluster when it stops', async () => {
    const server = await start(false);
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);

    await server.stop();

    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a data folder that a live process uses, and leaves its server alone', async () => {
    const { holder, url } = await holdInAnotherProcess();

    await expect(start()).rejects.toThrow(new RegExp(`in use by process ${holder.pid}.*DATA_DIR`));
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('takes over from a process that was killed, without losing what was committed', async () => {
    const { holder, url, pid } = await holdInAnotherProcess();
    await query(url, 'create table kept as select 42 as answer');
    holder.kill('SIGKILL');
    await once(holder, 'exit');

    const server = await start();

    expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    expect(server.pid).not.toBe(pid);
  });

  it('starts again after the server itself was killed', async () => {
    const first = await start();
    const session = new Client({ connectionString: first.url });
    const cut = new Promise((accept) => session.on('error', accept));
    await session.connect();
    process.kill(first.pid, 'SIGKILL');
    await cut;

    const second = await start();

    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['a process that has ended', () => spawnSync('true').pid],
    ['a process that is no PostgreSQL', () => process.pid],
  ])('ignores a lock that names %s', async (_, findPid) => {
    const first = await start();
    const lock = await readFile(join(dataDir, 'postmaster.pid'), 'utf8');
    await first.stop();
    await writeFile(join(dataDir, 'postmaster.pid'), lock.replace(/^\d+/, String(findPid())));

    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('makes the cluster anew after a death half way', async () => {
    const unfinished = `${dataDir}.new-${spawnSync('true').pid}`;
    await mkdir(join(unfinished, 'base'), { recursive: true });
    await writeFile(join(unfinished, 'PG_VERSION'), '18\n');

    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readdir(folder)).toEqual(['postgres']);
  });

  it('refuses a folder that holds something else, and leaves it alone', async () => {
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'thesis.txt'), 'ten years of work');

    await expect(start()).rejects.toThrow(/is not empty and holds no PostgreSQL cluster.*DATA_DIR/);
    expect(await readdir(folder)).toEqual(['postgres']);
    expect(await readFile(join(dataDir, 'thesis.txt'), 'utf8')).toBe('ten years of work');
  });

  it('says which port is taken', async () => {
    const { port } = await start();
    dataDir = join(folder, 'other');

    await expect(startPostgres({ dataDir, port, keep: true })).rejects.toThrow(
      new RegExp(`did not start on port ${port}:[^]*could not bind[^]*DATABASE_URL`),
    );
  });

  it('repeats what the server said about a setting it does not know', async () => {
    await expect(startPostgres({ dataDir, keep: true, settings: { no_such_setting: '1' } })).rejects.toThrow(/no_such_setting/);
  });

  it('is started again where it ended by itself and somebody wants to be told, as soon as it can be', async () => {
    const said: string[] = [];
    const server = await startPostgres({ dataDir, keep: true, settings: { fsync: 'off' }, whenEnded: (words) => void said.push(words) });
    servers.push(server);
    await query(server.url, 'create table kept as select 42 as answer');
    const [settings, away] = [join(dataDir, 'postgresql.conf'), join(folder, 'postgresql.conf')];
    await rename(settings, away);
    process.kill(server.pid, 'SIGQUIT');
    await eventually(true, async () => said.length > 1);
    expect(said).toEqual([expect.stringContaining('immediate shutdown'), expect.stringContaining('could not access')]);
    await rename(away, settings);
    await eventually(1, async () => (await query(server.url, 'select from kept').catch(() => [])).length, 30_000);
  });

  it('works below a folder that is closed to others', async () => {
    await chmod(folder, 0o700);
    dataDir = join(folder, 'deep', 'er', 'postgres');
    expect(await query((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  asRoot('runs as the user who owns the cluster, below a folder of root that is closed to others', async () => {
    await (await start()).stop();
    spawnSync('chown', ['-R', '65534:65534', dataDir]);
    await chmod(folder, 0o700);

    const server = await start();

    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(join(dataDir, 'postmaster.pid'))).uid).toBe(65534);
  });
});
