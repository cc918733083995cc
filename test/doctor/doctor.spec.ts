import { Client } from 'pg';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join, resolve } from 'node:path';

import { connect } from 'nats';
import { parse, stringify } from 'yaml';

import { PROVIDERS } from '@lib/domain/vocabulary';
import { HOUR_MS } from '@lib/domain/durations';
import { connectNats } from '@lib/messaging/nats-transport';
import { streamName } from '@lib/messaging/subjects';
import { enterPepper } from '@lib/store/access/pepper';
import { createPool } from '@lib/store/postgres/pool';

import { createDatabase, createMigratedDatabase } from '../servers/database';
import { startNats } from '../servers/nats';
import { OURS, signed } from '../support/bundles';
import { createSeparatedDatabase } from '../support/separated-roles';
import { startSystem } from '../system/support/system';
import { ExaminedFolder } from './examined-folder';

const MASTER_KEY = randomBytes(32).toString('base64');
const SECRET = 'sk-hidden-0123456789abcdef';
const SHIPPED = resolve(__dirname, '../../providers.yaml');

let examined: ExaminedFolder;
beforeEach(() => (examined = new ExaminedFolder()));
afterEach(() => examined.remove());

type Entry = Record<string, unknown> & { withKey: Record<string, unknown> };

/** The shipped file with changes to provider-c behind its key. */
function providersFile(changes: Record<string, unknown>): string {
  const shipped = parse(readFileSync(SHIPPED, 'utf8')) as { providers: Record<string, Entry> };
  const entry = shipped.providers['provider-c'];
  Object.assign(entry?.withKey ?? {}, changes);
  const file = join(examined.path, 'providers.yaml');
  writeFileSync(file, stringify(shipped));
  return file;
}

