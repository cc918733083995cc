import { PerplexityProvider } from '@lib/providers/perplexity/adapter';
import { research } from '@lib/providers/research';

import { Stand, type AdapterUnderTest } from './adapters/stand';
import { cannedServer } from './canned-server';
import { newRun, requestOf } from './request';

const OPTIONS = {
  prices: {
    inputMicrosPerMillionTokens: 250_000,
    cachedInputMicrosPerMillionTokens: 62_500,
    outputMicrosPerMillionTokens: 2_500_000,
    perSearchMicros: 5000,
  },
  maxOutputTokens: 24_000,
  maxSteps: 10,
  searchesPerStep: 5,
  inputTokensPerSearch: 10_000,
  pollMs: 15,
};
const MODEL = 'perplexity/sonar';

const create = (baseUrl: string, key = 'key-for-tests') => new PerplexityProvider({ baseUrl, ...OPTIONS }, key);
const perplexity: AdapterUnderTest = { api: 'perplexity', model: MODEL, limitable: true, create };
const limitsOf = (reservedMicros: number) => ({ reservedMicros, deadlineMs: 5000, maxResponseBytes: 4_000_000 });
const request = requestOf({ model: MODEL, limits: limitsOf(1_000_000) });
const message = (text: string, annotations: object[] = []) => ({ type: 'message', content: [{ type: 'output_text', text, annotations }] });
const found = (...results: object[]) => ({ type: 'search_results', results });
const read = (response: object) => create('http://127.0.0.1:1').parse(JSON.stringify({ status: 'completed', ...response }), request);

function failureOfReading(response: object): unknown {
  try {
    return read(response);
  } catch (error) {
    return error;
  }
}

describe('a request to Perplexity', () => {
  it.each([
    ['fast', 'low'],
    ['methodical', 'high'],
  ] as const)('names its model and runs in the background; %s: at %s effort', async (mode, effort) => {
    const { emulator, provider } = await Stand.build(perplexity);
    await provider.submit(requestOf({ ...request, mode }), newRun.started);
    const [{ path, body } = {}] = emulator.requests;
    expect(path).toBe('/v1/responses');
    expect(body).toMatchObject({
      model: MODEL,
      background: true,
      store: true,
      reasoning: { effort },
      max_steps: 10,
      max_output_tokens: 24_000,
    });
    expect(body).not.toHaveProperty('preset');
  });

  it('may search in fewer rounds, the less is reserved, but in one', async () => {
    const { emulator, provider } = await Stand.build(perplexity);
    for (const reserved of [200_000, 60_000]) await provider.submit(requestOf({ ...request, limits: limitsOf(reserved) }), newRun.started);
    const [some, least] = emulator.requests.map(({ body }) => body as { max_steps: number });
    expect(some?.max_steps).toBeGreaterThan(1);
    expect(some?.max_steps).toBeLessThan(10);
    expect(least?.max_steps).toBe(1);
  });
});

describe('a response of Perplexity', () => {
  const logs = { id: 1, url: 'https://wren.example/logs', title: 'Logs', snippet: 'Daily.', date: '2025-02-03' };
  const owls = { id: 2, url: 'https://owl.example/', title: 'Owls', snippet: 'By day.' };

  it('has the search results that its marks stand for, with what they say', () => {
    const { markdown, citations } = read({ output: [found(logs, owls), message('Owls sleep[2]. Wren rotates[1][2].')] });
    expect(markdown).toBe('Owls sleep[1]. Wren rotates[2][1].');
    expect(citations).toMatchObject([
      { index: 1, url: owls.url, snippet: 'By day.', publishedAt: null },
      { index: 2, url: logs.url, snippet: 'Daily.', publishedAt: '2025-02-03' },
    ]);
  });

  it('has the sources of marks that name the tool, sentence by sentence', () => {
    const text =
      'Owls sleep [web:2]. Wren rotates [web:1, web:2]. Nobody knows [web:9]. `x[web:1]` is code, [web:1](https://x.example/) a link.';
    const { markdown, citations } = read({ output: [found(logs, owls), message(text)] });
    expect(markdown).toBe('Owls sleep [1]. Wren rotates [2][1]. Nobody knows. `x[web:1]` is code, [web:1](https://x.example/) a link.');
    expect(citations.map(({ url, startIndex, endIndex }) => [url, markdown.slice(startIndex ?? 0, endIndex ?? 0)])).toEqual([
      [owls.url, ' [1]'],
      [logs.url, ' [2][1]'],
    ]);
  });

  it('does not guess what a number means that two searches gave to different pages', () => {
    const { markdown, citations } = read({ output: [found(logs, owls), found({ ...owls, id: 1 }), message('Rotates[1]. Sleeps[2].')] });
    expect(markdown).toBe('Rotates\\[1]. Sleeps[1].');
    expect(citations.map(({ url }) => url)).toEqual([owls.url]);
  });

  it.each([
    [
      { cost: { currency: 'USD', total_cost: 0.0123 }, input_tokens: 1, output_tokens: 1 },
      { micros: 12_300, provenance: 'reported' },
    ],
    [
      {
        cost: { currency: 'EUR', total_cost: 0.0123 },
        input_tokens: 1000,
        output_tokens: 100,
        tool_calls_details: { web_search: { invocation: 2 } },
      },
      { micros: 250 + 250 + 10_000, provenance: 'computed' },
    ],
    [{ cost: { total_cost: '0.01' } }, { micros: 1_000_000, provenance: 'estimated' }],
    [null, { micros: 1_000_000, provenance: 'estimated' }],
    [
      { input_tokens: 1000, output_tokens: 100 },
      { micros: 250 + 250, provenance: 'computed' },
    ],
    [
      { input_tokens: 1000, output_tokens: 100, tool_calls_details: [] },
      { micros: 1_000_000, provenance: 'estimated' },
    ],
    [
      { input_tokens: 1000, output_tokens: 100, tool_calls_details: { web_search: 2 } },
      { micros: 1_000_000, provenance: 'estimated' },
    ],
  ])('with the usage %j is charged %j', (usage, charge) => {
    expect(read({ output: [message('Daily.')], usage }).charge).toMatchObject(charge);
  });

  it('is charged the searches that its output shows where they are not counted', () => {
    const output = [found(logs), found(owls), message('Daily.')];
    const usage = { input_tokens: 1000, output_tokens: 100, tool_calls_details: {} };
    expect(read({ output, usage }).charge).toMatchObject({ micros: 250 + 250 + 10_000, provenance: 'computed' });
  });

  it.each([
    [{ status: 'failed', error: { code: 'x', type: 'rate_limit', message: 'rate_limit' } }, 'rate_limited'],
    [{ status: 'failed', error: null }, 'unavailable'],
    [{ status: 'requires_action' }, 'invalid_request'],
    [{ status: 'cancelled' }, 'unavailable'],
  ])('%j fails as %s', (response, errorClass) => {
    expect(failureOfReading(response)).toMatchObject({ errorClass, details: { runEnded: true } });
  });
});

describe('a run at Perplexity', () => {
  it('that asks something back is stopped', async () => {
    const { url, asked } = await cannedServer([
      { body: { id: 'resp_1', status: 'in_progress' } },
      { body: { id: 'resp_1', status: 'requires_action' } },
    ]);
    await expect(research(create(url), request, newRun)).rejects.toMatchObject({ errorClass: 'invalid_request' });
    expect(asked).toEqual(['POST /responses', 'GET /responses/resp_1', 'POST /responses/resp_1/cancel']);
  });
});
