import { LOST_AFTER_POLLS } from '@lib/providers/patient-poll';
import { OpenAiProvider } from '@lib/providers/openai/adapter';
import { research } from '@lib/providers/research';

import { cannedServer } from './canned-server';
import { failureOf, Stand, type AdapterUnderTest } from './adapters/stand';
import { newRun, requestOf } from './request';

const OPTIONS = {
  prices: {
    inputMicrosPerMillionTokens: 5_000_000,
    cachedInputMicrosPerMillionTokens: 500_000,
    outputMicrosPerMillionTokens: 30_000_000,
    perSearchMicros: 10_000,
  },
  maxOutputTokens: 32_000,
  maxSearches: 30,
  inputTokensPerSearch: 8000,
  webSearchTool: 'web_search',
  pollMs: 15,
};
const MODEL = 'gpt-5.5';

const create = (baseUrl: string, key = 'key-for-tests') => new OpenAiProvider({ baseUrl, ...OPTIONS }, key);
const openAi: AdapterUnderTest = { api: 'openai', model: MODEL, limitable: true, create };
const limitsOf = (reservedMicros: number) => ({ reservedMicros, deadlineMs: 5000, maxResponseBytes: 4_000_000 });
const request = requestOf({ model: MODEL, limits: limitsOf(3_000_000) });
const read = (response: object) => create('http://127.0.0.1:1').parse(JSON.stringify(response), request);
const message = (text: string, annotations: object[] = [], more: object = {}) => ({
  type: 'message',
  content: [{ type: 'output_text', text, annotations }],
  ...more,
});

it('a run that asks something back, and whose cancellation is refused, is not free', async () => {
  const asking = { body: { id: 'resp_1', status: 'requires_action' } };
  const { url } = await cannedServer([asking, { status: 402, body: { error: { message: 'Payment required' } } }]);
  const run = research(create(url), request, { ...newRun, externalId: 'resp_1', wait: async () => undefined });
  await expect(run).rejects.toMatchObject({ errorClass: 'quota', details: expect.not.objectContaining({ charge: expect.anything() }) });
});

function failureOfReading(response: object): unknown {
  try {
    return read(response);
  } catch (error) {
    return error;
  }
}

describe('a request to OpenAI', () => {
  it('runs in the background, is kept, and carries our step', async () => {
    const { emulator, provider } = await Stand.build(openAi);
    await provider.submit(requestOf({ ...request, stepId: 'stp_7', attempt: 2, brief: 'Open: how long?' }), newRun.started);
    const [{ path, body } = {}] = emulator.requests;
    expect(path).toBe('/v1/responses');
    expect(body).toMatchObject({ model: MODEL, background: true, store: true, metadata: { stepId: 'stp_7', attempt: '2' } });
    expect(body).toMatchObject({ tools: [{ type: 'web_search' }], input: expect.stringContaining('<brief>\nOpen: how long?\n</brief>') });
  });

  it.each([
    ['fast', 'low'],
    ['methodical', 'high'],
  ] as const)('is %s: at %s effort', async (mode, effort) => {
    const { emulator, provider } = await Stand.build(openAi);
    await provider.submit(requestOf({ ...request, mode }), newRun.started);
    expect(emulator.requests[0]?.body).toMatchObject({ reasoning: { effort } });
  });

  it('may think, write and search the less, the less is reserved', async () => {
    const { emulator, provider } = await Stand.build(openAi);
    for (const reserved of [3_000_000, 300_000])
      await provider.submit(requestOf({ ...request, limits: limitsOf(reserved) }), newRun.started);
    const [ample, scarce] = emulator.requests.map(({ body }) => body as { max_output_tokens: number; max_tool_calls: number });
    expect(ample).toMatchObject({ max_output_tokens: 32_000, max_tool_calls: 30 });
    expect(scarce?.max_output_tokens).toBeLessThan(6000);
    expect(scarce?.max_tool_calls).toBeLessThan(6);
    expect(scarce?.max_tool_calls).toBeGreaterThan(0);
  });

  it('is not made without a model', async () => {
    const { emulator, provider } = await Stand.build(openAi);
    const attempt = provider.submit(requestOf({ limits: limitsOf(3_000_000) }), newRun.started);
    await expect(attempt).rejects.toMatchObject({ errorClass: 'invalid_request', details: { charge: { micros: 0 } } });
    expect(emulator.requests).toEqual([]);
  });
});