/** Takes connections and says nothing, until it is closed. */
async function silentServer(): Promise<{ address: string; close: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

describe('with nothing set', () => {
  it('all is well: documents answer, the first start makes the rest, and nothing was made by looking', async () => {
    const { checks, the } = await examined.examine({});
    expect(checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    for (const provider of PROVIDERS) expect(the(provider)?.detail).toMatch(/^corpus/);
    expect(the('corpus')?.detail).toMatch(/^\d+ files to read: /);
    expect(the('prices')?.detail).toMatch(/no real API/);
    expect(the('keys')?.detail).toMatch(/^set: none; not set: PERPLEXITY_API_KEY, /);
    expect(the('postgresql')?.detail).toMatch(/the first start makes/);
    expect(existsSync(examined.dataDir)).toBe(false);
  });

  it.each([
    ['itself', 'data'],
    ['above it', 'data/deeper/still'],
  ])('a file in place of the data folder, %s, is a problem', async (_, below) => {
    writeFileSync(examined.dataDir, '');
    const { the } = await examined.examine({ DATA_DIR: join(examined.path, below) });
    expect(the('data folder')).toMatchObject({
      status: 'problem',
      detail: `${examined.dataDir} is a file, not a folder`,
      remedy: expect.stringContaining('DATA_DIR'),
    });
    expect(the('corpus')?.status).toBe('ok');
  });

  it.each([
    ['is not there', '/no/such/folder'],
    ['holds none', '.'],
  ])('a folder of documents that %s is a problem', async (_, folder) => {
    const { the } = await examined.examine({ CORPUS_DIR: resolve(examined.path, folder) });
    expect(the('corpus')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('CORPUS_DIR') });
  });
});

describe('the environment', () => {
  it('that cannot be used is told variable by variable, and the rest is looked at all the same', async () => {
    const { checks, the, text } = await examined.examine({
      PORT: 'http',
      MASTER_KEY: SECRET,
      OPENAI_API_KEY: `${SECRET} with spaces`,
      XAI_API_KEY_FILE: '/no/such/file',
      LEASE_MS: '5',
    });
    const told = checks
      .filter(({ name, status }) => name === 'settings' && status === 'problem')
      .map(({ remedy }) => remedy?.split(' ')[0]);
    expect(told).toEqual(expect.arrayContaining(['PORT', 'MASTER_KEY', 'OPENAI_API_KEY', 'XAI_API_KEY_FILE', 'HEARTBEAT_MS']));
    expect(the('provider-c')?.status).toBe('ok');
    expect(the('nats')?.status).toBe('ok');
    expect(text).not.toContain(SECRET);
  });

  it('that contradicts itself is told of what was set, not of the default that would take its place', async () => {
    const { checks } = await examined.examine({ LEASE_MS: '5000', HEARTBEAT_MS: '4000' });
    const told = checks.filter(({ name, status }) => name === 'settings' && status === 'problem');
    expect(told.map(({ detail }) => detail)).toEqual(['HEARTBEAT_MS is "4000"']);
  });

  it.each<Record<string, string>>([
    { NATS_USER: 'x' },
    { NATS_PASSWORD: SECRET, PORT: 'http' },
    { NATS_CERTIFICATE_KEY_FILE: resolve(__dirname, '../servers/no-such.key'), NATS_USER: 'x' },
  ])('that has half a login at NATS is told once, and the rest is looked at all the same: %j', async (half) => {
    const { checks, the } = await examined.examine({ NATS_URL: 'nats://127.0.0.1:1', ...half }, { roles: 'worker' });
    const told = checks.filter(({ name, status }) => name === 'settings' && status === 'problem').map(({ remedy }) => remedy);
    expect(told).toEqual([...new Set(told)]);
    expect(told).toEqual(expect.arrayContaining([expect.stringMatching(/^NATS_/)]));
    expect(the('keys')).toBeDefined();
  });
});

describe('the providers file', () => {
  it.each([
    ['no YAML', '{{{'],
    ['without a section', 'defaults: {}'],
    ['a list', '- 1'],
  ])('that is %s is a problem; everything else is looked at', async (_, content) => {
    const file = join(examined.path, 'broken.yaml');
    writeFileSync(file, content);
    const { the } = await examined.examine({ PROVIDERS_FILE: file });
    expect(the('providers file')).toMatchObject({ status: 'problem', remedy: expect.stringMatching(/must/) });
    for (const other of ['keys', 'data folder', 'postgresql', 'nats']) expect(the(other)?.status).toBe('ok');
  });

  it('with auto is a problem for roles that run apart, and the remedy is a command', async () => {
    const { the } = await examined.examine({}, { roles: 'worker' });
    expect(the('providers file')).toMatchObject({
      status: 'problem',
      detail: expect.stringContaining('auto for provider-a, provider-b'),
      remedy: expect.stringContaining('research resolve-providers >'),
    });
  });

  it('says who is real once a key is set, and shows nothing of the key', async () => {
    const { the, text } = await examined.examine({ OPENAI_API_KEY: SECRET });
    expect(the('provider-c')).toMatchObject({ status: 'ok', detail: 'openai gpt-5.5' });
    expect(the('provider-e')?.detail).toMatch(/^corpus/);
    expect(the('keys')?.detail).toMatch(/^set: OPENAI_API_KEY; not set: /);
    expect(text).not.toContain(SECRET);
  });

  it('that names an API whose key is not set is a problem of the worker alone', async () => {
    const file = providersFile({});
    const plain = parse(readFileSync(file, 'utf8')) as { providers: Record<string, Entry & { withoutKey: object }> };
    for (const provider of PROVIDERS) {
      const { withKey, withoutKey } = plain.providers[provider] ?? {};
      Object.assign(plain.providers, { [provider]: provider === 'provider-c' ? withKey : withoutKey });
    }
    writeFileSync(file, stringify(plain));
    const worker = await examined.examine({ PROVIDERS_FILE: file }, { roles: 'worker' });
    expect(worker.the('provider-c')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('Set OPENAI_API_KEY') });
    const spared = await examined.examine({ PROVIDERS_FILE: file, WORKER_PROVIDERS: 'provider-a' }, { roles: 'worker' });
    expect(spared.the('provider-c')?.status).toBe('ok');
    const api = await examined.examine({ PROVIDERS_FILE: file }, { roles: 'api' });
    expect(api.the('provider-c')?.status).toBe('ok');
  });

  it.each([
    ['2026-08-23', 'ok', /90 days/],
    ['2026-08-22', 'warning', /provider-c: 91 days old/],
    ['1999-01-01', 'warning', /provider-c: 101\d\d days old/],
    ['2031-01-01', 'warning', /provider-c: of a day to come/],
    [null, 'warning', /provider-c: without a date/],
  ])('prices of %s are %s on the shipped day', async (priceDate, status, detail) => {
    const { the } = await examined.examine({ PROVIDERS_FILE: providersFile({ priceDate }), OPENAI_API_KEY: SECRET });
    expect(the('prices')).toMatchObject({ status, detail: expect.stringMatching(detail) });
  });

  it('that reserves more than any cap is a problem', async () => {
    const file = providersFile({ minReserveCents: 6001, maxReserveCents: 7000 });
    const { the } = await examined.examine({ PROVIDERS_FILE: file, OPENAI_API_KEY: SECRET });
    expect(the('reserves')).toMatchObject({ status: 'problem', detail: 'provider-c reserves at least 6001 cents' });
    const raised = await examined.examine({ PROVIDERS_FILE: file, OPENAI_API_KEY: SECRET, BUDGET_CAPS: 'XL=6001' });
    expect(raised.the('reserves')).toMatchObject({ status: 'ok', detail: expect.stringContaining('provider-c from XL on') });
  });
});

