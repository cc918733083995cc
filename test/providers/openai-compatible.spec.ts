import { OpenAiCompatibleProvider } from '@lib/providers/openai-compatible/adapter';
import { research } from '@lib/providers/research';

import { Stand, type AdapterUnderTest } from './adapters/stand';
import { newRun, requestOf } from './request';

const PRICES = {
  inputMicrosPerMillionTokens: 1_000_000,
  cachedInputMicrosPerMillionTokens: 100_000,
  outputMicrosPerMillionTokens: 4_000_000,
  perSearchMicros: 20_000,
};
const FREE = {
  inputMicrosPerMillionTokens: 0,
  cachedInputMicrosPerMillionTokens: 0,
  outputMicrosPerMillionTokens: 0,
  perSearchMicros: 0,
};
const OPTIONS = { prices: PRICES, maxOutputTokens: 16_000, webSearchResults: 5, inputTokensPerSearch: 10_000 };
const LOCAL = { ...OPTIONS, prices: FREE, webSearchResults: 0 };

const gateway: AdapterUnderTest = {
  api: 'openai-compatible',
  model: 'vendor/model',
  limitable: true,
  create: (baseUrl, key) => new OpenAiCompatibleProvider({ baseUrl, ...OPTIONS }, key),
};
const local: AdapterUnderTest = {
  ...gateway,
  model: 'qwen3:8b',
  create: (baseUrl) => new OpenAiCompatibleProvider({ baseUrl, ...LOCAL }, null),
};

