import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Citation } from '@lib/domain/citation';
import { writtenReport } from '@lib/domain/job/recorded-report';
import type { JobCommand, StepResult } from '@lib/domain/job/commands';
import { migrate } from '@lib/store/postgres/migrations';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { seal, unseal } from '@lib/store/sealing/seal';
import { openStore, type Store } from '@lib/store/store';
import { startPostgres, type RunningPostgres } from '../../src/embedded/postgres';
import { report, start } from '../support/job-history';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, onJob, pursue, readMessages, readThread, refusal } from '../support/streams';

/** Text that can come from nowhere else, and that no compression shortens. */
const canary = `canary${randomBytes(20).toString('hex')}`;

const citation: Citation = {
  ...{ index: 1, url: `https://example.org/${canary}`, title: canary, snippet: canary },
  ...{ startIndex: null, endIndex: null, publishedAt: null, domain: `${canary}.example.org` },
};
const completed: StepResult = {
  ...{ outcome: 'completed', charge: { micros: 0, provenance: 'reported' }, rawSha256: 'ab'.repeat(32), model: null },
  ...{ reportMarkdown: `It is ${canary}. `.repeat(400), citations: [citation], truncated: false },
};
const failed: StepResult = {
  ...{ outcome: 'failed', errorClass: 'auth', errorMessage: `No: ${canary}`, charge: null, retryAfterMs: null, runEnded: true },
};
const evidence = { provider: 'provider-a' as const, stepId: 'stp_1', quote: canary, start: 0, end: 1, citationIndexes: [1] };
const completion: JobCommand = {
  ...{ type: 'CompleteJob', synthesizer: 'test' },
  report: writtenReport({
    markdown: `# ${canary}`,
    claims: [{ id: 'c1', claim: canary, confidence: 'high', supporting: [evidence], contradicting: [] }],
    followOnTopics: [{ topic: canary, rationale: canary, kind: 'gap', claimIds: ['c1'] }],
  }),
};

const externalId = `run-${canary}`;
const recordRun = (stepId: string): JobCommand => ({
  ...{ type: 'RecordExternalId', stepId, attempt: 1, externalId },
});

/** A thread with content of every kind, in a finished and in an open job. */
async function fullThread(store: Store): Promise<{ threadId: string; jobIds: string[] }> {
  const {
    threadId,
    jobId,
    stepIds: [one = '', two = ''],
  } = await createJob(store, { query: canary });
  await addMessage(store, threadId, `More of ${canary}`);
  await onJob(store, jobId, start(one), recordRun(one), report(one, 1, completed));
  await onJob(store, jobId, start(two), report(two, 1, failed), completion);
  const child = await pursue(store, threadId, jobId, `What about ${canary}?`);
  return { threadId, jobIds: [jobId, child] };
}

describe('content in the database', () => {
  let folder: string;
  let postgres: RunningPostgres;
  let store: Store;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'research-sealing-'));
    postgres = await startPostgres({ dataDir: join(folder, 'data'), settings: { fsync: 'off' }, keep: false });
    await migrate(postgres.url);
    store = openStore({
      databaseUrl: postgres.url,
      connections: 4,
      masterKeys: [randomBytes(32)],
      leaseMs: 30_000,
      redispatchFirstMs: 10_000,
    });
  });
  afterAll(async () => {
    await store.close();
    await postgres.stop();
  });

  /** Files of the server, its write-ahead log and its own log included, and tables that hold the text. */
  async function placesOf(text: string): Promise<string[]> {
    await store.pool.query('checkpoint');
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    const places: string[] = [];
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      // Files of the server come and go.
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      if (bytes.includes(text)) places.push(path.slice(folder.length));
    }
    const { rows } = await store.pool.query<{ name: string }>(`select relname as name from pg_stat_user_tables`);
    for (const { name } of rows) {
      const found = await store.pool.query(`select 1 from "${name}" as row where row::text like $1 limit 1`, [`%${text}%`]);
      if (found.rowCount) places.push(`table ${name}`);
    }
    return places;
  }

  it('is nowhere in plain, neither before nor after its thread is deleted', async () => {
    const { threadId, jobIds } = await fullThread(store);
    expect(String(await store.views.getJob(TENANT, threadId, jobIds[0] ?? ''))).toContain(canary);
    expect(await placesOf(canary)).toEqual([]);
    await deleteThread(store, threadId);
    expect(await placesOf(canary)).toEqual([]);
    const { rows } = await store.pool.query<{ sealed: number; keys: number; documents: number }>(
      `select (select count(sealed)::int from event) as sealed, (select count(*)::int from thread_key) as keys, (select count(*)::int from job) as documents`,
    );
    expect(rows).toEqual([{ sealed: 0, keys: 0, documents: 0 }]);
  });

  it('would be found if it were there', async () => {
    await store.pool.query(`create table planted as select 'planted-canary'::text as content`);
    const places = await placesOf('planted-canary');
    expect(places).toContain('table planted');
    expect(places.filter((place) => place.includes('/pg_wal/'))).not.toEqual([]);
  });
});

