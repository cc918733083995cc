import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { resolve } from 'node:path';

import { Client, StreamableHTTPClientTransport, type JSONRPCMessage, type Progress } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { createPool } from '@lib/store/postgres/pool';
import { eventually } from '../messaging/eventually';
import { createKey } from '../support/keys';
import { PROGRAM_ENVIRONMENT } from '../support/program-environment';
import fc from '../support/properties';
import { research } from '../system/support/command';
import { FAILING, NEVER_MS } from '../system/support/providers-file';
import { startSystem, type System } from '../system/support/system';

/** The tools as a client of the SDK calls them, over both transports, against the running service. */
const PATIENCE_MS = 120_000;
const PAGE = 'https://app.example.org';
const COMMAND = resolve(__dirname, '../../dist/src/cli/main.js');
const TOOLS = [
  ...['research', 'follow_up', 'status', 'results', 'cancel', 'claims', 'evidence', 'threads', 'usage', 'balance', 'providers'],
];

interface Told {
  text: string;
  isError: boolean;
  data: Record<string, unknown>;
}
type Call = (name: string, args?: Record<string, unknown>, heard?: Progress[]) => Promise<Told>;
interface Connected {
  client: Client;
  call: Call;
}

let system: System;
const clients: Client[] = [];

jest.setTimeout(PATIENCE_MS);
beforeAll(async () => {
  system = await startSystem({
    providers: { 'provider-b': FAILING, 'provider-d': { latencyMs: NEVER_MS } },
    environment: { CORS_ORIGINS: PAGE },
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await system.stop();
});

async function connected(transport: StreamableHTTPClientTransport | StdioClientTransport, mode: 'legacy' | 'auto'): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(transport);
  const listening = new Set<Progress[]>();
  // As it arrives: a client of the SDK stops listening with the result, and by that misses what came in the same piece just before it.
  const deliver: ((message: JSONRPCMessage, extra?: unknown) => void) | undefined = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage, extra?: unknown) => {
    if ('method' in message && message.method === 'notifications/progress')
      for (const heard of listening) heard.push(message.params as unknown as Progress);
    if ('result' in message) listening.clear();
    deliver?.(message, extra);
  };
  const call: Call = async (name, args = {}, heard) => {
    if (heard) listening.add(heard);
    const options = { timeout: PATIENCE_MS, ...(heard && { onprogress: () => undefined }) };
    const result = await client.callTool({ name, arguments: args }, options);
    const [content] = result.content;
    const text = content?.type === 'text' ? content.text : '';
    return { text, isError: result.isError === true, data: (result.structuredContent ?? {}) as Record<string, unknown> };
  };
  return { client, call };
}

async function overHttp(key?: string, mode: 'legacy' | 'auto' = 'legacy'): Promise<Connected> {
  const headers = { authorization: `Bearer ${key ?? (await system.keyOf('default'))}` };
  const url = new URL(`${system.client.address}/mcp`);
  return connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), mode);
}

async function overStdio(key?: string, address = system.client.address): Promise<Connected> {
  const env = { ...PROGRAM_ENVIRONMENT, API_KEY: key ?? (await system.keyOf('default')) };
  const args = [COMMAND, 'mcp', '--url', address];
  return connected(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }), 'legacy');
}

const TRANSPORTS: [string, () => Promise<Connected>][] = [
  ['over HTTP', () => overHttp()],
  ['over HTTP, in the newest version of the protocol', () => overHttp(undefined, 'auto')],
  ['over standard input and output', () => overStdio()],
];

