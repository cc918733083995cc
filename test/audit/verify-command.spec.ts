import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@lib/store/store';
import { Bundles, withoutReceipts } from '../support/bundles';
import { complete, report, start, success } from '../support/job-history';
import { createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { deleteThread, onJob } from '../support/streams';
import { research } from '../system/support/command';
import { sequence } from '../../src/audit/sequencer';

const READER = 'auditor_of_a_test';
const PATIENCE_MS = 120_000;

let test: TestStore;
let store: Store;
let folder: string;
let jobId: string;
let threadId: string;
jest.setTimeout(PATIENCE_MS);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'research-verify-'));
  test = await createTestStore();
  store = test.store;
  await store.pool.query(`drop role if exists ${READER}`);
  await store.pool.query(`create role ${READER} login password 'reads'`);
  await store.pool.query(`grant select on all tables in schema public to ${READER}`);
  const created = await createJob(store);
  ({ jobId, threadId } = created);
  for (const stepId of created.stepIds) await onJob(store, jobId, start(stepId), report(stepId, 1, success()));
  await onJob(store, jobId, complete);
  const deleted = await createJob(store, { tenantId: 'tenant-one' });
  await deleteThread(store, deleted.threadId);
  await store.erasure.erase(deleted.threadId);
});
afterAll(async () => {
  await store.pool.query(`drop owned by ${READER}`);
  await store.pool.query(`drop role ${READER}`);
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

/** By a role that may only read, without any secret. */
function verify(...args: string[]) {
  const url = new URL(test.databaseUrl);
  [url.username, url.password] = [READER, 'reads'];
  return research(['verify', ...args], { DATABASE_URL: url.href, DATA_DIR: join(folder, 'data') });
}

it('ends with 0 where nothing was changed', async () => {
  expect(await verify()).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Histories: 4, events: \d+, the last one thr_\w+; with a fault: 0, not looked at: 0\.\n$/),
    stderr: '',
  });
  expect((await verify(jobId)).stdout.split('\n')).toEqual([
    `Histories: 1, events: 7, the last one ${jobId}; with a fault: 0, not looked at: 0.`,
    expect.stringMatching(/^Log: 0 entries, /),
    '',
  ]);
  expect(JSON.parse((await verify('--tenant', 'nobody', '--json')).stdout)).toMatchObject({ streams: 0, events: 0, faults: [] });
  expect(JSON.parse((await verify('--after', jobId, '--json')).stdout)).toMatchObject({ streams: 3, faults: [] });
});