describe('a key-encryption key', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await createTestStore();
  });
  afterAll(() => test.close());

  const storeWith = (masterKey: Buffer): Store =>
    openStore({ databaseUrl: test.databaseUrl, connections: 1, masterKeys: [masterKey], leaseMs: 1000, redispatchFirstMs: 1000 });

  it('that is another one is refused at the start, with what to do', async () => {
    await test.store.enterMasterKeys();
    await createJob(test.store);
    const other = storeWith(randomBytes(32));
    await expect(other.enterMasterKeys()).rejects.toThrow(/sealed under key [0-9a-f]{16}, MASTER_KEY is [0-9a-f]{16}: set the MASTER_KEY/);
    await other.close();
    const same = storeWith(test.masterKey);
    await same.enterMasterKeys();
    await same.close();
  });

  it.each([0, 16, 31, 33])('of %i bytes is none', (bytes) => {
    expect(() => storeWith(randomBytes(bytes))).toThrow(`MASTER_KEY has ${bytes} bytes: it must be 32 bytes`);
  });

  it('keeps no more memory for the key of a thread than its bytes', () => {
    const { wrapped } = new KeyRing([randomBytes(32)]).create('thr_1');
    expect(wrapped.buffer.byteLength).toBe(wrapped.length);
  });
});

