import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { HOUR_MS, MINUTE_MS } from '@lib/domain/durations';
import { applyDeletions, recordedDeletions } from '@lib/store/deletions/apply-deletions';
import { deletionLine, DeletionList, requireDeletionFolder } from '@lib/store/deletions/deletion-list';
import { readDeletions } from '@lib/store/deletions/read-deletions';
import { newId } from '@lib/store/new-id';
import { migrate } from '@lib/store/postgres/migrations';
import { openStore, type Store } from '@lib/store/store';
import { startPostgres } from '../../src/embedded/postgres';
import { firstBadVersion } from '../support/chain';
import { databaseClock } from '../support/database-clock';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { eventTypes, onJob, readThread, refusal } from '../support/streams';
import { viewDifferences } from '../support/view-differences';
import { sampleOf, scrape } from '../telemetry/scrape';
import { startSystem } from '../system/support/system';

const LEASE_MS = 30_000;

let base: string;
let folder: string;
let test: TestStore;
const stores: Store[] = [];
beforeAll(async () => {
  test = await createTestStore();
});
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'deletion-list-'));
  folder = join(base, 'list');
  mkdirSync(folder);
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  rmSync(base, { recursive: true });
});
afterAll(() => test.close());

function listing(databaseUrl = test.databaseUrl, { masterKey } = test): Store {
  const store = openStore({
    ...{ databaseUrl, connections: 2, masterKeys: [masterKey], leaseMs: LEASE_MS, redispatchFirstMs: 1000 },
    deletionList: folder,
  });
  stores.push(store);
  return store;
}

async function listed(): Promise<string[]> {
  const threadIds: string[] = [];
  for await (const { threadId } of readDeletions(folder)) threadIds.push(threadId);
  return threadIds;
}

/** A copy of a running server's files, as a base backup makes it. */
async function backup(databaseUrl: string, from: string, to: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`select pg_backup_start('test', true)`);
  execFileSync('cp', ['-a', from, to]);
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  execFileSync('cp', ['-a', `${from}/pg_wal/.`, `${to}/pg_wal/`]);
  rmSync(join(to, 'postmaster.pid'), { force: true });
  writeFileSync(join(to, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o644 });
}

/** Lists deletions with one free descriptor, though two are needed at the beginning. */
const WITHOUT_FILES = `
  const { openSync, closeSync, readdirSync, readlinkSync, promises } = require('node:fs');
  const { DeletionList } = require(${JSON.stringify(join(__dirname, '../../dist/libs/store/deletions/deletion-list.js'))});
  const folder = process.argv[1];
  const targetOf = (descriptor) => { try { return readlinkSync('/proc/self/fd/' + descriptor); } catch { return ''; } };
  void (async () => {
    const list = new DeletionList(folder);
    await promises.stat(folder);
    const taken = [];
    try { for (;;) taken.push(openSync('/dev/null')); } catch {}
    closeSync(taken.pop());
    const codes = [];
    for (let tries = 0; tries < 3; tries += 1)
      await list.add('thr_01m8k3bweafaqac2bc7n7yxhwd', new Date()).catch(({ cause }) => codes.push(cause.code));
    taken.forEach((descriptor) => closeSync(descriptor));
    const open = readdirSync('/proc/self/fd').filter((descriptor) => targetOf(descriptor).startsWith(folder + '/')).length;
    console.log(JSON.stringify({ codes, open, files: readdirSync(folder) }));
  })();
`;

describe('a restored backup', () => {
  it('has no deleted thread once the service serves from it', async () => {
    const settings = { fsync: 'off' };
    const [data, copy] = [join(base, 'data'), join(base, 'copy')];
    const server = await startPostgres({ dataDir: data, settings, keep: false });
    await migrate(server.url);
    const store = listing(server.url);
    const [gone, stays] = [await createJob(store, { tenantId: 'default' }), await createJob(store, { tenantId: 'default' })];
    await backup(server.url, data, copy);
    await store.threads.delete(gone.threadId, 'default', META);
    await store.erasure.erase(gone.threadId);
    await store.close();
    stores.length = 0;
    await server.stop();

    const restored = await startPostgres({ dataDir: copy, settings, keep: false });
    const without = openStore({
      databaseUrl: restored.url,
      connections: 2,
      masterKeys: [test.masterKey],
      leaseMs: LEASE_MS,
      redispatchFirstMs: 1000,
    });
    stores.push(without);
    expect(await without.contents.ofThread(gone.threadId).title()).toBe('How?');

    const system = await startSystem({
      environment: { DELETION_LIST: folder, MASTER_KEY: test.masterKey.toString('base64') },
      database: { url: restored.url, drop: async () => undefined },
    });
    expect((await system.client.send('GET', `/v1/threads/${gone.threadId}`)).status).toBe(404);
    expect((await system.client.send('GET', `/v1/threads/${stays.threadId}`)).status).toBe(200);
    expect(system.logged.filter((line) => line.includes('deleted_again'))).toHaveLength(1);
    await system.stop();

    expect(await without.pool.query('select thread_id from thread_key')).toMatchObject({ rows: [{ thread_id: stays.threadId }] });
    expect((await eventTypes(without, gone.jobId)).at(-1)).toBe('ContentErased');
    expect(await viewDifferences(without.pool, LEASE_MS)).toMatchObject({ differences: [] });
    expect(await firstBadVersion(without.pool, gone.threadId)).toBeNull();
    expect(await applyDeletions(without, readDeletions(folder))).toEqual({ listed: 1, deleted: [], used: [] });
    await Promise.all(stores.splice(0).map((one) => one.close()));
    await restored.stop();
  });
});

