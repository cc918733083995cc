import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readDeletions } from '@lib/store/deletions/read-deletions';
import { Client } from '../support/client';
import { Supervisor } from '../support/supervisor';

jest.setTimeout(60_000);

/** Sets the clock of a process that loads it. */
const PRELOAD = { NODE_OPTIONS: `--require ${resolve(__dirname, '../chaos/preload.cjs')}` };
const MINUTE_MS = 60_000;

let supervisor: Supervisor;
let folder: string;
beforeAll(async () => {
  supervisor = await Supervisor.start();
});
// At its start an api deletes again what is listed, which is a commit.
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deletion-list-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
afterAll(() => supervisor?.close());

it.each([-10, 10])('an api whose clock is off by %i minutes goes by the database’s before it has committed anything', async (minutes) => {
  const right = new Client(supervisor);
  const writer = await supervisor.start('api');
  const { body } = await right.call('POST', '/v1/threads', { message: 'How long is it kept?', budget: 'S' });
  const threadId = String(body.id);
  const { id: jobId } = body.job as { id: string };
  await writer.kill();

  const api = await supervisor.start('api', { ...PRELOAD, DELETION_LIST: folder });
  await api.ask({ order: 'clock', value: minutes * MINUTE_MS });
  const usage = await right.call('GET', '/v1/usage?period=7d');
  const comeAgain = async () => Number((await right.call('GET', `/v1/jobs/${jobId}`)).headers.get('retry-after'));
  // Of a new job, and of one that is five minutes old: half a minute is the longest pause.
  expect(await comeAgain()).toBeLessThan(30);
  await supervisor.pool.query(`update job set created_at = created_at - interval '5 minutes' where id = $1`, [jobId]);
  expect(await comeAgain()).toBe(30);
  expect(await right.call('DELETE', `/v1/threads/${threadId}`)).toMatchObject({ status: 200 });
  let listedAt = 0;
  for await (const listed of readDeletions(folder)) if (listed.threadId === threadId) listedAt = listed.at.getTime();
  const minutesOff = (time: number) => Math.round(Math.abs(time - Date.now()) / MINUTE_MS);
  // A restored backup loses a listed thread again only if it was not written to later than that.
  const usedUntil = Date.parse(String(usage.body.from)) + 7 * 24 * 60 * MINUTE_MS;
  expect(minutesOff(listedAt)).toBe(0);
  // The period begins with a whole minute.
  expect(minutesOff(usedUntil)).toBeLessThanOrEqual(1);
  await api.kill();
});