it('a tool can do what the scopes of the key allow, and names the one that is missing', async () => {
  const pool = createPool(system.env.DATABASE_URL ?? '', 1);
  const store = { pool, pepper: system.env.API_KEY_PEPPER ?? '' };
  const keys = [
    await createKey(store, 'default', null, { scopes: [] }),
    await createKey(store, 'default', null, { scopes: ['threads:read'] }),
  ];
  await pool.end();
  const [bare, reading] = await Promise.all(keys.map((key) => overHttp(key)));
  const [jobId, claimId] = [`job_${'0'.repeat(26)}`, `clm_${'0'.repeat(26)}_1`];
  const neededBy: Record<string, [object, string | null]> = {
    research: [{ question: 'q' }, 'threads:write'],
    follow_up: [{ jobId, topic: 't' }, 'threads:read'],
    status: [{ jobId }, 'threads:read'],
    results: [{ jobId }, 'threads:read'],
    cancel: [{ jobId }, 'threads:read'],
    claims: [{}, 'threads:read'],
    evidence: [{ claimId }, 'threads:read'],
    threads: [{}, 'threads:read'],
    usage: [{}, 'threads:read'],
    balance: [{}, 'threads:read'],
    providers: [{}, null],
  };
  expect(Object.keys(neededBy).sort()).toEqual([...TOOLS].sort());
  for (const [name, [args, scope]] of Object.entries(neededBy)) {
    const told = (await bare?.call(name, args as Record<string, unknown>)) as Told;
    expect([name, told.isError, told.text]).toEqual([name, scope !== null, expect.stringContaining(scope ? `the scope ${scope};` : '')]);
    if (scope) expect(told.text).toContain('(insufficient_scope)');
  }
  expect((await reading?.call('threads'))?.isError).toBe(false);
  const refused = await reading?.call('research', { question: 'q' });
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('threads:write') });
});