describe('the deletion list', () => {
  it('holds a deletion, by ids and a time alone, before it is committed', async () => {
    const store = listing();
    const { threadId } = await createJob(store, { query: 'A private question' });
    const before: string[] = [];
    store.onCommit(() => before.push(...readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))));
    await store.threads.delete(threadId, TENANT, META);
    expect(before).toHaveLength(1);
    const line = JSON.parse(before[0] ?? '') as object;
    expect(line).toEqual({ v: 1, entry: expect.any(String), at: expect.any(String), deleted: threadId });
    expect(Object.keys(line)).toHaveLength(4);
  });

  it('deletes what a process was about to delete when it died', async () => {
    const { threadId } = await createJob(test.store);
    const list = new DeletionList(folder);
    await list.add(threadId, test.store.now());
    await list.close();
    expect(await applyDeletions(test.store, readDeletions(folder))).toEqual({ listed: 1, deleted: [threadId], used: [] });
    expect(await readThread(test.store.views, threadId)).toBeNull();
  });

  it('takes back what was refused, and nothing else: of two deletions at once one is done, and stays listed', async () => {
    const processes = [listing(), listing()];
    const { threadId } = await createJob(test.store);
    const outcomes = await Promise.all(processes.map((store) => refusal(store.threads.delete(threadId, TENANT, META))));
    expect(outcomes.toSorted()).toEqual(['nothing was refused', 'thread_not_found']);
    expect(await listed()).toEqual([threadId]);
    const list = new DeletionList(folder);
    await (
      await list.add(newId('thr'), new Date())
    )();
    await list.close();
    expect(await listed()).toEqual([threadId]);
  });

  it('is filled by nobody with threads that are not theirs', async () => {
    const store = listing();
    const { threadId } = await createJob(store);
    expect(await refusal(store.threads.delete(threadId, 'another', META))).toBe('thread_not_found');
    expect(await refusal(store.threads.delete(newId('thr'), TENANT, META))).toBe('thread_not_found');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves neither a file nor a descriptor behind where files run out', () => {
    const program = ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, '-e', WITHOUT_FILES, folder];
    const told = JSON.parse(execFileSync('sh', program, { encoding: 'utf8' })) as object;
    expect(told).toEqual({ codes: ['EMFILE', 'EMFILE', 'EMFILE'], open: 0, files: [] });
  });

  it('that cannot be written keeps the thread, and the next try deletes it', async () => {
    const store = listing();
    const { threadId } = await createJob(store);
    rmSync(folder, { recursive: true });
    expect(await refusal(store.threads.delete(threadId, TENANT, META))).toBe('DeletionNotListed');
    expect(await readThread(store.views, threadId)).not.toBeNull();
    mkdirSync(folder);
    await store.threads.delete(threadId, TENANT, META);
    expect(await listed()).toEqual([threadId]);
  });

  it('that cannot be written is told to the client, in the log and to who is on call; the database is not blamed', async () => {
    const system = await startSystem({ environment: { DELETION_LIST: folder, ADMIN_PORT: '0' } });
    try {
      const { client, logged } = system;
      const { id } = await client.createThread({ message: 'q' });
      rmSync(folder, { recursive: true });
      const { status, body, headers } = await client.send('DELETE', `/v1/threads/${id}`);
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
      expect(body.detail).toMatch(/cannot be recorded outside the database .* it is not done/);
      const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown> & { err?: { message: string } });
      const alert = lines.find(({ reason }) => reason === 'deletion_not_listed');
      expect(alert).toMatchObject({ level: 'error', alert: true, of: id });
      expect(alert?.err?.message).toContain(`${folder} cannot be written (ENOENT): make room`);
      const admin = String(lines.find(({ reason }) => reason === 'admin')?.address);
      expect(sampleOf(await scrape(admin), 'research_alerts_total', { reason: 'deletion_not_listed' })).toBe(1);
      mkdirSync(folder);
      await client.expect(200, 'DELETE', `/v1/threads/${id}`);
    } finally {
      await system.stop();
    }
  });

  it.each<[string, () => void]>([
    ['removed', () => readdirSync(folder).forEach((name) => rmSync(join(folder, name)))],
    ['moved with its folder', () => (renameSync(folder, join(base, 'elsewhere')), mkdirSync(folder))],
  ])('whose file was %s holds what is deleted afterwards', async (_, take) => {
    const store = listing();
    const [first, second] = [await createJob(store), await createJob(store)];
    await store.threads.delete(first.threadId, TENANT, META);
    take();
    await store.threads.delete(second.threadId, TENANT, META);
    expect(await listed()).toEqual([second.threadId]);
  });

  it('on a file system that does not answer keeps nobody waiting', async () => {
    const list = new DeletionList(folder);
    // As a network file system whose server is gone: these hold every thread that Node has for files.
    const pipe = join(base, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const held = Array.from({ length: 32 }, async () => (await open(pipe, 'r')).close());
    const [first, second] = [newId('thr'), newId('thr')];
    const refused = await Promise.all([refusal(list.add(first, new Date())), refusal(list.add(second, new Date()))]);
    const writer = openSync(pipe, constants.O_RDWR);
    await Promise.all(held);
    closeSync(writer);
    expect(refused).toEqual(['DeletionNotListed', 'DeletionNotListed']);
    await list.add(second, new Date());
    await list.close();
    expect(await listed()).toContain(second);
  }, 30_000);

  it('keeps one file open for each process, which nobody else reads', async () => {
    const list = new DeletionList(folder);
    for (const _ of [1, 2]) await list.add(newId('thr'), new Date());
    const open = () =>
      readdirSync('/proc/self/fd').flatMap((name) => {
        try {
          const path = readlinkSync(`/proc/self/fd/${name}`);
          return path.startsWith(folder) ? [path] : [];
        } catch {
          return [];
        }
      });
    const [name = '', ...others] = readdirSync(folder);
    expect([open(), others]).toEqual([[join(folder, name)], []]);
    expect(name).toMatch(new RegExp(`^${hostname()}-${process.pid}-[0-9a-f-]{36}\\.jsonl$`));
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await list.close();
    expect(open()).toEqual([]);
  });

  it('that was applied leaves nothing of a thread, says who deleted it, and is applied once by whoever is first', async () => {
    const { threadId, jobId } = await createJob(test.store);
    const again = test.another();
    const asked = [{ threadId, at: test.store.now() }];
    const applied = await Promise.all([applyDeletions(test.store, asked), applyDeletions(again, asked)]);
    expect(applied.flatMap(({ deleted }) => deleted)).toEqual([threadId]);
    for (const { listed: count, used } of applied) expect([count, used]).toEqual([1, []]);
    const { rows } = await test.store.pool.query<{ actor: string; reason: string }>(
      `select meta ->> 'actor' as actor, meta ->> 'correlationId' as reason from event where stream_id = $1 and type = 'ThreadDeleted'`,
      [threadId],
    );
    expect(rows).toEqual([{ actor: 'role:operator', reason: 'deletion list' }]);
    await test.store.erasure.erase(threadId);
    expect((await eventTypes(test.store, jobId)).at(-1)).toBe('ContentErased');
  });

  it('is applied a thousand threads at a time, and what was listed too early is deleted if it was listed later as well', async () => {
    const { threadId } = await createJob(test.store);
    const [early, late] = [new Date(Date.now() - 600_000), new Date()];
    const others = Array.from({ length: 1_000 }, () => ({ threadId: newId('thr'), at: late }));
    const asked = [{ threadId, at: early }, ...others, { threadId, at: late }];
    expect(await applyDeletions(test.store, asked)).toEqual({ listed: 1_002, deleted: [threadId], used: [] });
    expect(await applyDeletions(test.store, [])).toEqual({ listed: 0, deleted: [], used: [] });
  });

  it('leaves a thread alone that was written to later: its deletion cannot have been committed', async () => {
    const { threadId } = await createJob(test.store);
    const asked = [{ threadId, at: new Date(Date.now() - 600_000) }];
    expect(await applyDeletions(test.store, asked)).toEqual({ listed: 1, deleted: [], used: [threadId] });
    expect(await readThread(test.store.views, threadId)).not.toBeNull();
  });

  it('deletes a thread in which only a job has ended since, as after a restore that brought it back with an open job', async () => {
    const other = await createTestStore();
    const clock = await databaseClock(other);
    const store = listing(clock.url, other);
    const { threadId, jobId } = await createJob(store);
    const asked = [{ threadId, at: new Date() }];
    await clock.set(HOUR_MS);
    // By this commit the store hears of the clock.
    await createJob(store);
    await onJob(store, jobId, { type: 'CancelJob' });
    expect(await applyDeletions(store, asked)).toEqual({ listed: 1, deleted: [threadId], used: [] });
    await other.close();
  });

  it('is read to a line that was cut off at its end; any other that is none is named', async () => {
    const line = deletionLine({ threadId: newId('thr'), at: new Date() });
    const file = join(folder, 'one.jsonl');
    writeFileSync(file, `${line}\n${line.slice(0, -5)}`);
    expect(await listed()).toHaveLength(1);
    // The line end alone is missing.
    writeFileSync(file, `${line}\n${line}`);
    expect(await listed()).toHaveLength(2);
    writeFileSync(file, '');
    expect(await listed()).toEqual([]);
    for (const name of ['one.jsonl.old', 'notes']) writeFileSync(join(folder, name), 'no list');
    writeFileSync(file, `${line}\n`);
    expect(await listed()).toHaveLength(1);
    for (const name of ['one.jsonl.old', 'notes']) rmSync(join(folder, name));
    for (const broken of [
      '',
      '{}',
      line.slice(1),
      line.replace('"deleted":"thr_', '"deleted":"job_'),
      line.replace('"v":1', '"v":2'),
      'null',
      '[1]',
      `"${'x'.repeat(100_000)}`,
    ]) {
      writeFileSync(file, `${line}\n${broken}\n${line}\n`);
      await expect(listed()).rejects.toThrow(`line 2 of ${file} is no entry of a deletion list`);
    }
  });

  it('may be long: what is refused at its end was refused at its beginning, and the latest deletion of a thread counts', async () => {
    const [stays, gone] = [await createJob(test.store), await createJob(test.store)];
    const early = new Date(Date.now() - 600_000);
    const lineOf = (entry: string, rest: object, at = new Date()) => JSON.stringify({ v: 1, entry, at: at.toISOString(), ...rest });
    const others = Array.from({ length: 2_500 }, () => deletionLine({ threadId: newId('thr'), at: new Date() }));
    const text = [
      lineOf('refused', { deleted: stays.threadId }),
      lineOf('early', { deleted: gone.threadId }, early),
      ...others,
      lineOf('late', { deleted: gone.threadId }),
      lineOf('early again', { deleted: gone.threadId }, early),
      lineOf('refused', { refused: stays.threadId }),
    ];
    writeFileSync(join(folder, 'long.jsonl'), `${text.join('\n')}\n`);
    expect(await applyDeletions(test.store, readDeletions(folder))).toEqual({ listed: 2_502, deleted: [gone.threadId], used: [] });
    expect(await readThread(test.store.views, stays.threadId)).not.toBeNull();
  });

  it('tells what stood in it when it began to be read, and nothing that is refused meanwhile', async () => {
    const [first, second] = [newId('thr'), newId('thr')];
    const list = new DeletionList(folder);
    await list.add(first, new Date());
    const reading = readDeletions(folder);
    expect((await reading.next()).value).toMatchObject({ threadId: first });
    await list.add(second, new Date());
    expect(await reading.next()).toMatchObject({ done: true });
    expect((await listed()).toSorted()).toEqual([first, second].toSorted());
    await list.close();
  });

  it('can be made from what the database knows', async () => {
    const { threadId } = await createJob(test.store);
    await test.store.threads.delete(threadId, TENANT, META);
    const lines: string[] = [];
    for await (const deletion of recordedDeletions(test.store.pool)) lines.push(deletionLine(deletion));
    writeFileSync(join(folder, 'exported.jsonl'), `${lines.join('\n')}\n`);
    expect(await listed()).toContain(threadId);
  });

  it('is a folder that is there and can be written to, or the start says so', async () => {
    await requireDeletionFolder(folder);
    const file = join(folder, 'file');
    writeFileSync(file, '', { mode: 0o700 });
    await expect(requireDeletionFolder(file)).rejects.toThrow(
      `The deletion list ${file} cannot be used: it is no folder. Set DELETION_LIST`,
    );
    for (const wrong of [join(folder, 'missing'), '/dev/null']) {
      await expect(requireDeletionFolder(wrong)).rejects.toThrow(`The deletion list ${wrong} cannot be used`);
      await expect(startSystem({ environment: { DELETION_LIST: wrong } })).rejects.toThrow(/Set DELETION_LIST to a folder that exists/);
    }
  });
});

it('has the database’s time of a deletion, also where its clock was set since the process committed last', async () => {
  const clock = await databaseClock(test);
  const store = listing(clock.url);
  const { threadId } = await createJob(store);
  await clock.set(HOUR_MS);
  await store.threads.delete(threadId, TENANT, META);
  for await (const { at } of readDeletions(folder)) expect(Math.abs(at.getTime() - Date.now() - HOUR_MS)).toBeLessThan(MINUTE_MS);
  expect(await listed()).toEqual([threadId]);
});
