import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { recordedName } from '@lib/providers/simulated/recorded-reports';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { webhookPlace } from '@lib/store/webhooks/sealed-webhook';
import { ROLES, type Role } from '../../src/roles';
import { eventually } from '../messaging/eventually';
import { findPgDump, pgDump } from '../servers/pg-dump';
import { PROGRAM_ENVIRONMENT } from '../support/program-environment';
import { Supervisor } from '../support/supervisor';
import { dumpOf, foundIn, foundInFiles, type Wanted } from '../support/traces';
import { Sink } from '../webhooks/support/sink';

jest.setTimeout(240_000);

const REMEMBER_MS = 1_000;
/** Caches of what was opened, as `holdings` names them, and who has some. */
const OPENED = ['contents', 'thread keys', 'new thread keys', 'job answers'];
const OF_DATABASE = ['api', 'saga', 'synthesizer', 'webhooks'] as const;
const MAIN = resolve(__dirname, '../../dist/src/cli/main.js');

/** Of the release that the service brings. */
const NEWEST_MAJOR = 18;
const dumper = findPgDump(NEWEST_MAJOR);

const word = (): string => `canary${randomBytes(12).toString('hex')}`;
/** What somebody wrote or answered: nowhere outside a process may it stand in clear. */
const content = {
  question: word(),
  message: word(),
  topic: word(),
  report: word(),
  citation: word(),
  kept: word(),
  'webhook description': word(),
  'webhook url': word(),
};
/** Without the webhook's, which are opened whenever something is delivered, and the thread's that is kept. */
const { kept: _kept, 'webhook description': _description, 'webhook url': _url, ...texts } = content;
/** What a request brings and nobody keeps. */
const secret = { 'Idempotency-Key': word() };
/** What names a request for its sender. */
const ofRequest = { 'X-Request-Id': word(), traceparent: randomBytes(16).toString('hex') };

let folder: string;
let supervisor: Supervisor;
let sink: Sink;
let environment: Record<string, string>;
const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];

async function start(masterKeys: Buffer[]): Promise<void> {
  const MASTER_KEYS = masterKeys.map((key) => key.toString('base64')).join();
  const ofData = { MASTER_KEY: '', MASTER_KEYS, WEBHOOK_LOOPBACK: 'allowed', DELETION_LIST: join(folder, 'deletions') };
  await Promise.all(ROLES.map((role) => supervisor.start(role, { ...environment, ...(role === 'worker' ? {} : ofData) })));
}

function providersFile(): string {
  const simulated = { adapter: 'simulated', minReserveCents: 10, maxReserveCents: 50, options: { reports: join(folder, 'reports') } };
  const file = join(folder, 'providers.yaml');
  const defaults = { preference: ['provider-a', 'provider-c'], count: { XXS: 1, XS: 1, S: 2, M: 2, L: 2, XL: 2 } };
  writeFileSync(file, JSON.stringify({ defaults, providers: Object.fromEntries(PROVIDERS.map((provider) => [provider, simulated])) }));
  return file;
}

/** What the two providers answer to a question. */
function record(query: string): void {
  const report = `# ${content.report}\n\nThe ${content.report} bridge was opened in 1932 by 4,000 engineers [1].\n\n## References\n\n1. [${content.citation}](https://${content.citation}.example.org/)\n`;
  for (const provider of ['provider-a', 'provider-c'] as const) {
    const file = join(folder, 'reports', recordedName(provider, query));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, report);
  }
}

let requests = 0;

async function call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Bearer ${supervisor.apiKey}`,
    'x-request-id': ofRequest['X-Request-Id'],
    traceparent: `00-${ofRequest.traceparent}-00f067aa0ba902b7-01`,
    ...(body && { 'content-type': 'application/json' }),
    ...(method === 'POST' && { 'idempotency-key': `${secret['Idempotency-Key']} ${requests++}` }),
  };
  const response = await fetch(`${supervisor.apiAddresses()[0]}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const answer = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

const completed = (threadId: string, jobId: string) =>
  eventually('completed', async () => (await call('GET', `/v1/threads/${threadId}/jobs/${jobId}`)).status, 60_000);

/** A thread with a message, a finished job and a pursued one. */
async function fullThread(): Promise<string> {
  const question = `What of ${content.question}?`;
  record(question);
  const thread = await call('POST', '/v1/threads', { message: question });
  const id = String(thread.id);
  const job = (thread.job as { id: string }).id;
  await completed(id, job);
  await call('POST', `/v1/threads/${id}/messages`, { message: `More of ${content.message}` });
  record(content.topic);
  const pursued = await call('POST', `/v1/threads/${id}/jobs/${job}/pursue`, { topic: content.topic });
  await completed(id, String(pursued.id));
  return id;
}