describe.each(TRANSPORTS)('%s', (_, connect) => {
  let client: Client;
  let call: Call;
  beforeAll(async () => ({ client, call } = await connect()));

  it('lists every tool with what it takes and returns', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const tool of tools) {
      expect(tool).toMatchObject({ description: expect.stringMatching(/\.$/), annotations: expect.anything() });
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
    }
  });

  it('says what a question may be, and what it costs where no budget is named', async () => {
    const tool = (await client.listTools()).tools.find(({ name }) => name === 'research');
    expect(tool?.inputSchema.properties).toMatchObject({ question: { maxLength: 32_000 } });
    expect(tool?.description).toContain('By default the budget is M');
    // In code points, as JSON Schema counts.
    expect((await call('research', { question: '𝄞'.repeat(32_000), budget: 'S', waitSeconds: 0 })).isError).toBe(false);
    expect(await call('research', { question: 'x'.repeat(32_001) })).toMatchObject({ isError: true });
  });

  it('researches a question, tells its progress, and leads from the report to the evidence of a claim', async () => {
    const heard: Progress[] = [];
    const report = await call('research', { question: 'How do tides work?', providers: ['provider-a', 'provider-c'] }, heard);
    expect(report).toMatchObject({ isError: false, data: { status: 'completed', nextOffset: null } });
    const { id: jobId, threadId } = report.data as { id: string; threadId: string };
    expect(report.text).toContain(`Job ${jobId} of thread ${threadId} is completed`);
    expect(report.text).toContain(report.data.synthesisMarkdown);
    expect(report.text).toContain('- provider-a: completed');

    expect(heard.at(-1)).toMatchObject({ progress: 5, total: 5, message: 'completed: 2 of 2 steps ended' });
    expect(heard.map(({ progress }) => progress)).toEqual([...new Set(heard.map(({ progress }) => progress))].sort((a, b) => a - b));

    const claims = await call('claims', { jobId, limit: 3 });
    const list = claims.data.claims as { id: string; content: string }[];
    expect(list).toHaveLength(3);
    expect(claims.text).toContain(`More: call claims with the same arguments, no offset and cursor ${String(claims.data.nextCursor)}.`);
    const further = await call('claims', { jobId, limit: 3, cursor: claims.data.nextCursor });
    expect(further.data.claims).not.toContainEqual(list[2]);
    const evidence = await call('evidence', { claimId: list[0]?.id });
    expect(evidence.text).toMatch(/^- provider-[ac] supports: “.+”$/m);
    expect(await call('threads', { threadId })).toMatchObject({ text: expect.stringContaining(`- ${jobId} is completed`) });
    expect((await call('threads')).text).toContain(threadId);
    await client.callTool({
      name: 'follow_up',
      arguments: { jobId, topic: 'Where are they highest?', providers: ['provider-a'], waitSeconds: 0 },
    });
    const first = await call('threads', { threadId, limit: 1 });
    expect(first.data.jobs).toHaveLength(1);
    const { nextCursor } = first.data as { nextCursor: string };
    expect(first.text).toContain(`More: call threads with threadId ${threadId} and cursor ${nextCursor}.`);
    const rest = await call('threads', { threadId, limit: 1, cursor: nextCursor });
    expect(rest.data).toMatchObject({ nextCursor: null });
    const ids = [first, rest].flatMap(({ data }) => (data.jobs as { id: string }[]).map(({ id }) => id));
    expect(new Set(ids).size).toBe(2);
    expect(ids).toContain(jobId);
    expect(await call('threads', { threadId, cursor: 'nothing' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('cursor'),
    });
    expect((await call('results', { jobId })).data.synthesisMarkdown).toBe(report.data.synthesisMarkdown);
    const next = await call('follow_up', { jobId, topic: 'Why twice a day?', providers: ['provider-a'] });
    expect(next.data).toMatchObject({ status: 'completed', threadId, parentJobId: jobId, budgetTier: 'S' });
  });

  it('leaves a job that takes long to itself, says how to go on, and cancels it', async () => {
    const open = await call('research', { question: 'q', providers: ['provider-d'], waitSeconds: 0 });
    const jobId = open.data.id as string;
    expect(open).toMatchObject({ isError: false, text: expect.stringContaining(`call status with jobId ${jobId}`) });
    expect((await call('status', { jobId, waitSeconds: 1 })).text).toContain('- provider-d: running');
    expect(await call('cancel', { jobId })).toMatchObject({ data: { status: 'cancelled' }, text: expect.stringContaining('no report') });
    expect(await call('cancel', { jobId })).toMatchObject({ isError: false, data: { status: 'cancelled' } });
  });

  it('says why a job failed', async () => {
    const failed = await call('research', { question: 'q', providers: ['provider-b'] });
    expect(failed).toMatchObject({ isError: false, data: { status: 'failed', synthesisMarkdown: null } });
    expect(failed.text).toMatch(/- provider-b: failed after \d+ s: .+/);
  });

  it('starts one job for two calls with one key', async () => {
    const twice = { question: 'q', providers: ['provider-a'], idempotencyKey: crypto.randomUUID() };
    const [first, second] = [await call('research', twice), await call('research', twice)];
    expect(second.data.id).toBe(first.data.id);
    const other = await call('research', { ...twice, question: 'another' });
    expect(other).toMatchObject({ isError: true, text: expect.stringContaining('(idempotency_key_reused)') });
  });

  it('tells what was spent and whom it can ask', async () => {
    const usage = await call('usage', { period: '7d' });
    expect(usage.text).toMatch(/^\d+ jobs? cost \$0\.00 \(7d\)\./);
    expect(await call('balance')).toMatchObject({
      text: 'The balance is $0.00; open jobs hold $0.00 beside that. Jobs need none here.',
      data: { isRequired: false },
    });
    const providers = await call('providers');
    expect(providers.text).toContain('- XL: at most $60.00; asks provider-a');
  });

  it('refuses what is wrong, and says what would be right', async () => {
    const unknown = 'job_01jd6xw8k2e4zvq7h3m5n9p0rs';
    expect(await call('status', { jobId: unknown, waitSeconds: 0 })).toEqual({
      isError: true,
      data: {},
      text: expect.stringMatching(/\(job_not_found\)\nCall threads with a threadId to see its jobs\.$/),
    });
    const wrong: [string, Record<string, unknown>, RegExp][] = [
      ['research', {}, /question/],
      ['research', { question: '   ' }, /^question must not be blank.*\(invalid_request\)/],
      ['research', { question: 'q'.repeat(32_001), providers: ['nobody'] }, /^question has 32001 code points.*\n- providers\/0/s],
      ['research', { question: 'q', budget: 'XXL' }, /budget/],
      ['research', { question: 'q', budget: 'XXS', providers: ['nobody'] }, /providers\/0 must be one of provider-a/],
      ['research', { question: 'q', question2: 'q' }, /question2/],
      ['research', { question: 'q', waitSeconds: 1e9 }, /waitSeconds/],
      ['status', { jobId: '../threads' }, /jobId/],
      ['claims', { query: 'x', confidenceLevel: 'certain' }, /confidenceLevel/],
      ['evidence', { claimId: "clm_' or 1=1" }, /claimId/],
    ];
    for (const [name, args, remedy] of wrong)
      expect({ name, args, ...(await call(name, args)) }).toMatchObject({ isError: true, text: expect.stringMatching(remedy) });
  });

  it('answers any arguments with a result or a refusal, and goes on', async () => {
    const before = (await call('usage')).data.jobs;
    const reading = fc.constantFrom(...TOOLS.filter((name) => name !== 'research' && name !== 'follow_up'));
    const names = ['jobId', 'threadId', 'claimId', 'query', 'limit', 'offset', 'period', 'waitSeconds', 'constructor'];
    const args = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 }));
    await fc.assert(
      fc.asyncProperty(reading, args, async (name, hostile) => {
        const { text } = await call(name, hostile);
        expect(text).not.toMatch(/operator|Error:|^$/);
      }),
      { numRuns: 40 },
    );
    expect((await call('usage')).data.jobs).toBe(before);
  });
});