describe('sealed content', () => {
  let test: TestStore;
  let store: Store;
  beforeAll(async () => {
    test = await createTestStore();
    store = test.store;
    // What somebody with all rights on the database could do.
    await store.pool.query('alter table event disable trigger user');
  });
  afterAll(() => test.close());

  it('that was moved to another row does not open there', async () => {
    const {
      threadId,
      jobIds: [jobId = ''],
    } = await fullThread(store);
    const sealedOf = (version: number) => `(select sealed from event where stream_id = '${threadId}' and version = ${version})`;
    await store.pool.query(`update event set sealed = ${sealedOf(2)} where stream_id = $1 and type = 'JobRequested'`, [jobId]);
    await store.pool.query(`update event set sealed = ${sealedOf(4)} where stream_id = $1 and version = 2`, [threadId]);
    const reader = test.another();
    expect(await refusal(reader.contents.ofJob(jobId, threadId).question())).toBe('Unsealable');
    expect(await refusal(readMessages(reader.views, threadId))).toBe('Unsealable');
  });

  it('does not keep another piece closed that is read with it', async () => {
    const [broken, whole] = [await fullThread(store), await fullThread(store)];
    await store.pool.query(`update event set sealed = 'short' where stream_id = $1 and version = 1`, [broken.threadId]);
    const reader = test.another();
    const titles = [broken, whole].map(({ threadId }) => reader.contents.ofThread(threadId).title());
    expect(await Promise.all(titles.map(refusal))).toEqual(['Unsealable', 'nothing was refused']);
  });

  it('of a document does not open for another job of the same thread', async () => {
    const {
      threadId,
      jobIds: [jobId = '', child = ''],
    } = await fullThread(store);
    await store.pool.query('update job set document = (select document from job where id = $1) where id = $2', [jobId, child]);
    expect(await refusal(store.views.getJob(TENANT, threadId, child))).toBe('Unsealable');
  });

  it.each([
    ['the document of one', 'update job set document = document || $2 where id = $1'],
    [
      'the key of one’s thread',
      'update thread_key set wrapped = wrapped || $2 where thread_id = (select thread_id from job where id = $1)',
    ],
  ])('keeps no other job closed that is read with it: %s', async (_, corrupt) => {
    const jobs = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { threadId, jobIds } = await fullThread(store);
        return { threadId, jobId: jobIds[0] ?? '' };
      }),
    );
    await store.pool.query(corrupt, [jobs[1]?.jobId, Buffer.of(0)]);
    const reader = test.another();
    const reads = () => Promise.all(jobs.map(({ threadId, jobId }) => refusal(reader.views.getJob(TENANT, threadId, jobId))));
    const wanted = ['nothing was refused', 'Unsealable', 'nothing was refused', 'nothing was refused'];
    expect(await reads()).toEqual(wanted);
    // What is remembered by then changes nothing.
    expect(await reads()).toEqual(wanted);
    await expect(reader.views.getJob(TENANT, jobs[1]?.threadId ?? '', jobs[1]?.jobId ?? '')).rejects.toMatchObject({
      of: jobs[1]?.jobId,
    });
  });

  it('does not open under the key of another thread, nor under a changed one', async () => {
    const [mine, theirs] = [await fullThread(store), await fullThread(store)];
    const title = () => test.another().contents.ofThread(mine.threadId).title();
    const replaceKey = `update thread_key set wrapped = (select wrapped from thread_key where thread_id = $1) where thread_id = $2`;
    await store.pool.query(replaceKey, [theirs.threadId, mine.threadId]);
    expect(await refusal(title())).toBe('Unsealable');
    await store.pool.query(`update thread_key set wrapped = 'short' where thread_id = $1`, [mine.threadId]);
    expect(await refusal(title())).toBe('Unsealable');
  });

  it('is remembered by the room that it takes when it is opened, not by what is left of it when it is packed', async () => {
    const { threadId, jobId, stepIds } = await createJob(store);
    const [first = '', second = ''] = stepIds;
    const long: StepResult = { ...completed, reportMarkdown: 'a'.repeat(33 * 1024 * 1024), citations: [] };
    await onJob(store, jobId, start(first), report(first, 1, long));
    await onJob(store, jobId, start(second), report(second, 1, completed));
    const { steps } = await store.jobs.load(jobId);
    const contents = store.contents.ofJob(jobId, threadId);
    const query = jest.spyOn(store.pool, 'query');
    for (const step of steps) expect((await contents.report(step))?.reportMarkdown).toBeDefined();
    expect(query.mock.calls.length).toBeGreaterThan(0);
    query.mockRestore();
  });

  it('of a deleted thread is not shown by a process that has read it before', async () => {
    const { threadId, jobIds } = await fullThread(store);
    const reader = test.another();
    const read = () =>
      Promise.all([
        readThread(reader.views, threadId),
        readMessages(reader.views, threadId),
        ...jobIds.map((jobId) => reader.views.getJob(TENANT, threadId, jobId)),
        ...jobIds.map((jobId) => reader.views.listEvents(TENANT, threadId, jobId)),
      ]);
    expect((await read()).filter((found) => found === null)).toEqual([]);
    await deleteThread(store, threadId);
    expect((await read()).filter((found) => found !== null)).toEqual([]);
  });

  it('does not open if a single bit of it, its key or its place is another one', () => {
    const [key, otherKey] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))];
    for (const text of ['', 'short', 'long '.repeat(500), '\0\ud83d\ude00']) {
      const sealed = seal(key, 'place', text);
      expect(unseal(key, 'place', sealed)).toBe(text);
      expect(() => unseal(otherKey, 'place', sealed)).toThrow('cannot be opened');
      expect(() => unseal(key, 'another place', sealed)).toThrow('another place cannot be opened');
      for (const at of sealed.keys()) {
        const changed = Buffer.from(sealed);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(() => unseal(key, 'place', changed)).toThrow('cannot be opened');
      }
      for (let length = 0; length < Math.min(sealed.length, 40); length += 1) {
        expect(() => unseal(key, 'place', sealed.subarray(0, length))).toThrow('cannot be opened');
      }
    }
  });

  it('is another one each time', () => {
    const key = createSecretKey(randomBytes(32));
    expect(seal(key, 'place', 'same').equals(seal(key, 'place', 'same'))).toBe(false);
  });
});
