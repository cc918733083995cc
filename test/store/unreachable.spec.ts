import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitKey, listKeys } from '@lib/store/access/api-keys';
import { endedKeys } from '@lib/store/access/ended-keys';
import { describeKey } from '@lib/store/access/describe-key';
import { oldThreads } from '@lib/store/deletions/old-threads';
import { removeSkeleton } from '@lib/store/deletions/removed-skeletons';
import { LimitReads } from '@lib/store/limits/limit-reads';
import { readLimitUsage } from '@lib/store/limits/limit-usage';
import { listLimits } from '@lib/store/limits/tenant-limits';
import { createFindGrown } from '@lib/store/log/grown-logs';
import { readLoggedEvents } from '@lib/store/log/logged-events';
import { createReadTrail, listReads } from '@lib/store/log/read-trail';
import { newId } from '@lib/store/new-id';
import { refuse } from '@lib/store/postgres/answer-within';
import { protectionOf } from '@lib/store/postgres/connection';
import { asStoreError, StoreBusy, StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { openStore, type Store } from '@lib/store/store';
import { Tenants } from '@lib/store/tenants/tenants';
import { createKey } from '../support/keys';
import { createJob, createTestStore, META, TENANT } from '../support/store';
import { addMessage } from '../support/streams';

/** Nobody listens there. */
const store = openStore({
  databaseUrl: 'postgres://nobody@127.0.0.1:1/none',
  ...{ connections: 2, masterKeys: [Buffer.alloc(32, 1)], leaseMs: 30_000, redispatchFirstMs: 1_000 },
});
afterAll(() => store.close());

const [THREAD, JOB, WEBHOOK] = [newId('thr'), newId('job'), newId('whk')];
const ASKED = { page: null, knownTag: undefined };
const OWN = { tenantId: TENANT, id: WEBHOOK };
const READ = { tenantId: TENANT, keyId: 'key', route: 'GET /', resource: null, requestId: 'r', address: null };
const PLACE = { tenantId: TENANT, threadId: THREAD, jobId: JOB };
const PARTS = { steps: false, claims: false, reports: false };

it.each<[string, (of: Store) => unknown]>([
  ['a write', (of) => addMessage(of, THREAD)],
  ['a new thread', (of) => createJob(of)],
  ['a job', (of) => of.views.readJob(PLACE)],
  ['a job by its id', (of) => of.flatJobs.get(TENANT, JOB, PARTS)],
  ['where a job is', (of) => of.views.findJob(TENANT, JOB)],
  ['a list of jobs', (of) => of.flatJobs.list(TENANT, {}, null, 5)],
  ['a list of threads', (of) => of.views.listThreads(TENANT, { limit: 5, offset: 0, after: null })],
  ['a thread', (of) => of.views.readThread(TENANT, THREAD, ASKED)],
  ['messages', (of) => of.views.readMessages(TENANT, THREAD, ASKED)],
  ['a message', (of) => of.views.messageFrom(THREAD, 1)],
  ['events', (of) => of.views.listEvents(TENANT, THREAD, JOB)],
  ['a page of events', (of) => of.views.readEventPage({ ...PLACE, after: 0 })],
  ['topics', (of) => of.views.listTopics(TENANT, THREAD, JOB)],
  ['what was before', (of) => of.views.pursuitOf(THREAD, JOB, 5)],
  ['what changed', (of) => of.findChanged([{ jobId: JOB, version: 1 }])],
  ['a history', (of) => of.jobs.load(JOB)],
  ['claims', (of) => of.claims.search(TENANT, {}, { limit: 5, offset: 0, after: null })],
  ['usage', (of) => of.usageOf({ tenantId: TENANT, from: null })],
  ['what is due', (of) => of.agenda.takeDue(['lease'], 5, 1000)],
  ['the gates', (of) => of.admission.gates()],
  ['an erasure', (of) => of.erasure.erase(THREAD)],
  ['a recorded request', (of) => of.requests.find(Buffer.alloc(32))],
  ['webhooks', (of) => of.webhooks.list(TENANT)],
  ['a webhook', (of) => of.webhooks.get(TENANT, WEBHOOK)],
  ['a change of a webhook', async (of) => (await of.webhooks.changes()).delete(OWN, null)],
  ['a tenant', (of) => new Tenants(of.pool).load(TENANT)],
  [
    'a change of a tenant',
    (of) => new Tenants(of.pool).execute({ tenantId: TENANT, commands: [], meta: META, write: () => Promise.resolve() }),
  ],
  ['a key', (of) => describeKey(of.pool, { tenantId: TENANT, keyId: 'key' })],
  ['a list of keys', (of) => listKeys({ pool: of.pool })],
  [
    'a change of the limits of a key',
    (of) => limitKey({ pool: of.pool, pepper: 'the pepper of a test' }, { tenantId: TENANT, keyId: 'key', changes: {} }, META),
  ],
  ['what limits were set', (of) => listLimits(of.pool)],
  ['the use of limits', (of) => readLimitUsage(of.pool, { tenantId: TENANT, keyId: 'key' })],
  ['limits', (of) => new LimitReads(of.pool, { tenant: {}, key: {} }).of({ tenantId: TENANT, keyId: 'key', keyLimits: null })],
  ['logs that have grown', (of) => createFindGrown(of.pool)([{ tenantId: TENANT, size: 1 }])],
  ['logged events', (of) => readLoggedEvents(of.pool, TENANT, {}, { after: null, limit: 5 })],
  ['the trail of reads', (of) => listReads(of.pool, TENANT, { keyId: undefined, before: null, limit: 5 })],
  ['a read for the trail', (of) => createReadTrail(of.pool)(READ)],
  ['old threads', (of) => oldThreads(of.pool, '', new Date(), 5)],
  ['a job as it stood', (of) => of.pastJobs.history(TENANT, JOB)],
  ['a balance', (of) => of.balances.read(TENANT)],
  ['a claim', (of) => of.claims.search(TENANT, { jobId: JOB }, { limit: 5, offset: 0, after: null })],
  ['keys that have ended', (of) => endedKeys(of.pool, ['key'])],
  ['a removal', (of) => removeSkeleton(of.pool, THREAD)],
])('without a database %s is refused as unavailable, so that it may be asked for again', async (_, ask) => {
  await expect(Promise.resolve(ask(store))).rejects.toBeInstanceOf(StoreUnavailable);
});

it('without a database an erasure in the background is left to the sweeper, and nobody is told', async () => {
  const alerts: unknown[] = [];
  store.onAlert((alert) => alerts.push(alert));
  store.erasure.start(THREAD);
  await store.erasure.stop();
  expect(alerts).toEqual([]);
});

it('without a database nothing can be committed', async () => {
  await expect(store.requireCommit(1_000)).rejects.toThrow(/ECONNREFUSED/);
});

describe('is refused as unavailable too', () => {
  const readFrom = async (databaseUrl: string): Promise<unknown> => {
    await using closing = new AsyncDisposableStack();
    const other = openStore({
      ...{ databaseUrl, connections: 1, masterKeys: [Buffer.alloc(32, 1)], leaseMs: 30_000, redispatchFirstMs: 1_000 },
    });
    closing.defer(() => other.close());
    return await other.views.readJob(PLACE).catch((error: unknown) => error);
  };

  it('where the socket of the database is not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'no-socket-'));
    const url = `postgres:///none?user=nobody&host=${folder}`;
    expect(await readFrom(url)).toMatchObject({ name: 'StoreUnavailable', cause: { message: expect.stringContaining('ENOENT') } });
    rmSync(folder, { recursive: true });
  });

  it.each(['XX000', '58000'])('what a pooler says with %s, and not what PostgreSQL says with it', async (code) => {
    const pooler = createServer((socket) => {
      const fields = ['SFATAL', `C${code}`, 'MMax client connections reached', ''].join('\0');
      const body = Buffer.from(`${fields}\0`);
      const length = Buffer.alloc(4);
      length.writeInt32BE(body.length + length.length);
      socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, body])));
    });
    await once(pooler.listen(0, '127.0.0.1'), 'listening');
    const { port } = pooler.address() as AddressInfo;
    expect(await readFrom(`postgres://nobody@127.0.0.1:${port}/none`)).toMatchObject({
      name: 'StoreUnavailable',
      cause: { code, message: 'Max client connections reached' },
    });
    pooler.close();
    const test = await createTestStore();
    const raised = await test.store.pool
      .query(`do $$ begin raise exception using errcode = '${code}'; end $$`)
      .catch((error: unknown) => error);
    expect(raised).toMatchObject({ code });
    expect(asStoreError(raised)).toBe(raised);
    await test.close();
  });
});