describe('standard input that ends', () => {
  const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const request = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
  const callOf = (id: number, name: string, args: object) => request(id, 'tools/call', { name, arguments: args });

  /** What is answered, by the id of the request. */
  async function answersTo(address: string, messages: readonly object[]) {
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    const { code, stdout } = await research(['mcp', '--url', address], { API_KEY: await system.keyOf('default') }, input);
    const lines = stdout.split('\n').filter((line) => line !== '');
    const told = lines.map((line) => JSON.parse(line) as { id: number; result?: { content?: { text: string }[] } });
    return { code, texts: new Map(told.map(({ id, result }) => [id, result?.content?.[0]?.text])) };
  }

  it('ends after what is under way is answered: a job is started once, and goes on', async () => {
    const research = { question: 'q', providers: ['provider-d'], waitSeconds: 300 };
    const { code, texts } = await answersTo(system.client.address, [
      request(1, 'initialize', INITIALIZE),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      callOf(2, 'research', research),
      callOf(3, 'providers', {}),
      callOf(4, 'status', { jobId: `job_${'0'.repeat(26)}` }),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 4 } },
    ]);
    expect([code, texts.get(3)]).toEqual([0, expect.stringContaining('Budgets:')]);
    const jobId = /call status with jobId (job_\w+)/.exec(texts.get(2) ?? '')?.[1];
    const { call } = await overHttp();
    expect(await call('cancel', { jobId })).toMatchObject({ isError: false, data: { status: 'cancelled' } });
  });

  it('does not wait for long for a service that does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    try {
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const messages = [request(1, 'initialize', INITIALIZE), callOf(2, 'providers', {})];
      const { code, texts } = await answersTo(`http://127.0.0.1:${port}`, messages);
      expect([code, [...texts.keys()]]).toEqual([0, [1]]);
    } finally {
      silent.close();
    }
  });
});

it('reads a long report piece by piece', async () => {
  const { call } = await overHttp();
  const long = await startSystem({ providers: { 'provider-a': { reportBytes: 200_000 } } });
  try {
    const url = new URL(`${long.client.address}/mcp`);
    const headers = { authorization: `Bearer ${await long.keyOf('default')}` };
    const reader = await connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), 'legacy');
    const options = { question: 'q', budget: 'XL', mode: 'methodical', providers: ['provider-a', 'provider-c'] };
    let piece = await reader.call('research', options);
    const jobId = piece.data.id as string;
    const read = [piece.data.synthesisMarkdown];
    for (let offset = piece.data.nextOffset as number | null; offset !== null; offset = piece.data.nextOffset as number | null) {
      expect(piece.text).toContain(`call results with jobId ${jobId} and offset ${offset}`);
      piece = await reader.call('results', { jobId, offset });
      read.push(piece.data.synthesisMarkdown);
    }
    const whole = await long.client.getJob(piece.data.threadId as string, jobId);
    expect(read.length).toBeGreaterThan(1);
    expect(read.join('')).toBe(whole.synthesisMarkdown);
    const length = read.join('').length;
    const beyond = await reader.call('results', { jobId, offset: length });
    expect(beyond).toMatchObject({ isError: false, data: { synthesisMarkdown: '', nextOffset: null } });
    expect(beyond.text).toContain(`Nothing is at offset ${length}: the report has ${length} characters.`);
    expect(piece.text).not.toContain('Nothing is at offset');
    // The jobs of one service are nobody's on the other.
    expect(await call('status', { jobId, waitSeconds: 0 })).toMatchObject({ isError: true });
  } finally {
    await long.stop();
  }
});

