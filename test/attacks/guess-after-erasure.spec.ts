import { createHash, randomUUID } from 'node:crypto';
import type { StepResult } from '@lib/domain/job/commands';
import { Saga } from '../../src/saga/saga';
import { eventually } from '../messaging/eventually';
import { runHere } from '../support/run-task';
import { candidate, createJob, createTestStore } from '../support/store';
import { deleteThread } from '../support/streams';
import { startSystem } from '../system/support/system';

/**
 * Somebody who holds a dump of the database, from before a DELETE or after it, and has a guess: the provider's log, the gateway's log, or a likely
 * answer. Whatever can be computed from the guess alone is looked for in the dump.
 */
const formsOf = (guess: string): string[] => {
  const digests = ['sha256', 'sha512', 'sha1', 'md5'].flatMap((name) => {
    const digest = createHash(name).update(guess).digest();
    return [digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')];
  });
  const twice = createHash('sha256').update(createHash('sha256').update(guess).digest('hex')).digest('hex');
  return [guess, JSON.stringify(guess), ...digests, twice];
};

type Query = <Row extends object>(statement: string) => Promise<Row[]>;

/** Every row of every table, as text. */
async function dump(query: Query): Promise<string> {
  const tables = await query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const rows = await Promise.all(tables.map(({ name }) => query<{ row: string }>(`select t::text as row from ${name} t`)));
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

const confirmed = (text: string, guesses: Record<string, string>): string[] =>
  Object.entries(guesses)
    .filter(([, guess]) => formsOf(guess).some((form) => text.includes(form)))
    .map(([name]) => name);

it('a deleted job confirms no guess of what its provider was asked, answered, or called it', async () => {
  const test = await createTestStore();
  const query: Query = async <Row extends object>(text: string) => (await test.store.pool.query<Row>(text)).rows;
  const saga = new Saga(test.store, 30_000, runHere);
  const { threadId, jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a'), candidate('provider-c')] });
  const guesses = {
    'the raw response': JSON.stringify({ id: 'resp_123', output: 'So it is.' }),
    'the id of the run': `run-${randomUUID()}`,
    'the name of the model': `someones-model-${randomUUID()}`,
    'the prompt': `Write a report. <question>How? ${randomUUID()}</question>`,
    'the id of the request': `req-of-the-provider-${randomUUID()}`,
    'the id of the refused request': `req-of-a-refusal-${randomUUID()}`,
  };
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const call = { sentSha256: sha256(guesses['the prompt']), requestId: guesses['the id of the request'], status: 200 };
  const result = {
    ...{ outcome: 'completed', charge: { micros: 5, provenance: 'reported' }, rawSha256: sha256(guesses['the raw response']) },
    ...{ model: guesses['the name of the model'], reportMarkdown: 'So it is.', citations: [], truncated: false, call },
  } as StepResult;
  const refused = {
    ...{ outcome: 'failed', errorClass: 'auth', errorMessage: 'No.', charge: null, retryAfterMs: null, runEnded: true },
    call: { ...call, requestId: guesses['the id of the refused request'], status: 401 },
  } as StepResult;
  const [one = '', two = ''] = stepIds;
  for (const stepId of stepIds) await saga.claim({ jobId, stepId, claimId: randomUUID() });
  await saga.recordExternalId({ jobId, stepId: one, attempt: 1, externalId: guesses['the id of the run'] });
  await saga.report({ jobId, stepId: one, attempt: 1, result });
  await saga.report({ jobId, stepId: two, attempt: 1, result: refused });
  // A result that comes after everything was erased is recorded as well.
  const late = await createJob(test.store, { candidates: [candidate('provider-a')] });
  await saga.claim({ jobId: late.jobId, stepId: late.stepIds[0] ?? '', claimId: randomUUID() });

  expect(confirmed(await dump(query), guesses)).toEqual([]);
  await deleteThread(test.store, threadId);
  await deleteThread(test.store, late.threadId);
  await saga.report({ jobId: late.jobId, stepId: late.stepIds[0] ?? '', attempt: 1, result });
  expect(confirmed(await dump(query), guesses)).toEqual([]);
  await test.close();
});

it('a caller’s own ids of a request lead to no thread, deleted or not, and still to its line in the log', async () => {
  const system = await startSystem({ environment: { LOG_LEVEL: 'info' } });
  const guesses = { 'the id of the request': 'order-4711-of-mrs-miller', 'the trace': '0af7651916cd43dd8448eb211c80319c' };
  const headers = { 'x-request-id': guesses['the id of the request'], traceparent: `00-${guesses['the trace']}-b7ad6b7169203331-01` };
  const answer = await fetch(`${system.client.address}/v1/threads`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${await system.keyOf('default')}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'How?', providers: ['provider-a'] }),
  });
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([201, guesses['the id of the request']]);
  const { id, job } = (await answer.json()) as { id: string; job: { id: string } };
  await system.client.finalJob(id, job.id);
  expect(confirmed(await dump(system.query), guesses)).toEqual([]);
  await system.client.expect(200, 'DELETE', `/v1/threads/${id}`);
  await eventually(0, async () => (await system.query('select 1 from agenda where job_id = $1', [id])).length);
  expect(confirmed(await dump(system.query), guesses)).toEqual([]);
  const line = system.logged
    .map((text) => JSON.parse(text) as Record<string, string>)
    .find(({ requestId }) => requestId === 'order-4711-of-mrs-miller');
  const [created] = await system.query<{ id: string }>(
    `select meta ->> 'correlationId' as id from event where stream_id = $1 and version = 1`,
    [id],
  );
  expect(line).toMatchObject({ correlationId: created?.id, traceparent: headers.traceparent });
  await system.stop();
});