describe('whoever waits for the database', () => {
  it('hears why there is no answer', () => {
    expect(refuse('full')).toBeInstanceOf(StoreBusy);
    expect(refuse('late')).toMatchObject({ name: 'StoreUnavailable', cause: { message: 'the database did not answer in time' } });
    expect(refuse('unwanted')).toMatchObject({ name: 'StoreUnavailable', cause: { message: 'nobody waits for the answer any more' } });
  });

  it.each(['08006', '25006', '28P01', '3D000', '53300', '57014', '57P01', '58030', 'ECONNRESET', 'EMFILE', 'ENFILE', 'CERT_HAS_EXPIRED'])(
    '%s is an outage',
    (code) => {
      const error = Object.assign(new Error('no'), { code });
      expect(asStoreError(error)).toMatchObject({ name: 'StoreUnavailable', cause: error });
      const wrapped = new Error('outer', { cause: new AggregateError([error]) });
      expect(asStoreError(wrapped)).toMatchObject({ name: 'StoreUnavailable', cause: wrapped });
    },
  );

  it.each(['23505', '40001', '57P06', '5301', 'ENOENT', ''])('%s is none', (code) => {
    const error = Object.assign(new Error('no'), { code });
    expect(asStoreError(error)).toBe(error);
    expect(asStoreError('text')).toBe('text');
  });
});