it('signs what there is, proves it, and compares it with a checkpoint that was kept', async () => {
  const settings = {
    DATABASE_URL: test.databaseUrl,
    DATA_DIR: join(folder, 'data'),
    CHECKPOINT_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  const signed = await research(['checkpoint'], settings);
  expect({ code: signed.code, note: signed.stdout }).toEqual({ code: 0, note: expect.stringContaining('\n— research-threads/') });
  const [opened] = signed.stderr.split('\n').flatMap((line) => (line.includes('log_opened') ? [JSON.parse(line) as object] : []));
  expect(opened).toMatchObject({ level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
  const file = join(folder, 'kept');
  writeFileSync(file, signed.stdout);
  const kept = join(folder, 'kept checkpoints');
  mkdirSync(join(kept, 'lost+found'), { recursive: true });
  writeFileSync(join(kept, 'checkpoint'), signed.stdout);
  // A process that was killed while it wrote leaves such a file.
  writeFileSync(join(kept, 'checkpoint.1.new'), '');
  expect(await verify('--against', kept)).toMatchObject({ code: 0, stdout: expect.stringContaining('compared with 2 checkpoints') });
  expect(await verify('--against', file)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Log: \d+ entries, compared with 2 checkpoints/),
  });
  const inclusion = await research(['prove', 'inclusion', jobId, '1'], settings);
  expect(JSON.parse(inclusion.stdout)).toMatchObject({ event: { streamId: jobId, version: 1 }, checkpoint: signed.stdout });
  const past = await research(['prove', 'inclusion', jobId, '999'], settings);
  expect(past).toMatchObject({ code: 3, stdout: '' });
  expect(past.stderr).toMatch(
    new RegExp(`^The stream ${jobId} has (\\d+) events and none of version 999: ask for a version from 1 to \\1\\.\n$`),
  );
  const unknown = `job_${'0'.repeat(26)}`;
  expect((await research(['prove', 'inclusion', unknown, '1'], settings)).stderr).toBe(
    `The database has no stream ${unknown}: correct its name.\n`,
  );
  const consistency = await research(['prove', 'consistency', '3'], settings);
  expect(JSON.parse(consistency.stdout)).toMatchObject({ from: 3, checkpoint: signed.stdout });

  const move = (by: string) =>
    store.pool.query(`update event set appended_at = appended_at ${by} where stream_id = $1 and version = 1`, [jobId]);
  await store.pool.query('alter table event disable trigger user');
  await move(`+ interval '1 second'`);
  const found = await verify('--against', file);
  await move(`- interval '1 second'`);
  expect({ code: found.code, stdout: found.stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining(`${jobId} version 1 leaf_hash: entry `),
  });
  expect(found.stdout).toContain(`log root: the events are not those of the checkpoint ${file}`);
  const [before, beyond] = [3, 1_000_000];
  const put = (from: number, to: number) => store.pool.query('update log_entry set index = $2 where index = $1', [from, to]);
  await put(before, beyond);
  const cut = await verify('--against', file);
  await put(beyond, before);
  expect({ code: cut.code, stdout: cut.stdout }).toEqual({ code: 1, stdout: expect.stringContaining('log log_entry: entry 3 is missing') });
  expect(cut.stdout).toMatch(/Log: looked at 3 of \d+ entries, up to the first that is missing, .*Not looked at: what comes behind it/);
  expect(await verify('--against', join(folder, 'nothing'))).toMatchObject({ code: 2, stderr: expect.stringContaining('--against') });
  expect(await verify(jobId, '--against', file)).toMatchObject({ code: 2, stderr: expect.stringContaining('leave out the id') });
});

it('writes a bundle with the same rights, and looks at it without any database', async () => {
  const out = join(folder, 'bundle');
  const url = new URL(test.databaseUrl);
  [url.username, url.password] = [READER, 'reads'];
  const settings = { DATABASE_URL: url.href, DATA_DIR: join(folder, 'data') };
  const kept = join(folder, 'kept');
  const exported = await research(['export', '--since', '2020-01-01T00:00:00Z', '--out', out, '--against', kept], settings);
  expect(exported).toEqual({ code: 0, stdout: expect.stringMatching(/bundle: \d+ events of 4 histories and \d+ receipts/), stderr: '' });
  const offline = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const looked = await research(['verify', out, '--against', kept], offline);
  expect(looked).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Bundle: 4 histories, all of the \d+ entries of the log, 1 checkpoints, 1 receipts; with a fault: 0/),
    stderr: '',
  });
  expect((await research(['verify', out], offline)).stdout).toMatch(
    /\nWho signed was not checked: the keys are those of the bundle\. Name the key of the log with --key\.\n$/,
  );
  const bundles = new Bundles();
  const unconfirmed = await research(['verify', bundles.changed(out, withoutReceipts)], offline);
  bundles.remove();
  expect(unconfirmed).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^notice: thread thr_\w+ is deleted and the bundle has no receipt of it\nBundle: 4 histories/),
    stderr: '',
  });
  const events = join(out, 'events.jsonl');
  writeFileSync(events, readFileSync(events, 'utf8').replace('"actor":"role:test"', '"actor":"role:tess"'));
  const found = await research(['verify', out], offline);
  expect({ code: found.code, stdout: found.stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(/^thr_\w+ version 1 hash: is not that of this event/),
  });
  expect(found.stdout).toContain('bundle events.jsonl: is not what SHA256SUMS says');
  writeFileSync(join(out, 'SHA256SUMS'), '');
  expect(await research(['verify', out], offline)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^bundle SHA256SUMS: .*\nBundle: no event was looked at; with a fault: 1\.\n$/),
  });
  expect(await research(['verify', join(folder, 'data')], offline)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is no whole bundle'),
  });
  expect(await research(['verify', out, '--tenant', 'acme'], offline)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('leave them out'),
  });
  expect(await research(['export', '--out', out], settings)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('say what to export'),
  });
});

it.each([
  ['by its id', () => [jobId]],
  ['by its tenant', () => ['--tenant', 'tenant-one']],
])('looks at the entries of a history %s, and says what it did not look at', async (_, args) => {
  const { code, stdout } = await verify(...args());
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Log: [1-9]\d* entries, compared with these events\. Not looked at: /m),
  });
});

it('finds that the last event of one history is gone', async () => {
  await store.pool.query('alter table event disable trigger user');
  const { rows } = await store.pool.query<{ version: number; row: object }>(
    'delete from event where stream_id = $1 and version = (select max(version) from event where stream_id = $1) returning version, to_jsonb(event) as row',
    [jobId],
  );
  const [gone] = rows;
  const { code, stdout } = await verify(jobId);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(new RegExp(`^${jobId} version ${String(gone?.version)} event: entry \\d+ of the log names`, 'm')),
  });
  const { stdout: json } = await verify(jobId, '--json');
  expect(JSON.parse(json)).toMatchObject({ log: { isWhole: false, checkpoints: 0 } });
  await store.pool.query('insert into event overriding system value select * from jsonb_populate_record(null::event, $1)', [gone?.row]);
});

