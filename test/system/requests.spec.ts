import { PROVIDERS } from '@lib/domain/vocabulary';
import { FAILING, NEVER_MS } from './support/providers-file';
import { startSystem, type System } from './support/system';

/** What a client may ask, and what the service makes of what it leaves out. */
let system: System;

beforeAll(async () => {
  system = await startSystem({
    providers: {
      'provider-b': FAILING,
      'provider-d': { latencyMs: NEVER_MS },
      'provider-d-premium': { reserveCents: 2_500 },
      'provider-e': { reserveCents: 300 },
    },
  });
});
afterAll(() => system.stop());

const plannedProviders = async (threadId: string, jobId: string): Promise<string[]> => {
  const [requested] = await system.client.events(threadId, jobId);
  return (requested?.facts as { plan: { provider: string }[] }).plan.map(({ provider }) => provider);
};

describe('defaults', () => {
  it('are tier M, fast and no spidering for a thread, and tier S for a pursue', async () => {
    const { client } = system;
    const { id, job } = await client.createThread({ message: 'q' });
    expect(job).toMatchObject({ budgetTier: 'M', budgetCapCents: 1500, researchMode: 'fast', spideringEnabled: false });
    expect(await client.pursue(id, job.id, { topic: 't' })).toMatchObject({ budgetTier: 'S', researchMode: 'fast' });
  });

  it.each([
    ['XXS', 100, 1],
    ['XS', 200, 1],
    ['S', 500, 1],
    ['M', 1500, 2],
    ['L', 3000, 3],
    ['XL', 6000, 8],
  ] as const)('cap tier %s at %i cents and plan %i providers', async (budget, cents, count) => {
    const { id, job } = await system.client.createThread({ message: 'q', budget });
    expect(job).toMatchObject({ budgetTier: budget, budgetCapCents: cents });
    expect(await plannedProviders(id, job.id)).toHaveLength(count);
  });
});

describe('options', () => {
  it('are accepted, recorded and shown', async () => {
    const { client } = system;
    const providers = ['provider-c-mini', 'provider-a', 'provider-c'];
    const { id, job } = await client.createThread({ message: 'q', budget: 'L', mode: 'methodical', providers, spidering: true });
    expect(job).toMatchObject({ budgetTier: 'L', researchMode: 'methodical', spideringEnabled: true });
    const [requested] = await client.events(id, job.id);
    expect(requested?.facts).toMatchObject({ researchMode: 'methodical', spideringEnabled: true, budgetTier: 'L' });
    expect(await plannedProviders(id, job.id)).toEqual(providers);

    const pursued = await client.pursue(id, job.id, { topic: 't', budget: 'XL', mode: 'methodical', spidering: true });
    expect(pursued).toMatchObject({ budgetTier: 'XL', researchMode: 'methodical' });
    expect((await client.events(id, pursued.id))[0]?.facts).toMatchObject({ spideringEnabled: true, parentJobId: job.id });
  });

  it('may name a provider by its alias, and all eight at once', async () => {
    const byAlias = await system.client.createThread({ message: 'q', providers: ['provider-c', 'perplexity'] });
    expect(await plannedProviders(byAlias.id, byAlias.job.id)).toEqual(['provider-c', 'provider-a']);
    const all = await system.client.createThread({ message: 'q', budget: 'XL', providers: PROVIDERS.toReversed() });
    expect(await plannedProviders(all.id, all.job.id)).toEqual(PROVIDERS.toReversed());
  });

  it.each([
    ['XXS', ['provider-e'], 'S'],
    ['M', ['provider-d-premium'], 'L'],
    ['XS', ['provider-d-premium', 'provider-e'], 'S'],
  ])('that tier %s cannot pay for are refused for %j, naming %s', async (budget, providers, enough) => {
    const { client } = system;
    const created = await client.send('POST', '/v1/threads', { message: 'q', budget, providers });
    expect(created).toMatchObject({ status: 422, body: { code: 'budget_too_small' } });
    expect(created.body.error).toContain(`the smallest budget that would do is ${enough}`);
    const { id, job } = await client.createThread({ message: 'q' });
    const pursued = await client.send('POST', `/v1/threads/${id}/jobs/${job.id}/pursue`, { topic: 't', budget, providers });
    expect(pursued).toMatchObject({ status: 422, body: { code: 'budget_too_small' } });
    expect((await client.getThread(id)).jobs).toHaveLength(1);
  });
});

