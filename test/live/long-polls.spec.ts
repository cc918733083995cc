import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import { holdings } from '@lib/memory/holdings';
import { eventually } from '../messaging/eventually';
import { revokeKey } from '../support/keys';
import { changeKey } from '@lib/store/access/api-keys';
import { createPool } from '@lib/store/postgres/pool';
import { preferredWait } from '../../src/live/prefer';
import { NEVER_MS } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

jest.setTimeout(120_000);

/** Much less than the longest wait, and enough for any machine. */
const SOON_MS = 20_000;

let system: System;
beforeAll(async () => {
  system = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } } });
});
afterAll(() => system.stop());

interface Received {
  status: number;
  headers: Headers;
  body: { status?: string; code?: string } | null;
  ms: number;
}

async function get(path: string, headers: Record<string, string> = {}, client = system.client): Promise<Received> {
  const began = performance.now();
  const response = await fetch(client.address + path, { headers: { ...client.headers(), ...headers } });
  const text = await response.text();
  const body = text === '' ? null : (JSON.parse(text) as Received['body']);
  return { status: response.status, headers: response.headers, body, ms: performance.now() - began };
}

const PATHS: [string, (thread: ThreadCreatedView) => string][] = [
  ['the job', ({ id, job }) => `/v1/threads/${id}/jobs/${job.id}`],
  ['the job by its id', ({ job }) => `/v1/jobs/${job.id}`],
];

async function runningJob(client = system.client): Promise<ThreadCreatedView> {
  const thread = await client.createThread({ message: 'How?', providers: ['provider-d'] });
  await client.jobWhen(thread.id, thread.job.id, 'running');
  return thread;
}
/** In this process, with which the system shares it. */
const waitingClients = () => holdings().find(({ name }) => name === 'waiting clients')?.items ?? 0;
const cancel = ({ id, job }: ThreadCreatedView) => system.client.expect(200, 'POST', `/v1/threads/${id}/jobs/${job.id}/cancel`);

