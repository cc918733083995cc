import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from '../support/properties';
import { eventually } from '../messaging/eventually';
import type { Answer } from './support/http-client';
import { NEVER_MS } from './support/providers-file';
import { startSystem, type System } from './support/system';

let system: System;
const folder = mkdtempSync(join(tmpdir(), 'research-ledger-'));
/** What the provider saw. */
const ledgerFile = join(folder, 'ledger.jsonl');

beforeAll(async () => {
  writeFileSync(ledgerFile, '');
  system = await startSystem({
    providers: { 'provider-d': { latencyMs: NEVER_MS, background: true, ledgerFile } },
    environment: { LEASE_MS: '600', HEARTBEAT_MS: '100', SWEEP_MS: '50', REDISPATCH_FIRST_MS: '50', REDISPATCH_MS: '50' },
  });
});
afterAll(async () => {
  await system.stop();
  rmSync(folder, { recursive: true });
});

const codeOf = ({ status, body }: Answer) => `${status} ${(body.code as string | undefined) ?? 'ok'}`;

/** How every route on the thread answers. */
async function answersOf(threadId: string, jobId: string): Promise<string[]> {
  const thread = `/v1/threads/${threadId}`;
  const job = `${thread}/jobs/${jobId}`;
  const requests: [string, string, object?][] = [
    ['GET', thread],
    ['GET', `${thread}/messages`],
    ['POST', `${thread}/messages`, { message: 'm' }],
    ['GET', job],
    ['GET', `${job}/events`],
    ['POST', `${job}/pursue`, { topic: 't' }],
    ['DELETE', thread],
  ];
  return Promise.all(requests.map(async ([method, path, body]) => codeOf(await system.client.send(method, path, body))));
}
const GONE = ['thread', 'thread', 'thread', 'job', 'job', 'thread', 'thread'].map((what) => `404 ${what}_not_found`);

const historyOf = async (streamId: string): Promise<string[]> => {
  const rows = await system.query<{ type: string }>('select type from event where stream_id = $1 order by version', [streamId]);
  return rows.map(({ type }) => type);
};
/** What is left of a deleted thread is erased in pieces. */
const untilErased = (threadId: string) =>
  eventually(0, async () => (await system.query('select 1 from agenda where job_id = $1', [threadId])).length);
const callsOf = (call: string, stepId: string) =>
  readFileSync(ledgerFile, 'utf8')
    .split('\n')
    .filter((line) => line.includes(stepId) && line.includes(`"call":"${call}"`)).length;

it('cancels a running job, stops its worker and leaves nothing to be read or started', async () => {
  const { client } = system;
  const { id, job } = await client.createThread({
    message: 'a secret question',
    mode: 'methodical',
    providers: ['provider-a', 'provider-d', 'provider-c'],
  });
  await eventually(true, async () => (await client.events(id, job.id)).some(({ type }) => type === 'StepExternalIdRecorded'));
  const [requested] = await client.events(id, job.id);
  const slow = (requested?.facts as { plan: { stepId: string }[] }).plan[1]?.stepId ?? '';
  await client.expect(201, 'POST', `/v1/threads/${id}/messages`, { message: 'a secret message' });

  expect(await client.send('DELETE', `/v1/threads/${id}`)).toMatchObject({ status: 200, body: { deleted: true } });
  expect(await answersOf(id, job.id)).toEqual(GONE);
  // By the attempt that is told so, or by whoever finds it on the agenda: either alone is enough.
  await eventually(true, async () => callsOf('cancel', slow) > 0);

  await eventually(true, async () => (await historyOf(job.id)).includes('StepRunCancelled'));
  await untilErased(id);
  const history = await historyOf(job.id);
  const ending = ['StepFailed', 'StepSkipped', 'JobCancelled', 'ContentErased', 'StepRunCancelled'];
  expect(history.slice(history.indexOf('StepFailed'))).toEqual(ending);
  expect(await historyOf(id)).toEqual(['ThreadCreated', 'MessageAdded', 'JobAdded', 'MessageAdded', 'ThreadDeleted']);
  expect(await system.query('select 1 from event where stream_id = any ($1) and sealed is not null', [[id, job.id]])).toEqual([]);
  expect(await system.query('select 1 from agenda where job_id = $1', [job.id])).toEqual([]);
  expect(await system.query('select 1 from thread_key where thread_id = $1', [id])).toEqual([]);
  for (const view of ['thread', 'message', 'job']) {
    const column = view === 'thread' ? 'id' : 'thread_id';
    expect(await system.query(`select 1 from ${view} where ${column} = $1`, [id])).toEqual([]);
  }
  expect((await client.expect<{ threads: { id: string }[] }>(200, 'GET', '/v1/threads')).threads.some((one) => one.id === id)).toBe(false);
  expect(callsOf('submit', slow)).toBe(1);
});