describe('a local model', () => {
  it('needs no key, costs nothing, and its thoughts are no part of the report', async () => {
    const stand = await Stand.build(local);
    const { report, error } = await stand.attempt({ reservedMicros: 0 });
    expect(error).toBeNull();
    expect(report).toMatchObject({ charge: { micros: 0 }, model: 'qwen3:8b', citations: [] });
    expect(report?.markdown).toMatch(/^# Emulated answer/);
  });

  it('costs nothing either when it does not say what it used', async () => {
    const stand = await Stand.build(local, 'usage as=missing');
    const { report } = await stand.attempt({ reservedMicros: 0 });
    expect(report?.charge).toEqual({ micros: 0, provenance: 'estimated' });
  });

  it('costs what its tokens cost where prices are set', async () => {
    const stand = await Stand.build({
      ...local,
      create: (baseUrl) => new OpenAiCompatibleProvider({ baseUrl, ...LOCAL, prices: PRICES }, null),
    });
    const { report } = await stand.attempt();
    expect(report?.charge.provenance).toBe('computed');
    expect(report?.charge.micros).toBeGreaterThan(0);
  });
});

describe('a chat completion', () => {
  it('searches only where that is configured', async () => {
    const [searching, plain] = [await Stand.build(gateway), await Stand.build(local)];
    await Promise.all([searching.attempt(), plain.attempt()]);
    expect(searching.emulator.requests[0]?.body).toMatchObject({ plugins: [{ id: 'web', max_results: 5 }] });
    expect(plain.emulator.requests[0]?.body).not.toHaveProperty('plugins');
  });

  it('is charged as the gateway says', async () => {
    const { provider, emulator } = await Stand.build(gateway);
    const limits = { reservedMicros: 1_000_000, deadlineMs: 5000, maxResponseBytes: 4_000_000 };
    const { report } = await research(provider, requestOf({ model: gateway.model, limits }), newRun);
    expect(report.charge).toMatchObject({ micros: emulator.chargedMicros, provenance: 'reported' });
  });

  const read = (message: object, rest: object = {}, choice: object = {}) => {
    const limits = { reservedMicros: 9000, deadlineMs: 5000, maxResponseBytes: 4_000_000 };
    const raw = JSON.stringify({ choices: [{ message, finish_reason: 'stop', ...choice }], ...rest });
    return new OpenAiCompatibleProvider({ baseUrl: 'http://127.0.0.1:1', ...OPTIONS }, 'key-for-tests').parse(raw, requestOf({ limits }));
  };

  it.each([
    ['<think>Why 🚢?</think>\n\nDaily.', 'Daily.'],
    ['Why?\n</think>\nDaily.', 'Daily.'],
    ['<think>Why? And why not', ''],
    ['Write `<think>` in code.', 'Write `<think>` in code.'],
    ['Models close it with `</think>` before the answer. Daily.', 'Models close it with `</think>` before the answer. Daily.'],
  ])('is read without its reasoning: %j', (content, markdown) => expect(read({ content }).markdown).toBe(markdown));

  it('has nested and flat citations, with offsets into the whole answer', () => {
    const content = '<think>🚢</think>Daily. Weekly.';
    const span = (part: string) => ({ start_index: content.indexOf(part), end_index: content.indexOf(part) + part.length });
    const annotations = [
      { type: 'url_citation', url_citation: { url: 'https://a.example/', content: 'It rotates.', ...span('Daily.') } },
      { type: 'url_citation', url: 'https://b.example/', ...span('Weekly.') },
    ];
    const { markdown, citations } = read({ content, annotations });
    expect(markdown).toBe('Daily [1]. Weekly [2].');
    expect(citations).toMatchObject([{ url: 'https://a.example/', snippet: 'It rotates.', startIndex: 0 }, { url: 'https://b.example/' }]);
  });

  it.each([{}, { start_index: 0, end_index: 0 }])('has its sources where it links them, if their places are not told: %j', (place) => {
    const content =
      '<think>Where? [a](https://a.example/)</think>Daily 🚢 [a.example](https://a.example/page?utm_source=x). Weekly ([b.example](https://b.example/)).\n\n' +
      'Never, says [c.example](https://c.example/). Again [a.example](https://a.example/page), as `[b](https://b.example/)`.';
    const annotation = (url: string, said: string) => ({ type: 'url_citation', url_citation: { url, content: said, ...place } });
    const annotations = [
      annotation('https://b.example/', 'By week.'),
      annotation('https://a.example/page', 'By day.'),
      annotation('https://a.example/page', 'Further on.'),
      annotation('https://unused.example/', 'Nothing.'),
    ];
    const { markdown, citations } = read({ content, annotations });
    expect(markdown).toBe(
      'Daily 🚢 [a.example](https://a.example/page?utm_source=x) [1]. Weekly [2].\n\n' +
        'Never, says [c.example](https://c.example/). Again [a.example](https://a.example/page) [1], as `[b](https://b.example/)`.',
    );
    expect(
      citations.map(({ index, snippet, startIndex, endIndex }) => [index, snippet, markdown.slice(startIndex ?? 0, endIndex ?? 0)]),
    ).toEqual([
      [1, 'By day.', '[a.example](https://a.example/page?utm_source=x) [1]'],
      [1, 'By day.', '[a.example](https://a.example/page) [1]'],
      [2, 'By week.', '[2]'],
    ]);
  });

  it('costs the reservation where a paid one says nothing, never less than nothing', () => {
    expect(read({ content: 'Daily.' }).charge).toEqual({ micros: 9000, provenance: 'estimated' });
    const usage = { prompt_tokens: 100, completion_tokens: 10, cost: -1 };
    expect(read({ content: 'Daily.' }, { usage }).charge).toMatchObject({ micros: 100 + 40 + 20_000, provenance: 'computed' });
  });

  it.each([
    [{ total_tokens: 700 }, { micros: 100 + 4 * 600 + 20_000, provenance: 'computed', usage: { outputTokens: 600 } }],
    [{ total_tokens: 110 }, { micros: 100 + 40 + 20_000, provenance: 'computed' }],
    [{ total_tokens: 50 }, { micros: 100 + 40 + 20_000, provenance: 'computed' }],
    [{ cost_in_usd_ticks: 318_319_000 }, { micros: 31_832, provenance: 'reported' }],
    [{ cost: { total_cost: 0.0123 } }, { micros: 12_300, provenance: 'reported' }],
    [
      { cost: { total_cost: -1 }, cost_in_usd_ticks: -1 },
      { micros: 100 + 40 + 20_000, provenance: 'computed' },
    ],
  ])('is charged with its reasoning, and as xAI and Perplexity report it: %j is %j', (more, charge) => {
    const usage = { prompt_tokens: 100, completion_tokens: 10, ...more };
    expect(read({ content: 'Daily.' }, { usage }).charge).toMatchObject(charge);
  });

  it("with a key of the customer costs what the model's provider bills, and the fee of the gateway", () => {
    const usage = { prompt_tokens: 100, completion_tokens: 10, cost: 0.0005, cost_details: { upstream_inference_cost: 0.0195 } };
    const chargeOf = (more: object) => read({ content: 'Daily.' }, { usage: { ...usage, ...more } }).charge;
    expect(chargeOf({ is_byok: true })).toMatchObject({ micros: 20_000, provenance: 'reported' });
    expect(chargeOf({ is_byok: false })).toMatchObject({ micros: 500, provenance: 'reported' });
    expect(chargeOf({ is_byok: true, cost_details: null })).toMatchObject({ micros: 100 + 40 + 20_000, provenance: 'computed' });
  });

  it.each([
    ['search results', { search_results: [{ url: 'https://a.example/', title: 'A', date: '2026-01-02' }, { url: 'https://b.example/' }] }],
    ['URLs', { citations: ['https://a.example/', 'https://b.example/'] }],
  ])('has the sources that its marks stand for as %s', (_, sources) => {
    const { markdown, citations } = read({ content: 'Weekly.[2] Daily.[1]' }, { ...sources });
    expect(markdown).toBe('Weekly.[1] Daily.[2]');
    expect(citations.map(({ url }) => url)).toEqual(['https://b.example/', 'https://a.example/']);
  });

  it('has the numbers of its sources also where one of them is no page', () => {
    const pages = [null, { url: 'https://b.example/', title: 'B' }];
    for (const sources of [{ search_results: pages }, { citations: pages }])
      expect(read({ content: 'Weekly.[2] Daily.[1]' }, sources)).toMatchObject({
        markdown: 'Weekly.[1] Daily.\\[1]',
        citations: [{ url: 'https://b.example/', title: 'B' }],
      });
  });

  it('tells what an error says that is a mere text', () => {
    const error = 'Unexpected endpoint or method. (POST /chat/completions)';
    const said = { message: `The provider said: ${error}` };
    expect(() => read({}, { error })).toThrow(expect.objectContaining(said) as Error);
  });

  it.each(['constructor', '__proto__', {}])('that ended with the word %j is read as if it had ended', (finish_reason) => {
    expect(read({ content: 'Daily.' }, {}, { finish_reason }).markdown).toBe('Daily.');
  });

  it('whose server failed while it wrote is no whole report', () => {
    const ended = { finish_reason: 'error' };
    expect(read({ content: 'Rotates dai' }, {}, ended).markdown).toMatch(
      /^Rotates dai\n\n.*ended this report early: the server behind the gateway failed/s,
    );
    expect(() => read({ content: '' }, {}, ended)).toThrow(expect.objectContaining({ errorClass: 'overloaded' }) as Error);
  });

  it('may have its content in parts', () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
      { type: 'text', text: 'Rotates ' },
      { type: 'text', text: 'daily.' },
    ];
    expect(read({ content }).markdown).toBe('Rotates daily.');
  });

  it.each([
    ['and asks for more tokens where they were used up', 'length', 'quota', /used up its tokens.*raise .*maxOutputTokens/],
    ['where it was not', 'stop', 'malformed', /nothing but reasoning/],
  ])('that is mere reasoning is none, %s', (_, finish_reason, errorClass, message) => {
    const reading = () => read({ content: null, reasoning_content: 'Why?' }, { usage: { cost: 0.01 } }, { finish_reason });
    expect(reading).toThrow(
      expect.objectContaining({
        errorClass,
        details: { runEnded: true, charge: expect.objectContaining({ micros: 10_000 }) as object },
      }) as Error,
    );
    expect(reading).toThrow(message);
  });

  it.each([
    [{ error: { code: 429, message: 'slow down' } }, {}, 'rate_limited'],
    [{}, { error: { code: 502, message: 'upstream' }, finish_reason: 'error' }, 'overloaded'],
    [{}, { finish_reason: 'content_filter' }, 'content_filtered'],
    [{ error: { message: 'insufficient credit balance' } }, {}, 'quota'],
  ])('can hold an error although its status is 200: %j %j', (rest, choice, errorClass) => {
    expect(() => read({ content: '' }, rest, choice)).toThrow(expect.objectContaining({ errorClass }) as Error);
  });

  it.each([
    [{}, { error: { code: 502, message: 'upstream' } }],
    [{ error: { code: 502, message: 'upstream' } }, {}],
    [{}, { error: { code: 502, message: 'upstream' }, finish_reason: 'error' }],
    [{ error: {} }, { error: { code: 502 } }],
  ])('keeps what was written before an error, and says that it ended early: %j %j', (rest, choice) => {
    const { markdown } = read({ content: 'Wren rotates daily.' }, rest, choice);
    expect(markdown).toMatch(/^Wren rotates daily\.[^]*the server behind the gateway failed while it wrote/);
  });

  it('is whole where its error says nothing', () => {
    expect(read({ content: 'Daily.' }, {}, { error: {} }).markdown).toBe('Daily.');
  });

  it.each([
    ['an error', { content: '' }, { error: { code: 401, message: 'Received the key key-for-tests, which is unknown' } }],
    ['a refusal', { refusal: 'I will not answer to key-for-tests.' }, {}],
  ])('does not show our key where it repeats it in %s', (_, message, rest) => {
    expect(() => read(message, rest)).toThrow(expect.objectContaining({ message: expect.stringContaining('[key]') as string }) as Error);
  });
});