describe('a response of OpenAI', () => {
  it('is charged for tokens and searches, not for opening pages', () => {
    const calls = ['search', 'open_page', 'find_in_page', 'search'].map((type) => ({ type: 'web_search_call', action: { type } }));
    const usage = { input_tokens: 1000, input_tokens_details: { cached_tokens: 200 }, output_tokens: 100 };
    const { charge } = read({ status: 'completed', output: [...calls, message('Daily.')], usage });
    expect(charge).toMatchObject({ micros: 4000 + 100 + 3000 + 20_000, provenance: 'computed' });
  });

  it('leaves out what the model said on its way', () => {
    const output = [message('Let me look.', [], { phase: 'commentary' }), message('Daily.', [], { phase: 'final_answer' })];
    expect(read({ status: 'completed', output }).markdown).toBe('Daily.');
  });

  it('may be made of several messages and parts, each with places of its own', () => {
    const cite = (url: string) => [{ type: 'url_citation', url, start_index: 0, end_index: 6 }];
    const parts = [message('First.', cite('https://a.example/')), message('Second', cite('https://b.example/'))];
    const { markdown, citations } = read({ status: 'completed', output: parts });
    expect(markdown).toBe('First [1].\n\nSecond [2]');
    expect(citations.map(({ url, startIndex, endIndex }) => [url, markdown.slice(startIndex ?? 0, endIndex ?? 0)])).toEqual([
      ['https://a.example/', 'First [1].'],
      ['https://b.example/', 'Second [2]'],
    ]);
  });

  it('that used up its tokens before it said anything is not asked for again, and tells what to raise', () => {
    const usage = { input_tokens: 1000, output_tokens: 100 };
    const reasoning = { type: 'reasoning', summary: [] };
    const response = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [reasoning], usage };
    expect(failureOfReading(response)).toMatchObject({
      errorClass: 'quota',
      message: expect.stringMatching(/max_output_tokens.*raise/) as string,
      details: { runEnded: true, charge: { micros: 8000 } },
    });
  });

  it.each([
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output: [message('Half')] }, 'content_filtered'],
    [{ status: 'completed', output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }] }, 'content_filtered'],
    [{ status: 'cancelled' }, 'unavailable'],
    [{ status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Later' } }, 'rate_limited'],
    [{ status: 'failed', error: { code: 'invalid_prompt', message: 'No' } }, 'content_filtered'],
    [{ status: 'unheard of' }, 'unavailable'],
    [{ error: 'text', output: 7, usage: [] }, 'unavailable'],
  ])('%j fails as %s', (response, errorClass) => {
    expect(failureOfReading(response)).toMatchObject({ errorClass, details: { runEnded: true } });
  });
});