it.each([
  ['over HTTP', (key: string) => overHttp(key)],
  ['over standard input and output', (key: string) => overStdio(key)],
])('keeps tenants apart %s', async (_, connectAs) => {
  const owner = await overHttp();
  const mine = await owner.call('research', { question: 'A private question', providers: ['provider-a'] });
  const { id: jobId, threadId } = mine.data as { id: string; threadId: string };
  const claim = (await owner.call('claims', { jobId })).data.claims as { id: string }[];
  const stranger = await connectAs(await system.keyOf(`stranger-${_.length}`));
  const refused = await Promise.all([
    stranger.call('status', { jobId, waitSeconds: 0 }),
    stranger.call('results', { jobId }),
    stranger.call('cancel', { jobId }),
    stranger.call('follow_up', { jobId, topic: 't' }),
    stranger.call('evidence', { claimId: claim[0]?.id }),
    stranger.call('threads', { threadId }),
  ]);
  expect(refused.map(({ isError, text }) => [isError, /_not_found\)/.test(text)])).toEqual(refused.map(() => [true, true]));
  expect((await stranger.call('claims', { jobId })).data).toMatchObject({ claims: [], total: 0 });
  expect((await stranger.call('threads')).data).toMatchObject({ threads: [] });
  expect((await stranger.call('usage')).data).toMatchObject({ jobs: 0 });
});

describe('the route', () => {
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${system.client.address}/mcp`, {
      method: 'POST',
      headers: {
        ...system.client.headers(),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it('asks for a key', async () => {
    const { status, headers } = await post(LIST, { authorization: 'Bearer nobody' });
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Bearer /)]);
  });

  it.each(['https://evil.example', 'null', 'http://localhost', system?.client.address ?? 'http://127.0.0.1:3000'])(
    'refuses the Origin %s, which a page sends whose name was pointed here',
    async (origin) => {
      const response = await post(LIST, { origin });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ code: 'origin_not_allowed', detail: expect.stringContaining('CORS_ORIGINS') });
    },
  );

  it.each([
    '[]',
    'null',
    '1',
    '"tools/list"',
    '{}',
    '[[]]',
    '{"jsonrpc":"2.0"}',
    '{"jsonrpc":"1.0","id":1,"method":"x"}',
    '{',
    '{"__proto__":1}',
  ])('refuses the body %s', async (body) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(Object.keys((await response.json()) as object)).toEqual(expect.arrayContaining([expect.stringMatching(/^(error|code)$/)]));
  });

  it('takes a batch of 20 messages, and refuses a larger one before it does anything', async () => {
    const batchOf = (length: number) => post(Array.from({ length }, (_, id) => ({ ...LIST, id })));
    expect((await batchOf(20)).status).toBe(200);
    const refused = await batchOf(21);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_request', detail: 'The batch holds 21 messages: send at most 20 at a time.' }),
    ]);
  });

  it('answers a page whose origin stands in CORS_ORIGINS', async () => {
    const { status, headers } = await post(LIST, { origin: PAGE });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, PAGE]);
  });

  it('closes a connection after its answer where the client says so, and keeps it otherwise', async () => {
    const connectionOf = async (asked: string): Promise<unknown> => {
      const headers = { ...system.client.headers(), 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const request = httpRequest(`${system.client.address}/mcp`, { method: 'POST', headers: { ...headers, connection: asked } });
      request.end(JSON.stringify(LIST));
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.resume();
      expect(response.statusCode).toBe(200);
      return response.headers.connection;
    };
    expect([await connectionOf('close'), await connectionOf('keep-alive')]).toEqual(['close', 'keep-alive']);
  });

  it('knows POST alone', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${system.client.address}/mcp`, { method, headers: system.client.headers() });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('lets go of a client that hangs up while it waits, and of the job not', async () => {
    const { call } = await overHttp();
    const open = await call('research', { question: 'q', providers: ['provider-d'], waitSeconds: 0 });
    const jobId = open.data.id as string;
    const hangUp = new AbortController();
    const asked = system.logged.length;
    const args = { name: 'status', arguments: { jobId, waitSeconds: 300 }, _meta: { progressToken: 1 } };
    const response = await fetch(`${system.client.address}/mcp`, {
      method: 'POST',
      headers: { ...system.client.headers(), 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: args }),
      signal: hangUp.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    hangUp.abort();
    await eventually(true, async () => {
      const last = system.logged.slice(asked).filter((line) => line.includes('/v1/jobs/:jobId')).length;
      await new Promise((wake) => setTimeout(wake, 2_000));
      return system.logged.slice(asked).filter((line) => line.includes('/v1/jobs/:jobId')).length === last;
    });
    expect((await call('cancel', { jobId })).data).toMatchObject({ status: 'cancelled' });
    expect(system.logged.slice(asked).filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  }, 60_000);
});

it('a call that waits takes few of the requests that its tenant may make', async () => {
  const environment = { TENANT_LIMITS: 'requestsPerMinute=1,burst=60' };
  const limited = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } }, environment });
  try {
    const url = new URL(`${limited.client.address}/mcp`);
    const headers = { authorization: `Bearer ${await limited.keyOf('default')}` };
    const { call } = await connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), 'legacy');
    const left = async (): Promise<number> => {
      const { headers: told } = await fetch(`${limited.client.address}/v1/threads`, { headers });
      return Number(/;r=(\d+)/.exec(told.get('ratelimit') ?? '')?.[1]);
    };
    const before = await left();
    const open = await call('research', { question: 'q', providers: ['provider-d'], waitSeconds: 6 });
    expect(open).toMatchObject({ isError: false, data: { status: 'running' } });
    // The call, the creation, two looks at the job, the end of the wait, and the question what is left.
    expect(before - (await left())).toBeLessThanOrEqual(6);
  } finally {
    await limited.stop();
  }
});

