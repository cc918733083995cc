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

  it('costs the reservation where a paid one says nothing, never less than nothing', () => {
    expect(read({ content: 'Daily.' }).charge).toEqual({ micros: 9000, provenance: 'estimated' });
    const usage = { prompt_tokens: 100, completion_tokens: 10, cost: -1 };
    expect(read({ content: 'Daily.' }, { usage }).charge).toMatchObject({ micros: 100 + 40 + 20_000, provenance: 'computed' });
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
    ['an error', { content: '' }, { error: { code: 401, message: 'Received the key key-for-tests, which is unknown' } }],
    ['a refusal', { refusal: 'I will not answer to key-for-tests.' }, {}],
  ])('does not show our key where it repeats it in %s', (_, message, rest) => {
    expect(() => read(message, rest)).toThrow(expect.objectContaining({ message: expect.stringContaining('[key]') as string }) as Error);
  });
});
