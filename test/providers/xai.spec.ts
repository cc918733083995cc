import { research } from '@lib/providers/research';
import { XaiProvider } from '@lib/providers/xai/adapter';

import { Stand, type AdapterUnderTest } from './adapters/stand';
import { cannedServer } from './canned-server';
import { newRun, requestOf } from './request';

const OPTIONS = {
  prices: {
    inputMicrosPerMillionTokens: 1_250_000,
    cachedInputMicrosPerMillionTokens: 200_000,
    outputMicrosPerMillionTokens: 2_500_000,
    perSearchMicros: 5000,
  },
  maxOutputTokens: 16_000,
  maxSearches: 25,
  inputTokensPerSearch: 8000,
  searchesX: false,
  violationMicros: 50_000,
  pollMs: 15,
};
const MODEL = 'grok-4.3';

const create = (baseUrl: string, key = 'key-for-tests', changes: object = {}) => new XaiProvider({ baseUrl, ...OPTIONS, ...changes }, key);
const xai: AdapterUnderTest = { api: 'xai', model: MODEL, limitable: true, create };
const limits = { reservedMicros: 500_000, deadlineMs: 5000, maxResponseBytes: 4_000_000 };
const request = requestOf({ model: MODEL, limits });
const response = (text: string, more: object = {}) => ({
  id: 'resp_1',
  status: 'completed',
  output: [{ type: 'message', content: [{ type: 'output_text', text, annotations: [] }] }],
  ...more,
});
const read = (raw: object) => create('http://127.0.0.1:1').parse(JSON.stringify(raw), request);
const created = { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } };
const search = { type: 'response.output_item.added', item: { type: 'web_search_call' } };

describe('a request to xAI', () => {
  it.each([
    ['fast', 'low', false, ['web_search']],
    ['methodical', 'high', true, ['web_search', 'x_search']],
  ] as const)('is streamed and kept; %s: at %s effort', async (mode, effort, searchesX, tools) => {
    const { emulator } = await Stand.build(xai);
    await create(emulator.baseUrl, 'sk-emulated-0123456789abcdef', { searchesX }).submit(requestOf({ ...request, mode }), newRun.started);
    expect(emulator.requests[0]?.body).toMatchObject({ model: MODEL, stream: true, store: true, reasoning: { effort } });
    expect(emulator.requests[0]?.body).toMatchObject({ tools: tools.map((type) => ({ type })) });
    expect(emulator.requests[0]?.body).not.toHaveProperty('background');
  });
});

describe('a run at xAI', () => {
  it('has its id recorded before the stream goes on', async () => {
    const stand = await Stand.build(xai, '', 5000);
    const abort = new AbortController();
    const { started, error } = await stand.attempt({ signal: abort.signal, onStarted: () => abort.abort(new Error('killed')) });
    expect(error).toMatchObject({ message: 'killed' });
    expect(started).toEqual([stand.lines('submit')[0]?.runId]);
  });

  it('is broken off when it searches more often than was reserved for', async () => {
    const { url } = await cannedServer([
      { body: [created, ...Array<object>(26).fill(search), { type: 'response.completed', response: response('Late.') }] },
    ]);
    const attempt = research(create(url), request, newRun);
    await expect(attempt).rejects.toMatchObject({ errorClass: 'quota', details: { runEnded: true } });
    await expect(attempt).rejects.toThrow(/more than 2\d times.*raise maxSearches/);
  });

  it('is not broken off since its events come twice', async () => {
    const searches = Array.from({ length: 15 }, (_, at) => ({ ...search, output_index: at, item: { ...search.item, id: `ws_${at}` } }));
    const { url } = await cannedServer([
      { body: [created, ...searches.flatMap((one) => [one, one]), { type: 'response.completed', response: response('Daily.') }] },
    ]);
    expect((await research(create(url), request, newRun)).report.markdown).toBe('Daily.');
  });

  it.each([
    ['no id', [{ type: 'response.created', response: {} }], 'malformed'],
    ['no end', [created, search], 'unavailable'],
    ['an error', [created, { type: 'error', code: 'rate_limit_exceeded', message: 'Later' }], 'rate_limited'],
    ['a nested error', [created, { type: 'error', error: { code: 'insufficient_quota', message: 'No credits' } }], 'quota'],
    ['a failure', [created, { type: 'response.failed', response: { status: 'failed', error: { message: 'server_error' } } }], 'overloaded'],
  ])('whose stream has %s fails', async (_, body, errorClass) => {
    const { url } = await cannedServer([{ body }]);
    await expect(research(create(url), request, newRun)).rejects.toMatchObject({ name: 'ProviderError', errorClass });
  });

  it('whose last event has no response is not over, so that it is asked for by its id and not paid for again', async () => {
    const { url } = await cannedServer([{ body: [created, { type: 'response.completed', response: null }] }]);
    const ended = expect.objectContaining({ runEnded: true }) as object;
    const failure: unknown = await research(create(url), request, newRun).catch((error: unknown) => error);
    expect(failure).toMatchObject({ errorClass: 'unavailable' });
    expect(failure).not.toMatchObject({ details: ended });
  });

  describe('whose stream speaks of another one', () => {
    const event = (name: string, id: string, text = '') => ({ type: `response.${name}`, response: response(text, { id }) });
    const attempt = async (...events: object[]) => research(create((await cannedServer([{ body: events }])).url), request, newRun);

    it('is not ended by it, so that it is asked for by its id and not paid for again', async () => {
      const failure: unknown = await attempt(created, event('in_progress', 'resp_1'), event('completed', 'resp_2', 'Weekly.')).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject({ name: 'ProviderError', errorClass: 'unavailable', details: {} });
    });

    it('is followed to its own end', async () => {
      const { report } = await attempt(
        created,
        event('in_progress', 'resp_1'),
        event('failed', 'resp_2'),
        event('completed', 'resp_1', 'Daily.'),
      );
      expect(report.markdown).toBe('Daily.');
    });

    it('by a gateway that names it otherwise in each event ends as ever', async () => {
      const { report } = await attempt(created, event('in_progress', 'resp_a'), event('completed', 'resp_b', 'Daily.'));
      expect(report.markdown).toBe('Daily.');
    });
  });

  it('costs what xAI charges for a question that its guidelines forbid, and nothing for other refusals', async () => {
    const refusedWith = async (error: string) => {
      const { url } = await cannedServer([{ status: 403, body: { code: 'The caller does not have permission', error } }]);
      return research(create(url), request, newRun).catch((failure: unknown) => failure);
    };
    expect(await refusedWith('Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO')).toMatchObject({
      errorClass: 'content_filtered',
      details: { charge: { micros: 50_000, provenance: 'computed' } },
    });
    expect(await refusedWith('No such team')).toMatchObject({ errorClass: 'auth', details: { charge: { micros: 0 } } });
  });

  it('is asked for by its id after its stream was lost, until it is over', async () => {
    const { url, asked } = await cannedServer([{ body: { id: 'resp_1', status: 'in_progress' } }, { body: response('Daily.') }]);
    const { report } = await research(create(url), request, { ...newRun, externalId: 'resp_1' });
    expect(report.markdown).toBe('Daily.');
    expect(asked).toEqual(['GET /responses/resp_1', 'GET /responses/resp_1']);
  });
});

