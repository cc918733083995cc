import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { SmallDisks } from '../chaos/small-disks';
import { eventually } from '../messaging/eventually';
import { DatabaseServer } from '../support/database-server';
import { readinessOf } from '../system/support/readiness';
import { startSystem, type System } from '../system/support/system';

jest.setTimeout(120_000);

/** Room for a new cluster, its log and some jobs. */
const DISK_MEGABYTES = 160;
const ALL_READY = 'api ok saga ok worker ok synthesizer ok';
/** The api serves reads, and says to whoever writes that it cannot. */
const UNWRITABLE = 'api ok without /database saga /database,/requests worker ok synthesizer /database';

let folder: string;
let disks: SmallDisks;
let server: DatabaseServer;
let system: System;
/** Jobs that were answered with 201. */
let accepted: { threadId: string; jobId: string }[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'research-unwritable-'));
  disks = new SmallDisks();
  server = await DatabaseServer.start(await disks.place('postgres', folder, DISK_MEGABYTES));
  await admin('create role owner login');
  await admin('create database research owner owner');
  system = await startSystem({
    roles: ['api', 'saga', 'worker', 'synthesizer'],
    database: { url: urlOf('owner', 'research'), drop: () => server.stop() },
    environment: {
      NATS_URL: process.env.TEST_NATS_URL ?? '',
      NATS_PREFIX: `unwritable${process.pid}`,
      LEASE_MS: '2000',
      HEARTBEAT_MS: '400',
      SWEEP_MS: '100',
      REDISPATCH_FIRST_MS: '200',
      REDISPATCH_MS: '300',
    },
  });
});
afterAll(async () => {
  await system?.stop();
  await disks?.unmount();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  accepted = [];
  await eventually(ALL_READY, readiness, 60_000);
});
/** Nothing is lost and everything goes on. */
afterEach(async () => {
  await eventually(ALL_READY, readiness, 60_000);
  await eventually(201, post, 30_000);
  for (const { threadId, jobId } of accepted) expect((await system.client.finalJob(threadId, jobId)).status).toBe('completed');
});

const urlOf = (user: string, name: string): string => Object.assign(new URL(server.url), { username: user, pathname: `/${name}` }).href;

async function admin<Row extends object>(statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

const sessions = async (where = 'true'): Promise<number> =>
  (await admin(`select from pg_stat_activity where usename = 'owner' and ${where}`)).length;

/** Asks for a job. An answer that is not 201 may only be the outage's. */
async function post(): Promise<number> {
  const { status, body, headers } = await system.client.send<{ id: string; job: { id: string }; code: string }>('POST', '/v1/threads', {
    message: `How? ${'This takes room. '.repeat(400)}`,
  });
  if (status === 201) accepted.push({ threadId: body.id, jobId: body.job.id });
  else expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  return status;
}

async function get(): Promise<number> {
  const { status, body, headers } = await system.client.send('GET', '/v1/threads');
  if (status !== 200) expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  return status;
}

const readiness = (): Promise<string> => readinessOf(system);

it('a server that takes no writes (25006) is told to whoever writes and to whoever asks whether it is ready; reads go on', async () => {
  expect(await post()).toBe(201);
  await admin('alter system set default_transaction_read_only = on');
  await admin('select pg_reload_conf()');
  try {
    await eventually(503, post);
    await eventually(UNWRITABLE, readiness, 30_000);
    expect(await get()).toBe(200);
  } finally {
    await admin('alter system reset default_transaction_read_only');
    await admin('select pg_reload_conf()');
  }
});

it('connections to what was the primary are given up, reading ones as well, and a write finds the new one by itself', async () => {
  // Sessions are read-only for ever that began while the role was: like those to a server that the name has left.
  await admin('alter role owner set default_transaction_read_only = on');
  await admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'`);
  await eventually(UNWRITABLE, readiness, 30_000);
  expect(new Set(await Promise.all(Array.from({ length: 20 }, get)))).toEqual(new Set([200]));
  const [{ now } = { now: '' }] = await admin<{ now: string }>('select now()::text as now');
  await admin('alter role owner reset default_transaction_read_only');
  await eventually(201, post);
  // Reads keep the others at work, so that no pool gives them up as idle. Whether it is ready each role is asked all the time, which shows one that has nothing to write
  // what it has: a session that it opened last of all, before the end.
  const readAndCount = async () => {
    await Promise.all(Array.from({ length: 20 }, get));
    await readiness();
    return sessions(`backend_start < '${now}' and query not like '%pg_stat_activity%'`);
  };
  await eventually(0, readAndCount);
});

const withDisks = SmallDisks.areThere();
if (!withDisks) it.skip('NOT TRIED: a full disk, since this user cannot mount a small one', () => undefined);

(withDisks ? it : it.skip)(
  'a disk that is full (53100) is told to whoever writes and to whoever asks whether it is ready; reads go on',
  async () => {
    expect(await post()).toBe(201);
    const free = await disks.fill('postgres');
    try {
      await eventually(503, post, 60_000);
      await eventually(true, async () => (await readiness()).startsWith('api ok without /database'), 30_000);
      expect(await get()).toBe(200);
      const full = admin('create temporary table filler as select generate_series(1, 10000)');
      await expect(full).rejects.toMatchObject({ code: '53100' });
    } finally {
      await free();
      // A server that could not write its log has ended.
      if (!server.isRunning) await server.start();
    }
  },
);

it('a server without a connection to spare (53300) is told to whoever asks, and whoever has a connection goes on', async () => {
  expect(await post()).toBe(201);
  await admin('alter role owner connection limit 0');
  try {
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'`);
    await eventually(503, post);
    expect(await get()).toBe(503);
    await eventually(UNWRITABLE, readiness, 30_000);
  } finally {
    await admin('alter role owner connection limit -1');
  }
});

it('a server that is shut down (57P01), takes nobody new (57P03) and comes back is told to whoever asks meanwhile', async () => {
  expect(await post()).toBe(201);
  const last = new Client({ connectionString: server.url });
  last.on('error', () => undefined);
  await last.connect();
  // A smart shutdown waits for the sessions that there are.
  process.kill(server.pid, 'SIGTERM');
  await last.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'`);
  const refused = await admin('select 1').catch((error: { code?: string }) => error.code);
  expect(refused).toBe('57P03');
  await eventually(503, post);
  expect(await get()).toBe(503);
  await eventually(UNWRITABLE, readiness, 30_000);
  await last.end();
  await server.shutDown();
  await server.start();
});