describe('servers', () => {
  it('that are not there are problems, without their passwords, and everything else is looked at', async () => {
    const { the, text } = await examined.examine({
      DATABASE_URL: `postgres://user:${SECRET}@127.0.0.1:1/none`,
      NATS_URL: `nats://user:${SECRET}@127.0.0.1:1`,
    });
    expect(the('postgresql')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('DATABASE_URL') });
    expect(the('nats')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('NATS_URL') });
    expect(the('corpus')?.status).toBe('ok');
    expect(text).not.toContain(SECRET);
  });

  it('that take a connection and say nothing are problems too', async () => {
    const silent = await silentServer();
    const { the } = await examined.examine({
      DATABASE_URL: `postgres://user@${silent.address}/none`,
      NATS_URL: `nats://${silent.address}`,
    });
    expect(the('postgresql')?.status).toBe('problem');
    expect(the('nats')?.status).toBe('problem');
    silent.close();
  });

  it('of NATS keep only those from starting who can do nothing without: an api and webhooks are ready all the same', async () => {
    const environment = { NATS_URL: 'nats://127.0.0.1:1' };
    for (const roles of ['api', 'webhooks', 'api,webhooks'])
      expect((await examined.examine(environment, { roles })).the('nats')).toMatchObject({
        status: 'warning',
        detail: expect.stringContaining('NATS does not answer'),
        remedy: expect.stringContaining('NATS_URL'),
      });
    for (const roles of ['saga', 'worker', 'synthesizer', 'api,saga'])
      expect((await examined.examine(environment, { roles })).the('nats')?.status).toBe('problem');
  });

  it('that the roles lack are problems for roles that run apart', async () => {
    const { the } = await examined.examine({}, { roles: 'saga' });
    expect(the('postgresql')?.detail).toBe('DATABASE_URL is not set');
    expect(the('nats')?.detail).toBe('NATS_URL is not set');
  });

  it('are described, with what of their settings endangers jobs', async () => {
    const database = await createDatabase();
    const environment = { DATABASE_URL: database.url, NATS_URL: process.env.TEST_NATS_URL ?? '' };
    const { the } = await examined.examine(environment);
    expect(the('postgresql')).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^PostgreSQL \d+\.\d+, 127\.0\.0\.1:\d+\/test_/),
    });
    // The server of the tests is as unsafe as it is fast.
    expect(the('durability')).toMatchObject({ status: 'problem', detail: expect.stringMatching(/fsync.*synchronous_commit.*full_page/) });
    expect(the('connections')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/room for 32 processes/) });
    expect(the('schema')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/the next start runs them/) });
    expect(the('nats')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^nats-server \d/) });
    expect(the('jetstream')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/sync_interval/) });
    expect(the('max_payload')?.status).toBe('ok');
    expect(the('clock')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/database [+−]0\.\d s/) });
    const apart = await examined.examine({ ...environment, DATABASE_POOL: '100' }, { roles: 'api' });
    expect(apart.the('schema')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('research migrate') });
    expect(apart.the('connections')).toMatchObject({ status: 'ok', detail: expect.stringMatching(/room for 1 processes/) });
    await database.drop();
  });

  it('whose database a newer build has migrated can be used by this one, and none of its tables is to be dropped', async () => {
    const database = await createMigratedDatabase();
    const pool = createPool(database.url, 1);
    await pool.query(`insert into mikro_orm_migrations (name) values ('Migration20991231000000_newer')`);
    await pool.query('create table newer (id text primary key); alter table job add column newer text');
    await pool.end();
    const { the } = await examined.examine({ DATABASE_URL: database.url });
    expect(the('schema')).toMatchObject({ status: 'ok', detail: expect.stringContaining('1 migrations of a newer build') });
    await database.drop();
  });

  it('whose saga has another key than the one that signs the log is told both', async () => {
    const database = await createMigratedDatabase();
    const pool = createPool(database.url, 2);
    await signed(pool);
    await pool.end();
    const seen = async (seed: Buffer) =>
      (await examined.examine({ DATABASE_URL: database.url, CHECKPOINT_KEY: seed.toString('base64') }, { roles: 'saga' })).the(
        'checkpoints',
      );
    expect(await seen(OURS)).toMatchObject({ status: 'ok' });
    const detail = expect.stringMatching(/signed by the key [0-9a-f]{8}, and CHECKPOINT_KEY has only [0-9a-f]{8}$/);
    expect(await seen(Buffer.alloc(32, 9))).toMatchObject({
      status: 'warning',
      detail,
      remedy: expect.stringContaining('same CHECKPOINT_KEY'),
    });
    await database.drop();
  });

  it('whose role of the database is told, by what it owns and sees, and for whom it is unfit', async () => {
    const database = await createSeparatedDatabase();
    const roleOf = async (url: string, roles: string) => (await examined.examine({ DATABASE_URL: url }, { roles })).the('database role');
    expect(await roleOf(database.urls.api, 'api')).toMatchObject({
      status: 'ok',
      detail: 'test_api sees only the tenants that a statement names, and owns nothing',
    });
    expect(await roleOf(database.urls.service, 'saga')).toMatchObject({
      status: 'ok',
      detail: 'test_service sees all tenants, and owns nothing',
    });
    expect(await roleOf(database.urls.api, 'saga')).toMatchObject({ status: 'problem' });
    expect(await roleOf(database.url, 'api')).toMatchObject({
      status: 'warning',
      detail: 'test_owner owns the tables: no policy and no missing privilege stops it',
      remedy: expect.stringContaining('research grants'),
    });
    const { the } = await examined.examine({ DATABASE_URL: database.url });
    expect(the('database tls')).toMatchObject({ status: 'ok', detail: 'none: the database is on this machine' });
    await database.drop();
  });

  it('whose NATS knows only queues of another prefix are told that nobody may be listening', async () => {
    const nats = await startNats();
    const connection = await connect({ port: nats.port });
    const manager = await connection.jetstreamManager();
    const seen = async (changes: Record<string, string>) =>
      (await examined.examine({ NATS_URL: `nats://127.0.0.1:${nats.port}`, ...changes })).the('nats prefix');
    expect(await seen({})).toBeUndefined();
    await manager.streams.add({ name: streamName('acme.'), subjects: ['acme.work.>'] });
    await manager.streams.add({ name: 'SOMETHING_ELSE', subjects: ['else'] });
    expect(await seen({ NATS_PREFIX: 'acme' })).toMatchObject({ status: 'ok', detail: 'acme' });
    expect(await seen({ NATS_PREFIX: 'acne' })).toMatchObject({
      status: 'warning',
      detail: 'there are no queues of acne yet, but of acme',
      remedy: expect.stringContaining('NATS_PREFIX'),
    });
    await manager.streams.add({ name: streamName(''), subjects: ['work.>'] });
    expect(await seen({})).toMatchObject({ status: 'ok', detail: 'the empty prefix; there are also queues of acme' });
    await connection.close();
    await nats.stop();
  });

  it('whose work an operator has paused are told so, and how it goes on', async () => {
    const nats = await startNats();
    const url = `nats://127.0.0.1:${nats.port}`;
    const transport = await connectNats({ url, prefix: 'acme', name: 'test' });
    await transport.consume({ kind: 'step', provider: 'provider-b' }, 1, async () => undefined);
    const seen = async () => (await examined.examine({ NATS_URL: url, NATS_PREFIX: 'acme' })).the('work queue');
    expect(await seen()).toBeUndefined();
    const connection = await connect({ port: nats.port });
    const { consumers } = await connection.jetstreamManager();
    await consumers.pause('acme_RESEARCH_WORK', 'step-provider-b', new Date(Date.now() + HOUR_MS));
    expect(await seen()).toMatchObject({
      status: 'problem',
      detail: expect.stringMatching(/step-provider-b is paused until 20/),
      remedy: expect.stringContaining('nats consumer resume acme_RESEARCH_WORK step-provider-b'),
    });
    await consumers.resume('acme_RESEARCH_WORK', 'step-provider-b');
    expect(await seen()).toBeUndefined();
    await Promise.all([transport.close(), connection.close()]);
    await nats.stop();
  });

  it('whose work stream takes no entry are told so, since all of them are ready and no job runs', async () => {
    const nats = await startNats();
    const connection = await connect({ port: nats.port });
    const manager = await connection.jetstreamManager();
    const seen = async () =>
      (await examined.examine({ NATS_URL: `nats://127.0.0.1:${nats.port}`, NATS_PREFIX: 'acme' })).the('work stream');
    expect(await seen()).toBeUndefined();
    const { config } = await manager.streams.add({ name: streamName('acme.'), subjects: ['acme.work.>'] });
    expect(await seen()).toMatchObject({ status: 'ok', detail: 'acme_RESEARCH_WORK takes entries' });
    await manager.streams.update(config.name, { ...config, max_bytes: 1 });
    expect(await seen()).toMatchObject({
      status: 'warning',
      detail: 'acme_RESEARCH_WORK has room for 1 bytes more, and then no job runs',
      remedy: expect.stringContaining('nats stream rm acme_RESEARCH_WORK'),
    });
    await manager.streams.update(config.name, { ...config, max_msgs: 3 });
    expect(await seen()).toMatchObject({ status: 'warning', detail: expect.stringContaining('room for 3 entries more') });
    await manager.streams.update(config.name, { ...config, ...{ sealed: true } });
    expect(await seen()).toMatchObject({ status: 'problem', detail: expect.stringContaining('is sealed') });
    await connection.close();
    await nats.stop();
  });

  it('whose NATS cuts long reports or asks for another password are told', async () => {
    const nats = await startNats({ maxPayload: 100_000, user: 'user', password: 'right' });
    const at = (password: string) => ({ NATS_URL: `nats://user:${password}@127.0.0.1:${nats.port}` });
    expect((await examined.examine(at('right'))).the('max_payload')).toMatchObject({
      status: 'warning',
      remedy: expect.stringContaining('1048576'),
    });
    const refused = await examined.examine(at(SECRET));
    expect(refused.the('nats')).toMatchObject({ status: 'problem', detail: expect.stringMatching(/AUTHORIZATION/) });
    expect(refused.text).not.toContain(SECRET);
    await nats.stop();
  });
});