describe('a response of xAI', () => {
  it('reads the same from the last event as from the kept response', () => {
    const kept = response('Wren rotates daily.[[3]](https://wren.example/logs)', {
      citations: ['https://wren.example/logs', 'https://other.example/'],
    });
    expect(read({ type: 'response.completed', response: kept })).toEqual(read(kept));
    const { markdown, citations } = read(kept);
    expect(markdown).toBe('Wren rotates daily.[1]');
    expect(citations.map(({ url }) => url)).toEqual(['https://wren.example/logs']);
  });

  it('does not take the number of a mark for the title of a page', () => {
    const text = 'Wren rotates daily.[[1]](https://wren.example/logs)';
    const annotation = { type: 'url_citation', url: 'https://wren.example/logs', title: '1', start_index: 19, end_index: text.length };
    const output = [{ type: 'message', content: [{ type: 'output_text', text, annotations: [annotation] }] }];
    expect(read(response('', { output })).citations).toMatchObject([{ url: 'https://wren.example/logs', title: null }]);
  });

  it('lists the pages that were looked at where the text cites none', () => {
    const { citations } = read(response('Daily.', { citations: ['https://wren.example/logs', 7, 'javascript:x'] }));
    expect(citations).toMatchObject([{ index: 1, url: 'https://wren.example/logs', startIndex: null }]);
  });

  it.each([
    [{ cost_in_usd_ticks: 318_319_000 }, { micros: 31_832, provenance: 'reported' }],
    [
      { cost_in_usd_ticks: -1, input_tokens: 1000, output_tokens: 100, num_server_side_tools_used: 2 },
      { micros: 1250 + 250 + 10_000, provenance: 'computed' },
    ],
    [{}, { micros: 500_000, provenance: 'estimated' }],
    [
      { input_tokens: 1000, output_tokens: 100, num_server_side_tools_used: 'two' },
      { micros: 500_000, provenance: 'estimated' },
    ],
  ])('with the usage %j is charged %j', (usage, charge) => {
    expect(read(response('Daily.', { usage })).charge).toMatchObject(charge);
  });

  it('is charged the searches that its output shows where they are not counted', () => {
    const { output } = response('Daily.');
    const usage = { input_tokens: 1000, output_tokens: 100 };
    const searched = response('', { output: [{ type: 'web_search_call' }, { type: 'x_search_call' }, ...output], usage });
    expect(read(searched).charge).toMatchObject({ micros: 1250 + 250 + 10_000, provenance: 'computed', usage: { searches: 2 } });
  });
});