describe.each(PATHS)('%s with Prefer: wait', (_, pathOf) => {
  it('is answered when it is final', async () => {
    const thread = await runningJob();
    let isAnswered = false;
    const waiting = get(pathOf(thread), { prefer: 'wait=30' }).finally(() => (isAnswered = true));
    await get(pathOf(thread), { prefer: 'wait=1' });
    expect(isAnswered).toBe(false);
    await cancel(thread);
    const received = await waiting;
    expect(received).toMatchObject({ status: 200, body: { status: 'cancelled' } });
    expect(received.headers.get('preference-applied')).toBe('wait=30');
    expect(received.headers.get('retry-after')).toBeNull();
    expect(received.ms).toBeLessThan(SOON_MS);
    expect((await get(pathOf(thread), { prefer: 'wait=30' })).ms).toBeLessThan(SOON_MS);
  });

  it('is answered when it differs from what the client has', async () => {
    const thread = await runningJob();
    const tag = (await get(pathOf(thread))).headers.get('etag') ?? '';
    const waiting = [tag, '*', `"other", W/${tag}`].map((known) => get(pathOf(thread), { prefer: 'wait=30', 'if-none-match': known }));
    const differing = await get(pathOf(thread), { prefer: 'wait=30', 'if-none-match': '"other"' });
    expect(differing.headers.get('etag')).toBe(tag);
    expect(differing.ms).toBeLessThan(SOON_MS);
    // One that begins to wait after the end has nothing to wait for but its time.
    await eventually(true, async () => waitingClients() >= waiting.length);
    await cancel(thread);
    for (const received of await Promise.all(waiting)) {
      expect(received.headers.get('etag')).not.toBe(tag);
      expect(received.ms).toBeLessThan(SOON_MS);
    }
  });

  it('is answered at once that nothing has changed once it is final', async () => {
    const thread = await runningJob();
    await cancel(thread);
    const tag = (await get(pathOf(thread), { prefer: 'wait=30' })).headers.get('etag') ?? '';
    const received = await Promise.all([tag, '*'].map((known) => get(pathOf(thread), { prefer: 'wait=30', 'if-none-match': known })));
    expect(received.map(({ status, ms }) => [status, ms < SOON_MS])).toEqual([
      [304, true],
      [304, true],
    ]);
  });

  it('is answered when the time is over, with what there is', async () => {
    const thread = await runningJob();
    const tag = (await get(pathOf(thread))).headers.get('etag') ?? '';
    const [final, same] = await Promise.all([
      get(pathOf(thread), { prefer: 'respond-async, wait=1' }),
      get(pathOf(thread), { prefer: 'wait="1"; foo', 'if-none-match': tag }),
    ]);
    expect(final).toMatchObject({ status: 200, body: { status: 'running' } });
    expect(same).toMatchObject({ status: 304, body: null });
    for (const { headers, ms } of [final, same]) {
      expect(headers.get('preference-applied')).toBe('wait=1');
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
      expect(ms).toBeGreaterThan(990);
    }
  });

  it('is 404 once its thread is deleted', async () => {
    const thread = await runningJob();
    const waiting = get(pathOf(thread), { prefer: 'wait=30' });
    await system.client.expect(200, 'DELETE', `/v1/threads/${thread.id}`);
    expect(await waiting).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
    const { status, headers } = await get(pathOf(thread), { prefer: 'wait=30' });
    expect([status, headers.get('preference-applied')]).toEqual([404, null]);
    expect((await waiting).ms).toBeLessThan(SOON_MS);
  });

  it('is 401 once the key is revoked, within the time that a key is remembered', async () => {
    const key = await system.keyOf('default');
    const client = system.client.withKey(key);
    const thread = await runningJob(client);
    const waiting = get(pathOf(thread), { prefer: 'wait=30' }, client);
    const pool = createPool(system.env.DATABASE_URL ?? '', 1);
    await revokeKey({ pool, pepper: '' }, key.slice(8, 20));
    await pool.end();
    const received = await waiting;
    expect(received).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } });
    expect(received.headers.get('www-authenticate')).toContain('invalid_token');
    expect(received.ms).toBeLessThan(SOON_MS);
  });

  it('ends once the key may no longer read', async () => {
    const key = await system.keyOf('default');
    const client = system.client.withKey(key);
    const thread = await runningJob(client);
    const waiting = get(pathOf(thread), { prefer: 'wait=30' }, client);
    const pool = createPool(system.env.DATABASE_URL ?? '', 1);
    const pepper = system.env.API_KEY_PEPPER ?? '';
    await changeKey({ pool, pepper }, key.slice(8, 20), { scopes: ['jobs:write'] }, { actor: 'role:test', correlationId: 'test' });
    await pool.end();
    const received = await waiting;
    expect(received).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
    expect(received.headers.get('www-authenticate')).toContain('insufficient_scope');
    expect(received.ms).toBeLessThan(SOON_MS);
  });

  it.each([
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=1e9',
    'wait=0x10',
    'wait=ten',
    'wait="5',
    '=5',
    ';wait=5',
    'await=5',
    '\u00e9',
    ',',
  ])('does not wait for what is no number: %j', async (prefer) => {
    const received = await get(pathOf(await runningJob()), { prefer });
    expect([received.status, received.headers.get('preference-applied')]).toEqual([200, null]);
  });
});

it('reads how long a client prefers to wait', () => {
  const texts = ['wait=0', 'WAIT = 7', 'wait=31', 'wait=99999999999999999999', 'a, wait=3, wait=9', 'wait=x, wait=9', '', undefined];
  expect(texts.map(preferredWait)).toEqual([0, 7, 30, 30, 3, null, null, null]);
});

it('does not wait for a job under the thread of another one', async () => {
  const [one, other] = [await runningJob(), await runningJob()];
  const received = await get(`/v1/threads/${other.id}/jobs/${one.job.id}`, { prefer: 'wait=30' });
  expect(received).toMatchObject({ status: 404, body: { code: 'job_not_found' } });
  expect([received.headers.get('preference-applied'), received.ms < SOON_MS]).toEqual([null, true]);
});

it('a HEAD does not wait', async () => {
  const { id, job } = await runningJob();
  const { address } = system.client;
  const headers = { ...system.client.headers(), prefer: 'wait=30' };
  const response = await fetch(`${address}/v1/threads/${id}/jobs/${job.id}`, { method: 'HEAD', headers });
  expect([response.status, response.headers.get('preference-applied')]).toEqual([200, null]);
});