describe('the MASTER_KEY', () => {
  it('is compared with what the database holds', async () => {
    const system = await startSystem();
    const environment = { DATABASE_URL: system.env.DATABASE_URL ?? '' };
    const untouched = await createMigratedDatabase();
    expect((await examined.examine({ DATABASE_URL: untouched.url })).the('master key')?.detail).toBe('made at the first start');
    await untouched.drop();

    const right = system.env.MASTER_KEY?.toString('base64') ?? '';
    const named = (await examined.examine({ ...environment, MASTER_KEY: right })).the('master key');
    // A changed row of a thread's key, or of a limit's counter, is beyond this look: it says whose it is.
    expect(named).toMatchObject({ status: 'ok', detail: expect.stringMatching(/`research views verify` opens each.*counters of limits/) });
    const wrong = await examined.examine({ ...environment, MASTER_KEY });
    expect(wrong.the('master key')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('the one that was in use') });
    expect(wrong.text).not.toContain(MASTER_KEY);
    const missing = await examined.examine(environment);
    expect(missing.the('master key')).toMatchObject({ status: 'problem', detail: expect.stringMatching(/master-key is missing$/) });
    await system.stop();
  });
});

describe('the secrets', () => {
  it('are not said to be lost where the database only does not let them be compared', async () => {
    const database = await createMigratedDatabase();
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`create or replace function master_keys_in_use() returns setof text language plpgsql stable as
      $$ begin raise 'the disk is upside down'; end $$`);
    await client.query('alter table api_key_pepper rename column fingerprint to print');
    await client.end();
    const { the } = await examined.examine({ DATABASE_URL: database.url });
    for (const [secret, said] of [
      ['master key', 'the disk is upside down'],
      ['pepper', 'column "fingerprint" does not exist'],
    ] as const)
      expect(the(secret)).toMatchObject({
        status: 'problem',
        detail: `not compared, since the database answers: ${said}`,
        remedy: expect.stringContaining('Do not change the secret: it may be right.'),
      });
    await database.drop();
  });
});