describe('a text', () => {
  const longest = '𝕏'.repeat(31_999) + '.';
  it.each([
    ['white space around and inside', '  \r\n\tWhat   is\n\nserved?\u2003 '],
    ['emoji, combined characters and several scripts', 'Für 👩‍👩‍👧‍👦 e\u0301 — 日本語, العربية, \u202ehidden\u202c?'],
    ['JSON, SQL, HTML and control characters', `{"a":1}'; drop table event; -- <script>\u0001\u001f\u007f</script> \\u0000`],
    ['32,000 characters outside the first plane', longest],
  ])('comes back exactly as it was sent: %s', async (_, message) => {
    const { client } = system;
    const thread = await client.createThread({ message, providers: ['provider-a'] });
    expect(thread.message.content).toBe(message);
    const added = await client.expect<{ content: string }>(201, 'POST', `/v1/threads/${thread.id}/messages`, { message });
    expect(added.content).toBe(message);
    const pursued = await client.pursue(thread.id, thread.job.id, { topic: message, providers: ['provider-c'] });
    expect(pursued.topic).toBe(message);

    await client.finalJob(thread.id, thread.job.id);
    const final = await client.finalJob(thread.id, pursued.id);
    const { messages, jobs } = await client.getThread(thread.id);
    expect([final.query, ...messages.map(({ content }) => content), ...jobs.map(({ query }) => query)]).toEqual(Array(5).fill(message));
  });

  it.each([
    ['What  is\n served?', 'What is served?'],
    ['a'.repeat(49), 'a'.repeat(49)],
    ['a'.repeat(50), `${'a'.repeat(46)}...`],
    ['👩‍👩‍👧‍👦'.repeat(50), `${'👩‍👩‍👧‍👦'.repeat(46)}...`],
  ])('becomes a title on one line, cut between characters', async (message, title) => {
    const thread = await system.client.createThread({ message, providers: ['provider-a'] });
    expect(thread.title).toBe(title);
    expect((await system.client.getThread(thread.id)).title).toBe(title);
  });
});

describe('lists', () => {
  interface List {
    threads: { id: string; createdAt: string; updatedAt: string }[];
    limit: number;
    offset: number;
    nextCursor: string | null;
  }
  let tenants = 0;
  /** A tenant without threads. */
  const newTenant = async () => system.client.withKey(await system.keyOf(`lists-${(tenants += 1)}`));

  it('hold a tenant’s threads newest first, page by page', async () => {
    const client = await newTenant();
    const list = (query: string) => client.expect<List>(200, 'GET', `/v1/threads${query}`);
    expect(await list('')).toEqual({ threads: [], threadsUnreadable: 0, limit: 20, offset: 0, nextCursor: null });
    const created = await Promise.all(
      Array.from({ length: 23 }, (_, place) => client.createThread({ message: `q ${place}`, providers: ['provider-a'] })),
    );
    const ordered = created.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || (a.id < b.id ? 1 : -1)).map(({ id }) => id);
    const idsOf = ({ threads }: List) => threads.map(({ id }) => id);

    expect(idsOf(await list(''))).toEqual(ordered.slice(0, 20));
    expect(idsOf(await list('?offset=20'))).toEqual(ordered.slice(20));
    expect(idsOf(await list('?limit=5&offset=3'))).toEqual(ordered.slice(3, 8));
    expect(await list('?offset=23')).toEqual({ threads: [], threadsUnreadable: 0, limit: 20, offset: 23, nextCursor: null });
    for (const limit of ['101', '99999999999999999999999']) expect(await list(`?limit=${limit}`)).toMatchObject({ limit: 100 });
    expect(await list('?limit=100&offset=2147483647')).toMatchObject({ threads: [], limit: 100, offset: 2_147_483_647 });
  });

  it('go on behind the last of the page before, whatever came and went meanwhile: its own thread too', async () => {
    const client = await newTenant();
    const list = (query: string) => client.expect<List>(200, 'GET', `/v1/threads?limit=2${query}`);
    const made: string[] = [];
    const create = async () => made.push((await client.createThread({ message: 'q', providers: ['provider-a'] })).id);
    for (let place = 0; place < 5; place += 1) await create();
    const first = await list('');
    await create();
    await client.expect(200, 'DELETE', `/v1/threads/${made[3]}`);
    const second = await list(`&cursor=${first.nextCursor}`);
    const third = await list(`&cursor=${second.nextCursor}`);
    const idsOf = ({ threads }: List) => threads.map(({ id }) => id);
    expect([first, second, third].map(idsOf)).toEqual([[made[4], made[3]], [made[2], made[1]], [made[0]]]);
    expect(third.nextCursor).toBeNull();
  });

  const place = (text: string) => Buffer.from(text).toString('base64url');
  const THREAD = '1795253400000.thr_01jd6xw8k2e4zvq7h3m5n9p0rs';
  const JOB = '1795253400000.job_01jd6xw8k2e4zvq7h3m5n9p0rs';
  it.each([
    ['threads', '', 'must be the nextCursor of a page.'],
    ['threads', 'x', 'must be the nextCursor of a page.'],
    ['threads', place(JOB), 'must be the nextCursor of a page.'],
    ['threads', `${place(THREAD)}=`, 'must be the nextCursor of a page.'],
    ['threads', `${place(THREAD)}&offset=1`, 'must be the nextCursor of a page, and come without an offset.'],
    ['claims', place(JOB), 'must be the nextCursor of a page.'],
    ['claims', place(`01.${JOB}`), 'must be the nextCursor of a page.'],
    ['claims', place(`1.9${'9'.repeat(15)}.${JOB.slice(14)}`), 'must be the nextCursor of a page.'],
    ['claims', `${place(`1.${JOB}`)}&offset=1`, 'must be the nextCursor of a page, and come without an offset.'],
  ])('of %s refuse the cursor %s', async (of, cursor, remedy) => {
    const { status, body } = await system.client.send<{ errors: object[] }>('GET', `/v1/${of}?cursor=${cursor}`);
    expect([status, body.errors]).toEqual([
      400,
      [{ pointer: '/cursor', code: 'invalid_cursor', message: expect.stringContaining(remedy) as string }],
    ]);
  });

  it('hold messages and jobs in the order in which they came', async () => {
    const { client } = system;
    const { id, job } = await client.createThread({ message: 'm0', providers: ['provider-a'] });
    for (const message of ['m1', 'm2', 'm3']) await client.expect(201, 'POST', `/v1/threads/${id}/messages`, { message });
    for (const topic of ['t1', 't2', 't3']) await client.pursue(id, job.id, { topic, providers: ['provider-a'] });
    const { messages, jobs } = await client.getThread(id);
    expect(messages.map(({ content }) => content)).toEqual(['m0', 'm1', 'm2', 'm3']);
    expect(jobs.map(({ query }) => query)).toEqual(['m0', 't1', 't2', 't3']);
  });

  it('show when a thread last got a message, a pursue or a result', async () => {
    const client = await newTenant();
    const { id, job } = await client.createThread({ message: 'q', providers: ['provider-a'] });
    const updatedAt = async () => (await client.getThread(id)).updatedAt;
    const final = await client.finalJob(id, job.id);
    expect(await updatedAt()).toBe(final.completedAt);

    const message = await client.expect<{ createdAt: string }>(201, 'POST', `/v1/threads/${id}/messages`, { message: 'm' });
    expect(await updatedAt()).toBe(message.createdAt);
    const pursued = await client.pursue(id, job.id, { topic: 't', providers: ['provider-d'] });
    expect(await updatedAt()).toBe(pursued.createdAt);
    expect(Date.parse(pursued.createdAt)).toBeGreaterThanOrEqual(Date.parse(message.createdAt));
    expect((await client.expect<List>(200, 'GET', '/v1/threads')).threads).toMatchObject([{ id, updatedAt: pursued.createdAt }]);
  });
});

