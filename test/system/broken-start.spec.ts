import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { enterPepper } from '@lib/store/access/pepper';
import { createPool } from '@lib/store/postgres/pool';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { enterMasterKeys } from '@lib/store/sealing/master-keys';
import { createDatabase, createMigratedDatabase } from '../servers/database';
import { failureIn, research, start } from './support/command';
import { writeProvidersFile } from './support/providers-file';

const SECRETS = { MASTER_KEY: randomBytes(32).toString('base64'), API_KEY_PEPPER: 'the pepper of a test' };
const NATS_URL = process.env.TEST_NATS_URL ?? '';

let folder: string;
const closing = new AsyncDisposableStack();
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'research-broken-'));
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
});
afterAll(() => closing.disposeAsync());

const environment = (changes: Record<string, string>) => ({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data'), ...changes });
const failureOf = async (role: string, changes: Record<string, string>) =>
  failureIn(await start('main.js', [role], environment(changes)).ended);

async function migrated(): Promise<string> {
  const database = await createMigratedDatabase();
  closing.defer(() => database.drop());
  return database.url;
}

type Broken = [what: string, role: string, changes: () => Promise<Record<string, string>>, message: RegExp];
const BROKEN: Broken[] = [
  ['a wrong number', 'all', async () => ({ PORT: '99999' }), /- PORT must be at most 65535; it is "99999"/],
  [
    'a folder of documents that does not exist',
    'all',
    async () => ({ CORPUS_DIR: '/no/such/folder' }),
    /^The documents cannot be read: ENOENT: .*'\/no\/such\/folder'\. Set CORPUS_DIR to a folder that holds /,
  ],
  [
    'a folder of documents with nothing in it, as where a volume is not mounted',
    'all',
    async () => ({ CORPUS_DIR: mkdtempSync(join(tmpdir(), 'no-documents-')) }),
    /^The documents cannot be read: there is no document in .*no-documents-.*\. Set CORPUS_DIR to a folder that holds /,
  ],
  [
    'a folder in which nothing is a document',
    'all',
    async () => {
      const documents = mkdtempSync(join(tmpdir(), 'no-documents-'));
      writeFileSync(join(documents, 'figures.png'), '1,2');
      return { CORPUS_DIR: documents };
    },
    /^The documents cannot be read: there is no document in .*no-documents-.*\. Set CORPUS_DIR to a folder that holds /,
  ],
  [
    'a secret that is missing',
    'api',
    async () => ({ NATS_URL, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
    /^MASTER_KEY is not set: roles that run apart must share it/,
  ],
  [
    'a database that does not answer',
    'all',
    async () => ({ ...SECRETS, DATABASE_URL: 'postgres://root:hidden@127.0.0.1:1/x' }),
    /^The database cannot be used: connect ECONNREFUSED.*Check DATABASE_URL/,
  ],
  ['a broker that is not named', 'saga', async () => ({ ...SECRETS, DATABASE_URL: await migrated() }), /^NATS_URL is not set/],
  ['another broker’s address', 'saga', async () => ({ NATS_URL: 'http://broker' }), /- NATS_URL must be URLs/],
  [
    'an older schema',
    'api',
    async () => {
      const database = await createDatabase();
      closing.defer(() => database.drop());
      return { ...SECRETS, NATS_URL, DATABASE_URL: database.url };
    },
    /^the database lacks \d+ migrations, .*run `research migrate` with this build first/,
  ],
  [
    'a port that is taken',
    'all',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      closing.defer(() => void other.close());
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      return { ...SECRETS, DATABASE_URL: await migrated(), PROVIDERS_FILE: writeProvidersFile(folder, {}), PORT: String(port) };
    },
    /^HTTP cannot listen on port \d+ of 127\.0\.0\.1: another program listens there\. Set PORT/,
  ],
  [
    'a port for metrics that is taken',
    'all',
    async () => {
      const other = createServer().listen(0, '127.0.0.1');
      closing.defer(() => void other.close());
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const settings = { PROVIDERS_FILE: writeProvidersFile(folder, {}), PORT: '0', ADMIN_PORT: String(port) };
      return { ...SECRETS, DATABASE_URL: await migrated(), ...settings };
    },
    /^Metrics cannot listen on port \d+ of 127\.0\.0\.1: another program listens there\. Set ADMIN_PORT to a free port \(0 for any\)\.$/,
  ],
  [
    'an address of another machine',
    'all',
    async () => {
      const settings = { PROVIDERS_FILE: writeProvidersFile(folder, {}), HOST: '192.0.2.1', PORT: '0', ADMIN_PORT: '0' };
      return { ...SECRETS, DATABASE_URL: await migrated(), ...settings };
    },
    /^Metrics cannot listen on port 0 of 192\.0\.2\.1: .*EADDRNOTAVAIL.*\. Set HOST to an address of this machine\.$/,
  ],
  [
    'another pepper than that of another role, on an empty database',
    'api',
    async () => {
      const url = await migrated();
      const pool = createPool(url, 1);
      await enterPepper(pool, 'the pepper of the saga').finally(() => pool.end());
      return { ...SECRETS, NATS_URL, DATABASE_URL: url };
    },
    /^API_KEY_PEPPER has the fingerprint [0-9a-f]{16}, and the keys of this database are made under/,
  ],
  [
    'a pepper that is missing where an earlier build has made keys',
    'all',
    withEarlierKey,
    /^API_KEY_PEPPER is not set and .*api-key-pepper is not there/,
  ],
  [
    'a pepper that is missing where the database knows one',
    'all',
    withoutPepper,
    /^API_KEY_PEPPER is not set and .*api-key-pepper is not there/,
  ],
  [
    'a master key that is missing where the database is sealed under one',
    'all',
    withoutMasterKey,
    /^MASTER_KEY is not set and .*master-key is not there, and the database is sealed under a key already: restore the file/,
  ],
  [
    'a damaged master key in the data folder',
    'all',
    () => withSecret('master-key', 'half of a ke'),
    /master-key must be 32 bytes in base64.*It is damaged: restore it from a backup of the data folder\.$/,
  ],
  [
    'an empty pepper in the data folder',
    'all',
    () => withSecret('api-key-pepper', ''),
    /api-key-pepper must have at least 16 characters\. It is damaged: restore it/,
  ],
];

/** A data folder of its own. */
function ownFolder(): { DATA_DIR: string; PROVIDERS_FILE: string } {
  return { DATA_DIR: mkdtempSync(join(folder, 'own-')), PROVIDERS_FILE: writeProvidersFile(folder, {}) };
}

async function withSecret(file: string, text: string): Promise<Record<string, string>> {
  const own = ownFolder();
  writeFileSync(join(own.DATA_DIR, file), text);
  return { ...own, DATABASE_URL: await migrated() };
}

async function withoutPepper(): Promise<Record<string, string>> {
  const url = await migrated();
  const pool = createPool(url, 1);
  await enterPepper(pool, SECRETS.API_KEY_PEPPER).finally(() => pool.end());
  return { ...ownFolder(), MASTER_KEY: SECRETS.MASTER_KEY, DATABASE_URL: url };
}

async function withoutMasterKey(): Promise<Record<string, string>> {
  const url = await migrated();
  const pool = createPool(url, 1);
  await enterMasterKeys(pool, new KeyRing([Buffer.from(SECRETS.MASTER_KEY, 'base64')])).finally(() => pool.end());
  return { ...ownFolder(), API_KEY_PEPPER: SECRETS.API_KEY_PEPPER, DATABASE_URL: url };
}

async function withEarlierKey(): Promise<Record<string, string>> {
  const url = await migrated();
  const pool = createPool(url, 1);
  await pool.query(`insert into tenant (id) values ('acme')`);
  await pool.query(`insert into api_key (key_id, tenant_id, hmac) values ('0aB1cD2eF3gH', 'acme', '\\x00')`).finally(() => pool.end());
  return {
    MASTER_KEY: SECRETS.MASTER_KEY,
    DATABASE_URL: url,
    DATA_DIR: join(folder, 'other'),
    PROVIDERS_FILE: writeProvidersFile(folder, {}),
  };
}

it.each(BROKEN)('a start with %s is one line of the log with what is wrong and the remedy', async (_, role, changes, message) => {
  const given = await changes();
  const said = await failureOf(role, given);
  expect(said).toMatch(message);
  expect(said).not.toContain('hidden');
});

it.each([
  ['master-key', withoutMasterKey],
  ['api-key-pepper', withoutPepper],
] as const)('a start that lacks %s makes no other one in its place', async (file, without) => {
  const given = await without();
  await failureOf('all', given);
  expect(existsSync(join(given.DATA_DIR ?? '', file))).toBe(false);
});

it('a folder without documents stops no worker whose providers read none, and the doctor names no problem with it', async () => {
  const providersFile = writeProvidersFile(folder, {});
  const own = environment({ ...SECRETS, DATABASE_URL: await migrated(), PROVIDERS_FILE: providersFile, CORPUS_DIR: '/no/such/folder' });
  expect((await research(['doctor'], own)).stdout).not.toContain('/no/such/folder');
  const service = start('main.js', ['all'], own);
  await service.until('Ctrl-C stops it.');
  service.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});

it('on a database that is not its own, role all makes no key and says how to make one', async () => {
  const own = environment({ ...SECRETS, DATABASE_URL: await migrated(), PROVIDERS_FILE: writeProvidersFile(folder, {}) });
  const service = start('main.js', ['all'], own);
  await service.until('Ctrl-C stops it.');
  expect(service.said()).toContain('keys create --tenant');
  expect(existsSync(join(folder, 'data', 'api-key'))).toBe(false);
  const listed = await research(['keys', 'list'], own);
  expect(listed).toEqual({ code: 0, stdout: '', stderr: '' });
  service.kill('SIGTERM');
  expect((await service.ended).code).toBe(0);
});