/** Everything that outlives the processes, but for the reports that the providers read. */
const places = () => ({
  'the database': supervisor.database.dataDir,
  'the broker': supervisor.broker.storeDir,
  caches: join(folder, 'cache'),
  data: join(folder, 'data'),
  'the deletion list': join(folder, 'deletions'),
});

async function foundAnywhere(wanted: Wanted): Promise<string[]> {
  await supervisor.pool.query('checkpoint');
  const inLogs = foundIn(Buffer.from(supervisor.logs.lines.map(({ text }) => text).join('\n')), wanted).map((name) => `${name} in logs`);
  const inDump = foundIn(await dumpOf(supervisor.pool), wanted).map((name) => `${name} in a dump`);
  const written = dumper === null ? Buffer.alloc(0) : await pgDump(dumper, supervisor.database.url);
  const inWritten = foundIn(written, wanted).map((name) => `${name} in what pg_dump writes`);
  return [...inLogs, ...inDump, ...inWritten, ...(await foundInFiles(places(), wanted))];
}

/** Of the threads' keys. */
async function wrappedKeys(): Promise<Map<string, { kekId: string; wrapped: Buffer }>> {
  const { rows } = await supervisor.pool.query<{ thread_id: string; kek_id: string; wrapped: Buffer }>('select * from thread_key');
  return new Map(rows.map(({ thread_id: threadId, kek_id: kekId, wrapped }) => [threadId, { kekId, wrapped }]));
}

/** Writes anew what holds keys, so that no dead row is left, and lets go of the write-ahead log before that. */
async function letTheDatabaseForget(): Promise<void> {
  await supervisor.pool.query('alter system set wal_recycle = off');
  await supervisor.pool.query('select pg_reload_conf()');
  for (const table of ['thread_key', 'webhook', 'agenda']) await supervisor.pool.query(`vacuum full ${table}`);
  for (const _ of [1, 2]) {
    await supervisor.pool.query('select pg_switch_wal()');
    await supervisor.pool.query('checkpoint');
  }
}

async function research(...given: string[]): Promise<string> {
  const MASTER_KEYS = [newKey, oldKey].map((key) => key.toString('base64')).join();
  const env = { ...PROGRAM_ENVIRONMENT, DATABASE_URL: supervisor.database.url, API_KEY_PEPPER: 'the pepper of a test', MASTER_KEYS };
  return (await promisify(execFile)(process.execPath, [MAIN, ...given], { env, cwd: '/' })).stdout;
}