describe('the API_KEY_PEPPER', () => {
  it('is compared with that of the database, which the first start records', async () => {
    const database = await createMigratedDatabase();
    const environment = { DATABASE_URL: database.url };
    const [pepper, another] = ['a pepper of some length', 'another pepper of some length'];
    expect((await examined.examine(environment)).the('pepper')).toMatchObject({ status: 'ok', detail: 'made at the first start' });
    expect((await examined.examine({ ...environment, API_KEY_PEPPER: pepper })).the('pepper')?.detail).toMatch(/first start records/);

    const pool = createPool(database.url, 1);
    await enterPepper(pool, pepper);
    await pool.end();
    expect((await examined.examine({ ...environment, API_KEY_PEPPER: pepper })).the('pepper')?.detail).toMatch(
      /made under it \(API_KEY_PEPPER\)/,
    );
    const wrong = await examined.examine({ ...environment, API_KEY_PEPPER: another });
    expect(wrong.the('pepper')).toMatchObject({ status: 'problem', detail: expect.stringContaining('fingerprint') });
    expect(wrong.text).not.toContain(another);
    const missing = await examined.examine(environment);
    expect(missing.the('pepper')).toMatchObject({ status: 'problem', detail: expect.stringMatching(/api-key-pepper is missing$/) });
    const apart = await examined.examine(environment, { roles: 'saga' });
    expect(apart.the('pepper')).toMatchObject({ status: 'problem', remedy: expect.stringContaining('the same for all roles') });
    await database.drop();
  });
});