describe('a pursue', () => {
  it('follows on from a job of any status', async () => {
    const { client } = system;
    const { id, job: pending } = await client.createThread({ message: 'q', providers: ['provider-d'] });
    const parents = [pending.id];
    await client.jobWhen(id, pending.id, 'running');
    parents.push(pending.id);
    for (const providers of [['provider-b'], ['provider-a']]) {
      const { id: jobId } = await client.pursue(id, pending.id, { topic: 't', providers });
      await client.finalJob(id, jobId);
      parents.push(jobId);
    }
    for (const parent of parents) {
      const child = await client.pursue(id, parent, { topic: 'a child', providers: ['provider-a'] });
      expect(child).toMatchObject({ parentJobId: parent, status: 'pending' });
      expect(await client.finalJob(id, child.id)).toMatchObject({ status: 'completed', query: 'a child' });
    }
    const { jobs, messages } = await client.getThread(id);
    expect(jobs.map(({ status }) => status)).toEqual(['running', 'failed', 'completed', ...parents.map(() => 'completed')]);
    expect(messages).toHaveLength(1);
  });

  it('is refused on a job of another thread, and on one that does not exist', async () => {
    const { client } = system;
    const [mine, other] = [await client.createThread({ message: 'q' }), await client.createThread({ message: 'q' })];
    for (const jobId of [other.job.id, mine.job.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
      const { status, body } = await client.send('POST', `/v1/threads/${mine.id}/jobs/${jobId}/pursue`, { topic: 't' });
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'job_not_found' });
      expect(await client.send('GET', `/v1/threads/${mine.id}/jobs/${jobId}`)).toMatchObject({
        status: 404,
        body: { code: 'job_not_found' },
      });
    }
  });
});

it('stands below BASE_PATH, where Location points too', async () => {
  const based = await startSystem({ environment: { BASE_PATH: '/research/' } });
  try {
    const { status, headers, body } = await based.client.send('POST', '/v1/threads', { message: 'q' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/research/v1/threads/${String(body.id)}`);
    const origin = based.client.address.replace('/research', '');
    const found = await based.client.withKey(null).send('GET', '/v1/threads');
    expect(found.status).toBe(401);
    expect((await fetch(`${origin}${headers.get('location')}`)).status).toBe(401);
    expect((await fetch(`${origin}/v1/threads`)).status).toBe(404);
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
    const { servers } = (await (await fetch(`${origin}/openapi.json`)).json()) as { servers: object[] };
    expect(servers).toMatchObject([{ url: '{origin}/research' }]);
  } finally {
    await based.stop();
  }
});