describe('a run at OpenAI', () => {
  it('is asked again when the provider is busy, at the time it says', async () => {
    const { url, asked } = await cannedServer([
      { body: { id: 'resp_1', status: 'queued' } },
      { status: 429, body: {} },
      { status: 503, body: {} },
      { body: { id: 'resp_1', status: 'completed', output: [message('Daily.')] } },
    ]);
    const { report } = await research(create(url), request, newRun);
    expect(report.markdown).toBe('Daily.');
    expect(asked).toEqual(['POST /responses', ...Array<string>(3).fill('GET /responses/resp_1')]);
  });

  it.each([
    ['a list instead of the run', { object: 'list', data: [{ id: 'resp_1', status: 'completed' }] }, 'how the run resp_1 stands'],
    ['a state that is not known', { id: 'resp_1', status: 'expired' }, 'stands: expired'],
    ['an error with status 200', { error: { code: 500, message: 'upstream' } }, 'stands: upstream'],
    ['a web page', '<!doctype html><title>Maintenance</title>', 'a web page titled "Maintenance"'],
  ])('that a poll is answered for with %s may go on', async (_, body, message) => {
    const { url } = await cannedServer([{ body: { id: 'resp_1', status: 'queued' } }, { body }]);
    const failure: unknown = await research(create(url), request, newRun).catch((error: unknown) => error);
    expect(failure).toMatchObject({ errorClass: 'malformed', message: expect.stringContaining(message) as string });
    expect((failure as { details: { runEnded?: boolean } }).details.runEnded).toBeUndefined();
  });

  it('that is in a new state when it is accepted is followed', async () => {
    const done = { id: 'resp_1', status: 'completed', output: [message('Daily.')] };
    const { url } = await cannedServer([{ body: { id: 'resp_1', status: 'validating' } }, { body: done }]);
    expect((await research(create(url), request, newRun)).report.markdown).toBe('Daily.');
  });

  it('that is not listed for a while is looked for again, and lost if it never is: then it is cancelled, in case it goes on', async () => {
    const notFound = { status: 404, body: { error: { message: "Response with id 'resp_1' not found." } } };
    const done = { body: { id: 'resp_1', status: 'completed', output: [message('Daily.')] } };
    const accepted = { body: { id: 'resp_1', status: 'queued' } };
    const late = await cannedServer([accepted, ...Array.from({ length: LOST_AFTER_POLLS - 1 }, () => notFound), done]);
    expect((await research(create(late.url), request, newRun)).report.markdown).toBe('Daily.');
    const never = await cannedServer([accepted, notFound]);
    await expect(research(create(never.url), request, newRun)).rejects.toMatchObject({ errorClass: 'lost', details: { runEnded: true } });
    expect(never.asked).toEqual([
      'POST /responses',
      ...Array.from({ length: LOST_AFTER_POLLS }, () => 'GET /responses/resp_1'),
      'POST /responses/resp_1/cancel',
      'GET /responses/resp_1',
      'GET /responses/resp_1',
    ]);
    // What is seen at the last moment is not paid for again.
    const unseen = Array.from({ length: LOST_AFTER_POLLS + 1 }, () => notFound);
    const found = await cannedServer([accepted, ...unseen, done]);
    expect((await research(create(found.url), request, newRun)).report.markdown).toBe('Daily.');
    const busy = await cannedServer([accepted, ...unseen, { status: 429, body: {} }, done]);
    expect((await research(create(busy.url), request, newRun)).report.markdown).toBe('Daily.');
    // As long as the cancellation fails, the run may go on.
    const unsure = await cannedServer([accepted, ...unseen.slice(1), { status: 503, body: {} }, done]);
    expect((await research(create(unsure.url), request, newRun)).report.markdown).toBe('Daily.');
  });

  it('that a gateway refuses with status 200 fails by what it says', async () => {
    const { url } = await cannedServer([{ body: { error: { code: 'insufficient_quota', message: 'Top up' } } }]);
    await expect(research(create(url), request, newRun)).rejects.toMatchObject({
      errorClass: 'quota',
      message: expect.stringContaining('Top up'),
    });
  });

  it.each([
    ['<!doctype html><title>Bad gateway</title>', 'The response is not JSON: a web page titled "Bad gateway"'],
    ['upstream connect error', 'The response is not JSON: upstream connect error'],
    ['', 'The response is empty'],
    ['{"id":"resp_1","output":[{"text":"Half', 'The response is not valid JSON'],
  ])('that is answered with %j says so', async (body, message) => {
    const { url } = await cannedServer([{ body }]);
    const failure = { errorClass: 'malformed', message: expect.stringContaining(message) as string };
    await expect(research(create(url), request, newRun)).rejects.toMatchObject(failure);
  });

  it('is not usable without an id', async () => {
    const { url } = await cannedServer([{ body: { status: 'queued' } }]);
    await expect(research(create(url), request, newRun)).rejects.toMatchObject({ errorClass: 'malformed' });
  });

  it('is resumed by its id and never submitted again', async () => {
    const stand = await Stand.build(openAi, 'fails');
    const first = await stand.attempt();
    expect(failureOf(first).details.runEnded).toBe(true);
    const second = await stand.attempt({ externalId: first.started[0] ?? '' });
    expect(failureOf(second).errorClass).toBe(failureOf(first).errorClass);
    expect(stand.lines('submit')).toHaveLength(1);
  });
});