it('erases a thread whose jobs have ended as well', async () => {
  const { client } = system;
  const first = await client.research({ message: 'q', providers: ['provider-a'] });
  const pursued = await client.pursue(first.threadId, first.id, { topic: 't', providers: ['provider-a'] });
  await client.finalJob(first.threadId, pursued.id);
  await client.expect(200, 'DELETE', `/v1/threads/${first.threadId}`);
  for (const jobId of [first.id, pursued.id]) {
    expect(await answersOf(first.threadId, jobId)).toEqual(GONE);
    await untilErased(first.threadId);
    expect((await historyOf(jobId)).slice(-2)).toEqual(['JobCompleted', 'ContentErased']);
  }
});

it('answers one of several deletions at once with 200 and the others with 404', async () => {
  const { id, job } = await system.client.createThread({ message: 'q', providers: ['provider-d'] });
  const answers = await Promise.all(Array.from({ length: 5 }, () => system.client.send('DELETE', `/v1/threads/${id}`)));
  expect(answers.map(codeOf).sort()).toEqual(['200 ok', ...Array<string>(4).fill('404 thread_not_found')]);
  await untilErased(id);
  expect((await historyOf(id)).filter((type) => type === 'ThreadDeleted')).toHaveLength(1);
  expect((await historyOf(job.id)).filter((type) => type === 'ContentErased')).toHaveLength(1);
});

/** What may be asked of a thread while it is deleted, and what each may answer. */
const MEANWHILE = {
  pursue: ['201 ok', '404 thread_not_found'],
  message: ['201 ok', '404 thread_not_found'],
  thread: ['200 ok', '404 thread_not_found'],
  messages: ['200 ok', '404 thread_not_found'],
  job: ['200 ok', '404 job_not_found'],
  delete: ['200 ok', '404 thread_not_found'],
} as const;
type Meanwhile = keyof typeof MEANWHILE;

function send(what: Meanwhile, threadId: string, jobId: string): Promise<Answer> {
  const { client } = system;
  const thread = `/v1/threads/${threadId}`;
  switch (what) {
    case 'pursue':
      return client.send('POST', `${thread}/jobs/${jobId}/pursue`, { topic: 't', providers: ['provider-d', 'provider-a'] });
    case 'message':
      return client.send('POST', `${thread}/messages`, { message: 'm' });
    case 'thread':
      return client.send('GET', thread);
    case 'messages':
      return client.send('GET', `${thread}/messages`);
    case 'job':
      return client.send('GET', `${thread}/jobs/${jobId}`);
    case 'delete':
      return client.send('DELETE', thread);
  }
}

it('meets whatever else is asked at the same time in one order or the other', async () => {
  const asked = fc.array(fc.constantFrom(...(Object.keys(MEANWHILE) as Meanwhile[])), { minLength: 1, maxLength: 6 });
  const scenario = fc.record({ before: asked, after: asked, providers: fc.constantFrom(['provider-a'], ['provider-d']) });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ before, after, providers }) => {
      const { id, job } = await system.client.createThread({ message: 'q', providers });
      const all = [...before, 'delete' as const, ...after];
      const answers = await Promise.all(all.map((what) => send(what, id, job.id)));
      for (const [place, what] of all.entries()) expect(MEANWHILE[what]).toContain(codeOf(answers[place] as Answer));
      expect(answers.filter(({ body }) => body.deleted === true)).toHaveLength(1);
      for (const { body } of answers) {
        // A thread is seen whole or not at all.
        if (Array.isArray(body.messages)) expect(body.messages).not.toEqual([]);
        if (Array.isArray(body.jobs)) expect(body.jobs).not.toEqual([]);
      }

      expect(await answersOf(id, job.id)).toEqual(GONE);
      await untilErased(id);
      const jobs = await system.query<{ stream_id: string }>(
        `select stream_id from event where type = 'JobRequested' and facts ->> 'threadId' = $1`,
        [id],
      );
      for (const { stream_id: jobId } of jobs) {
        const history = await historyOf(jobId);
        expect(history.filter((type) => /^Job(Completed|Failed|Cancelled)$/.test(type))).toHaveLength(1);
        // A call that had left before may still come back: its cost counts, and nothing else. And its provider is told to stop.
        const afterwards = history.slice(history.indexOf('ContentErased') + 1);
        expect(afterwards.filter((type) => type !== 'StepResultLate' && type !== 'StepRunCancelled')).toEqual([]);
        expect(history).toContain('ContentErased');
      }
      const streams = [id, ...jobs.map(({ stream_id: jobId }) => jobId)];
      expect(await system.query('select 1 from event where stream_id = any ($1) and sealed is not null', [streams])).toEqual([]);
      const agenda = () => system.query<{ kind: string }>('select kind from agenda where job_id = any ($1)', [streams]);
      // A provider that has accepted a run is still told to stop it: nothing else may outlive the deletion.
      expect((await agenda()).filter(({ kind }) => kind !== 'cancel run')).toEqual([]);
      await eventually(0, async () => (await agenda()).length);
    }),
    { numRuns: 25 },
  );
});