it.each([
  ['postgres:///x?host=/run/postgresql', 'local'],
  ['postgres://localhost/x', 'local'],
  ['postgres://127.0.0.1/x', 'local'],
  ['postgres://[::1]/x', 'local'],
  ['postgres://localhost.example/x', 'none'],
  ['postgres://db.127.0.0.1/x', 'none'],
  ['postgres://db/x', 'none'],
  ['postgres://db/x?sslmode=disable', 'none'],
  ['postgres://db/x?sslmode=require', 'encrypted'],
  ['postgres://db/x?sslmode=verify-ca', 'verified'],
  ['postgres://db/x?sslmode=verify-full', 'verified'],
])('the way to %s is %s', (url, protection) => {
  expect(protectionOf(url)).toBe(protection);
});

describe('a server that takes no writes', () => {
  it('is told from one that does, and the connections from before are given up', async () => {
    const test = await createTestStore();
    const { pool, requireCommit } = test.store;
    const backend = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
    await expect(requireCommit(5_000)).resolves.toBeUndefined();
    const before = await backend();
    await pool.query('set default_transaction_read_only = on');
    await expect(requireCommit(5_000)).rejects.toThrow('the database is read-only');
    const after = await backend();
    expect(after).not.toBe(before);
    await expect(requireCommit(5_000)).resolves.toBeUndefined();
    await pool.query('set default_transaction_read_only = on');
    await expect(createJob(test.store)).resolves.toMatchObject({ jobId: expect.any(String) as string });
    expect(await backend()).not.toBe(after);
    await test.close();
  });

  it('since its disk is full can commit again once it finds room for a temporary file, and is asked for one no longer', async () => {
    const test = await createTestStore();
    const { pool, requireCommit } = test.store;
    const limited = () => pool.query('set temp_file_limit = 0');
    await limited();
    await expect(requireCommit(5_000)).resolves.toBeUndefined();
    await expect(pool.query(`do $$ begin raise exception using errcode = '53100'; end $$`)).rejects.toThrow();
    await limited();
    await expect(requireCommit(5_000)).rejects.toThrow('temporary file size exceeds');
    // The connection that found none is given up, and what is new is not limited.
    await expect(requireCommit(5_000)).resolves.toBeUndefined();
    const { rows } = await pool.query(`select current_setting('work_mem') as memory, now() = statement_timestamp() as "isAlone"`);
    expect(rows).toEqual([{ memory: '4MB', isAlone: true }]);
    await limited();
    await expect(requireCommit(5_000)).resolves.toBeUndefined();
    expect(pool.totalCount - pool.idleCount).toBe(0);
    await test.close();
  });
});

it('the limits of a key are nobody’s to change but its tenant’s', async () => {
  const test = await createTestStore();
  const keys = { pool: test.store.pool, pepper: 'a pepper of sixteen' };
  const keyId = (await createKey(keys, 'acme', null)).slice(8, 20);
  await expect(limitKey(keys, { tenantId: 'globex', keyId, changes: { openJobs: 1 } }, META)).rejects.toMatchObject({
    code: 'key_not_found',
  });
  await test.close();
});