it('ends a wait when the service stops, with how the job stands', async () => {
  const stopping = await startSystem({ providers: { 'provider-d': { latencyMs: NEVER_MS } }, environment: { DRAIN_MS: '4000' } });
  const url = new URL(`${stopping.client.address}/mcp`);
  const headers = { authorization: `Bearer ${await stopping.keyOf('default')}` };
  const { call } = await connected(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), 'legacy');
  const heard: Progress[] = [];
  const waiting = call('research', { question: 'q', providers: ['provider-d'], waitSeconds: 300 }, heard);
  await eventually(true, async () => heard.some(({ progress }) => progress > 0));
  const stopped = stopping.stop();
  expect(await waiting).toMatchObject({ isError: false, text: expect.stringContaining('call status with jobId') });
  await stopped;
});

it('says over standard input and output that no service answers, and where', async () => {
  const { call } = await overStdio('rt_live_none_none', 'http://127.0.0.1:9');
  const { isError, text } = await call('usage');
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringContaining('No research-threads service answers at http://127.0.0.1:9'),
  });
});

it('says over standard input and output where a key that is refused comes from', async () => {
  const { call } = await overStdio('rt_live_none_none');
  const { isError, text } = await call('usage');
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringContaining(`${system.client.address} refuses the key in API_KEY: set API_KEY`),
  });
});

it('says over standard input and output that there is no service below its address, and where', async () => {
  const { call } = await overStdio(undefined, `${system.client.address}/elsewhere`);
  const { isError, text } = await call('usage');
  expect({ isError, text }).toEqual({
    isError: true,
    text: expect.stringContaining(`There is nothing at ${system.client.address}/elsewhere/v1/usage: start`),
  });
});

it('a client that listens for changes is told at once that there are none to listen for, so it holds no connection', async () => {
  const meta = { clientInfo: { name: 'test', version: '1' }, clientCapabilities: {}, protocolVersion: '2026-07-28' };
  const _meta = Object.fromEntries(Object.entries(meta).map(([name, value]) => [`io.modelcontextprotocol/${name}`, value]));
  const params = { notifications: { toolsListChanged: true }, _meta };
  const headers = {
    ...system.client.headers(),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 's1', method: 'subscriptions/listen', params });
  const response = await fetch(`${system.client.address}/mcp`, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) });
  const text = await response.text();
  expect([response.status, text.includes('acknowledged'), text.includes('"resultType":"complete"')]).toEqual([200, true, true]);
});