it('ends with 1 where every event of what is named is gone', async () => {
  await store.pool.query('alter table event disable trigger user');
  const { rows } = await store.pool.query<{ rows: object[] }>(
    'with gone as (delete from event where tenant_id = $1 returning *) select json_agg(gone) as rows from gone',
    [TENANT],
  );
  const looked = [await verify(jobId), await verify('--tenant', TENANT)];
  await store.pool.query('insert into event overriding system value select * from jsonb_populate_recordset(null::event, $1)', [
    JSON.stringify(rows[0]?.rows),
  ]);
  const isGone = new RegExp(`^${jobId} version 1 event: entry \\d+ of the log names this event, and it is not there`, 'm');
  const expected = { code: 1, stdout: expect.stringMatching(isGone), stderr: '' };
  expect(looked).toEqual([expected, expected]);
});

it('finds that an entry says another tenant than its event', async () => {
  const give = async (tenant: string) => {
    const { rows } = await store.pool.query<{ tenant: string }>(
      `update log_entry set tenant_id = $2 from event
        where (log_entry.stream_id, log_entry.version) = (event.stream_id, event.version) and event.stream_id = $1 and event.version = 2
        returning (select facts ->> 'tenantId' from event where stream_id = $1 and version = 1) as tenant`,
      [jobId, tenant],
    );
    return rows[0]?.tenant ?? '';
  };
  const tenant = await give('another');
  // Twice, since the floor rises only behind what was the newest position before.
  for (let times = 0; times < 2; times += 1) await sequence(store.pool);
  const looked = await verify(jobId);
  const tenants = await verify('--tenant', tenant);
  const others = await verify('--tenant', 'another');
  await give(tenant);
  const saysAnother = new RegExp(`^${jobId} version 2 tenant_id: entry \\d+ of the log says another tenant than the event`, 'm');
  expect({ code: looked.code, stdout: looked.stdout }).toEqual({ code: 1, stdout: expect.stringMatching(saysAnother) });
  expect(others.stdout).toMatch(saysAnother);
  const isMissed = `${jobId} version 2 log_entry: the event is not in the log, or its entry says another tenant`;
  expect({ code: tenants.code, stdout: tenants.stdout }).toEqual({ code: 1, stdout: expect.stringContaining(isMissed) });
});

it('ends with 1 where something was, and names the place', async () => {
  await store.pool.query('alter table event disable trigger user');
  await store.pool.query(`update event set meta = meta || '{"actor": "key:another"}' where stream_id = $1 and version = 3`, [jobId]);
  const { code, stdout } = await verify();
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining(`${jobId} version 3 hash: `) });
  expect((await verify(threadId)).code).toBe(0);
});

it('shows what somebody changed in one line that moves no cursor', async () => {
  const forged = 'job_\u001b[2J\nHistories: 3, with a fault: 0';
  await store.pool.query('update event set stream_id = $2 where stream_id = $1 and version = 7', [jobId, forged]);
  const { code, stdout } = await verify();
  const [told] = stdout.split('\n').filter((line) => line.startsWith('job_[2J Histories: 3, with a fault: 0 version 1 version: '));
  expect({ code, isTold: told !== undefined, hasEscape: stdout.includes('\u001b') }).toEqual({ code: 1, isTold: true, hasEscape: false });
  await store.pool.query('update event set stream_id = $1 where stream_id = $2', [jobId, forged]);
});

it.each([
  ['a job that is not there', ['job_00000000000000000000000000'], 'the database holds no event of job_'],
  ['a tenant that has nothing', ['--tenant', 'nobody'], 'the database holds no event of nobody'],
  ['what is no id', ['nothing'], 'must be the id of a job or a thread'],
  ['a place that is no id', ['--after', '../x'], 'must be the id of a job or a thread'],
  ['a bundle by a key that is none', ['./bundle', '--key', 'foo'], 'must be a verifier key'],
  ['an option that is none', ['--fast'], "unknown option '--fast'"],
])('does not say that all is well of %s', async (_, args, said) => {
  const { code, stderr } = await verify(...args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(said) });
});

it('ends with 2 where it cannot look', async () => {
  await store.pool.query(`revoke select on event from ${READER}`);
  expect(await verify()).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/could not look: .*permission denied.* Use the DATABASE_URL of the owner/),
  });
});
