import { generateKey } from '@lib/store/access/key-format';
import { FAILING } from './support/providers-file';
import { startSystem, type System } from './support/system';

/** Everything that the service logs, at its most talkative, while people write what nobody else may read. */
let system: System;
let stranger: string;
let keys: string[];
/** Every text that must stay out of the log. */
const secrets: string[] = [];

const secret = (text: string): string => {
  secrets.push(text);
  return text;
};

beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-b': FAILING }, environment: { LOG_LEVEL: 'trace' } });
  stranger = await system.keyOf('stranger');
  keys = [stranger, generateKey().keyText, 'not-even-a-key'];
  const { client } = system;
  const { id, job } = await client.createThread({ message: secret('my private question'), providers: ['provider-a', 'provider-b'] });
  const final = await client.finalJob(id, job.id);
  for (const { reportMarkdown, citations, errorMessage } of final.steps) {
    secrets.push(...reportMarkdown.split(/(?<=\.)\s+/).filter((sentence) => sentence.length > 20));
    secrets.push(...citations.map(({ url }) => url), ...(errorMessage === null ? [] : [errorMessage]));
  }
  secrets.push(...(final.synthesisClaimsJson ?? []).map(({ claim }) => claim));
  await client.send('POST', `/v1/threads/${id}/messages`, { message: secret('my private message') });
  const pursued = await client.pursue(id, job.id, { topic: secret('my private topic'), providers: ['provider-a'] });
  await client.finalJob(id, pursued.id);
  await client.send('GET', '/v1/threads?limit=5');
  await client.send('GET', `/v1/threads/${id}/messages`);

  await client.send('POST', '/v1/threads', { message: secret('my refused question'), [secret('private_property')]: 1 });
  await client.send('POST', '/v1/threads', { message: `${secret('my very long question')}${'x'.repeat(40_000)}` });
  await client.send('GET', `/v1/threads/${secret('my-private-path')}`);
  await client.send('GET', `/v1/threads?${secret('my-private-query')}=1`);
  await client.send('GET', `/v1/${secret('my-private-address')}`);
  for (const key of keys) await client.withKey(key).send('GET', `/v1/threads/${id}`);
  await client.withKey(null).send('GET', `/v1/${keys[0]}`);
  await client.send('DELETE', `/v1/threads/${id}`);
  secrets.push(...keys.map((key) => key.slice(-20)));
});
afterAll(() => system.stop());

const entries = () => system.logged.map((line) => JSON.parse(line) as Record<string, unknown>);

it('never holds content or a key', () => {
  const log = system.logged.join('');
  expect(secrets.length).toBeGreaterThan(30);
  expect(secrets.filter((text) => log.includes(text) || log.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
  expect(log).not.toMatch(/authorization|bearer/i);
});

it('has one line for each state change, with its reason and ids', async () => {
  const stored = await system.query<{ stream_id: string; version: number; type: string; step: string | null; correlation: string }>(
    `select stream_id, version, type, facts ->> 'stepId' as step, meta ->> 'correlationId' as correlation from event
      -- Keys are made by the test, not by a process.
      where stream_id not like 'ten\\_%'`,
  );
  const changes = entries().filter(({ version }) => version !== undefined);
  const lineOf = (entry: Record<string, unknown>) =>
    [entry.jobId ?? entry.threadId, entry.version, entry.reason, entry.stepId ?? null, entry.correlationId].join(' ');
  expect(changes.map(lineOf).sort()).toEqual(
    stored.map(({ stream_id: id, version, type, step, correlation }) => [id, version, type, step, correlation].join(' ')).sort(),
  );
  for (const entry of changes) expect(entry).toMatchObject({ level: 'info', time: expect.stringMatching(/Z$/) });
  expect(changes.find(({ reason }) => reason === 'StepFailed')).toMatchObject({ failure: 'auth', attempt: 1 });
  expect(changes.find(({ reason }) => reason === 'JobFailed' || reason === 'JobCompleted')).toBeDefined();
});

it('has one line for each request, which leads to the changes that it made', async () => {
  const requests = entries().filter(({ msg }) => msg === 'request');
  expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(requests.length);
  const linesOf = (status: number, method: string) => requests.filter((entry) => entry.status === status && entry.method === method);
  const [created] = linesOf(201, 'POST');
  expect(created).toEqual({
    level: 'info',
    time: expect.any(String),
    requestId: expect.any(String),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    method: 'POST',
    route: '/v1/threads',
    status: 201,
    ms: expect.any(Number),
    tenantId: 'default',
    keyId: expect.stringMatching(/^[0-9A-Za-z]{12}$/),
    msg: 'request',
  });
  const made = entries().filter(({ correlationId }) => correlationId === created?.requestId);
  expect(made.map(({ reason }) => reason)).toEqual(['ThreadCreated', 'MessageAdded', 'JobAdded', 'JobRequested']);
  expect(linesOf(201, 'POST')).toHaveLength(3);
  expect(linesOf(400, 'POST')).toHaveLength(2);
  expect(linesOf(400, 'GET')).toHaveLength(2);
  expect(linesOf(401, 'GET')).toHaveLength(3);
  expect(linesOf(404, 'GET')).toHaveLength(2);
  expect(linesOf(200, 'DELETE')).toMatchObject([
    { threadId: expect.stringMatching(/^thr_/), route: '/v1/threads/:threadId', tenantId: 'default' },
  ]);
  const [pursue] = linesOf(201, 'POST').filter(({ route }) => String(route).endsWith('/pursue'));
  expect(pursue).toMatchObject({ threadId: expect.stringMatching(/^thr_/), jobId: expect.stringMatching(/^job_/) });
});
