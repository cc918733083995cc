import type { PastJobView } from '@lib/store/views/past-job.view';
import { HttpClient } from '../system/support/http-client';
import { startSystem, type System } from '../system/support/system';

/** Programs and providers have a slow machine. */
jest.setTimeout(60_000);

const CANARY = 'a canary of this test';
let system: System;
let client: HttpClient;
let job: { threadId: string; id: string };
/** The bytes of each answer of the job's route, by the version of its tag. */
const answers = new Map<number, string>();

beforeAll(async () => {
  system = await startSystem({
    providers: { 'provider-a': { latencyMs: 300, reserveCents: 40, costCents: 30 }, 'provider-b': { latencyMs: 50 } },
  });
  client = system.client;
  const created = await client.createThread({ message: CANARY, providers: ['provider-a', 'provider-b'] });
  job = { threadId: created.id, id: created.job.id };
  for (let isFinal = false; !isFinal;) {
    const { headers, text, body } = await client.send('GET', `/v1/threads/${job.threadId}/jobs/${job.id}`);
    answers.set(Number.parseInt(headers.get('etag')?.replace(/^(W\/)?"/, '') ?? '', 10), text);
    isFinal = body.completedAt !== null;
  }
});
afterAll(() => system.stop());

const past = (query = '', by = client, jobId = job.id) => by.send<PastJobView>('GET', `/v1/audit/jobs/${jobId}${query}`);

it('answers at each version the bytes that the job’s own route answered then', async () => {
  expect(answers.size).toBeGreaterThan(2);
  for (const [version, answer] of answers) {
    const { status, text, body } = await past(`?version=${version}`);
    expect({ status, version: body.version, erased: body.erased }).toEqual({ status: 200, version, erased: false });
    expect(text).toContain(`"document":${answer},"steps":`);
  }
});

it('answers as of any time, and without a parameter as of now', async () => {
  const { body: now } = await past();
  expect({ ...now, version: now.latestVersion, until: null }).toEqual(now);
  expect(now.money).toMatchObject({ chargedMicros: 300_000, totals: { committedMicros: 300_000, heldMicros: 0 } });
  for (let version = 1; version <= now.latestVersion; version += 1) {
    const { body } = await past(`?version=${version}`);
    if (body.until === body.from) continue;
    expect((await past(`?asOf=${body.from}`)).body).toEqual(body);
  }
});

it.each([
  ['version=0', '/version', 'invalid_version'],
  ['version=-1', '/version', 'invalid_version'],
  ['version=1.5', '/version', 'invalid_version'],
  ['version=', '/version', 'invalid_version'],
  ['version=99999999999999', '/version', 'invalid_version'],
  ['version=1&version=2', '/version', 'repeated'],
  ['version=1;drop%20table%20event', '/version', 'invalid_version'],
  ['asOf=yesterday', '/asOf', 'invalid_time'],
  ['asOf=2026-02-30T00:00:00Z', '/asOf', 'invalid_time'],
  ['asOf=%00', '/asOf', 'invalid_time'],
  ['version=1&asOf=2026-11-21T09:30:00Z', '/asOf', 'not_both'],
  ['at=1', '/at', 'unknown_parameter'],
])('refuses %s', async (query, pointer, code) => {
  const { status, body } = await client.send<{ errors: object[] }>('GET', `/v1/audit/jobs/${job.id}?${query}`);
  expect({ status, errors: body.errors }).toEqual({ status: 400, errors: [expect.objectContaining({ pointer, code })] });
});

it('says what there is where nothing is at that version or time', async () => {
  const { body: now } = await past();
  const beyond = await client.send('GET', `/v1/audit/jobs/${job.id}?version=${now.latestVersion + 1}`);
  expect({ status: beyond.status, ...beyond.body }).toMatchObject({
    status: 404,
    code: 'event_not_found',
    detail: expect.stringContaining(`from 1 to ${now.latestVersion}`) as string,
  });
  const before = await client.send('GET', `/v1/audit/jobs/${job.id}?asOf=2020-01-01T00:00:00Z`);
  expect({ status: before.status, code: before.body.code }).toEqual({ status: 404, code: 'event_not_found' });
  expect(before.body.detail).toContain(now.document.createdAt);
});

it('shows nobody the job of another tenant', async () => {
  const stranger = client.withKey(await system.keyOf('another'));
  for (const query of ['', '?version=1', '?version=9999', `?asOf=2999-01-01T00:00:00Z`]) {
    const { status, text } = await past(query, stranger);
    expect([status, text]).toEqual([404, expect.stringContaining('job_not_found')]);
  }
  expect((await past('', client, 'job_01jd6xw8k2e4zvq7h3m5n9p0rs')).text).toContain('job_not_found');
  for (const id of [job.threadId, 'ten_default', 'nothing', '%00']) expect((await past('', client, id)).text).toContain('invalid_id');
  expect((await past('', client.withKey(null))).status).toBe(401);
});

it('shows the skeleton alone once the thread is deleted', async () => {
  const before = (await past()).body;
  await client.expect(200, 'DELETE', `/v1/threads/${job.threadId}`);
  for (let version = 1; version <= before.latestVersion; version += 1) {
    const { status, text, body } = await past(`?version=${version}`);
    expect({ status, erased: body.erased, query: body.document.query }).toEqual({ status: 200, erased: true, query: '' });
    expect(text).not.toContain(CANARY);
    if (version === before.latestVersion) {
      expect(body.money).toEqual(before.money);
      expect(body.steps.map(({ status, reportMarkdown }) => [status, reportMarkdown])).toEqual(
        before.steps.map((step) => [step.status, null]),
      );
      expect(body.document).toMatchObject({ synthesisMarkdown: null, synthesisClaimsJson: null });
      expect(body.document.steps?.map(({ errorMessage }) => errorMessage)).toEqual([null, null]);
    }
  }
});