let gone: string;
let kept: string;
let keysBefore: Map<string, { kekId: string; wrapped: Buffer }>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'canary-'));
  mkdirSync(join(folder, 'deletions'));
  [supervisor, sink] = await Promise.all([Supervisor.start(), Sink.start()]);
  environment = {
    ...{ CACHE_DIR: join(folder, 'cache'), DATA_DIR: join(folder, 'data'), PROVIDERS_FILE: providersFile() },
    ...{ REMEMBER_CONTENT_MS: String(REMEMBER_MS), NODE_OPTIONS: `--require ${join(__dirname, 'living-texts.cjs')}` },
  };
  await start([oldKey]);
  const url = `${sink.url}?token=${content['webhook url']}`;
  await call('POST', '/v1/webhooks', { url, description: content['webhook description'], eventTypes: ['job.completed'] });
  gone = await fullThread();
  kept = String((await call('POST', '/v1/threads', { message: content.kept })).id);
  keysBefore = await wrappedKeys();
});
afterAll(async () => {
  await supervisor?.close();
  await sink?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('is looked for by a program that finds it', async () => {
  expect(await foundInFiles({ reports: join(folder, 'reports') }, content)).toEqual(['citation in reports', 'report in reports']);
  const forms = [content.topic, Buffer.from(content.topic, 'utf16le'), Buffer.from(content.topic).toString('hex')];
  for (const form of forms)
    expect(foundIn(Buffer.concat([Buffer.from('before'), Buffer.from(form), Buffer.from('after')]), content)).toEqual(['topic']);
  const planted = word();
  await supervisor.pool.query('create table planted (text text)');
  await supervisor.pool.query('insert into planted values ($1)', [planted]);
  const found = await foundAnywhere({ planted });
  expect(found.filter((place) => !place.includes('pg_dump'))).toEqual(['planted in a dump', 'planted in the database']);
  if (dumper !== null) expect(found).toContain('planted in what pg_dump writes');
  await supervisor.pool.query('drop table planted');
});

(dumper === null ? it.skip : it)(`is looked for in what pg_dump writes too, where there is one of PostgreSQL ${NEWEST_MAJOR}`, async () => {
  expect((await pgDump(dumper ?? '', supervisor.database.url)).includes('COPY public.event ')).toBe(true);
  expect(await foundAnywhere(content)).toEqual([]);
});

it('is nowhere in clear outside the processes', async () => {
  expect(await foundAnywhere({ ...content, ...secret })).toEqual([]);
  // Its sender finds it again in the log, and nobody anywhere else.
  expect(await foundAnywhere(ofRequest)).toEqual(['X-Request-Id in logs', 'traceparent in logs']);
});

/** What the caches of a process hold, in items, of content that was opened and of keys for it. */
async function remembered(role: Role): Promise<number> {
  const one = supervisor.the(role);
  const told = supervisor.logs.next(({ reason, holdings }) => reason === 'holdings' && Array.isArray(holdings));
  process.kill(one.pid, 'SIGUSR2');
  const holdings = (await told).holdings as { name: string; items: number }[];
  return holdings.reduce((sum, { name, items }) => sum + (OPENED.includes(name) ? items : 0), 0);
}

/** Names of the words that strings in the process's memory hold. */
async function living(role: Role, words: Readonly<Record<string, string>>, hold?: string): Promise<string[]> {
  const half = (text: string): [string, string] => [text.slice(0, 15), text.slice(15)];
  const places = await supervisor.the(role).ask({ halves: Object.values(words).map(half), ...(hold && { hold: half(hold) }) });
  return (places as number[]).map((place) => Object.keys(words)[place] ?? '').toSorted();
}

it('is remembered by no process once its thread is deleted and the time is over', async () => {
  await call('GET', `/v1/threads/${gone}`);
  expect(await remembered('api')).toBeGreaterThan(0);
  await call('DELETE', `/v1/threads/${gone}`);
  for (const role of OF_DATABASE) await eventually(0, () => remembered(role), 30_000);
  const planted = word();
  for (const role of ['api', 'saga', 'synthesizer', 'worker'] as const)
    expect([role, await living(role, { ...texts, planted }, planted)]).toEqual([role, ['planted']]);
});

it('is not opened by what is left of its thread, even with the current master key in hand, once the database has let go of it', async () => {
  await eventually(0, async () => (await supervisor.pool.query(`select from agenda where kind = 'erase thread'`)).rowCount ?? 0);
  expect(await foundAnywhere({ ...content, ...secret })).toEqual([]);
  const { rows } = await supervisor.pool.query('select from event where stream_id = $1 and sealed is not null', [gone]);
  expect(rows).toEqual([]);
  expect([...(await wrappedKeys()).keys()]).toEqual([kept]);
  // The dead row, and the write-ahead log: this is what remains.
  const wrapped = { 'its key': keysBefore.get(gone)?.wrapped ?? '', 'the key of another': keysBefore.get(kept)?.wrapped ?? '' };
  expect(await foundInFiles(places(), wrapped)).toEqual(['its key in the database', 'the key of another in the database']);
  // A statement that runs meanwhile may still see the dead row, which stays until the next time then.
  await eventually('the key of another in the database', async () => {
    await letTheDatabaseForget();
    return (await foundInFiles(places(), wrapped)).join();
  });
});

it('is opened by nothing with the old master key in hand, once that was changed and the database has let go of what it wrapped', async () => {
  await Promise.all(ROLES.map((role) => supervisor.the(role).stop()));
  await start([newKey, oldKey]);
  const told = await research('rewrap');
  const [newRing, oldRing] = [new KeyRing([newKey]), new KeyRing([oldKey])];
  expect(told).toMatch(new RegExp(`^${newRing.kekId}\tthreads 1\twebhooks 1\truns 0\tthe newest$`, 'm'));
  expect(told).toMatch(new RegExp(`^${oldRing.kekId}\tthreads 0\twebhooks 0\truns 0\t`, 'm'));
  await letTheDatabaseForget();
  const { wrapped: before = '' } = keysBefore.get(kept) ?? {};
  expect(await foundInFiles(places(), { before })).toEqual([]);
  for (const [threadId, { kekId, wrapped }] of await wrappedKeys()) {
    expect(kekId).toBe(newRing.kekId);
    for (const claimed of [kekId, oldRing.kekId])
      expect(() => oldRing.unwrap(threadId, claimed, wrapped)).toThrow(/sealed under|cannot be opened/);
  }
  const { rows } = await supervisor.pool.query<{ id: string; tenant_id: string; sealed: Buffer }>(
    'select id, tenant_id, sealed from webhook',
  );
  const placeOf = ({ id, tenant_id: tenantId }: { id: string; tenant_id: string }) => webhookPlace({ id, tenantId });
  expect(rows.map((row) => [oldRing.sealedUnder(placeOf(row), row.sealed), newRing.sealedUnder(placeOf(row), row.sealed)])).toEqual([
    [null, newRing.kekId],
  ]);
  expect(JSON.stringify(await call('GET', `/v1/threads/${kept}`))).toContain(content.kept);
});
