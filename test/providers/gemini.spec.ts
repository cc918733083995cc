import { GeminiProvider } from '@lib/providers/gemini/adapter';
import { research } from '@lib/providers/research';
import type { ProviderError } from '@lib/providers/research-provider';

import { Stand, type AdapterUnderTest } from './adapters/stand';
import { cannedServer } from './canned-server';
import { newRun, requestOf } from './request';

const PRICES = {
  inputMicrosPerMillionTokens: 2_000_000,
  cachedInputMicrosPerMillionTokens: 200_000,
  outputMicrosPerMillionTokens: 12_000_000,
  perSearchMicros: 14_000,
};
const AGENT = 'deep-research-preview-04-2026';

const create = (baseUrl: string, key = 'key-for-tests'): GeminiProvider => new GeminiProvider({ baseUrl, prices: PRICES, pollMs: 5 }, key);
const gemini: AdapterUnderTest = { api: 'gemini', model: AGENT, limitable: false, create };
const limits = { reservedMicros: 100_000, deadlineMs: 5000, maxResponseBytes: 4_000_000 };
const request = requestOf({ model: AGENT, limits });
const read = (interaction: object) => create('http://127.0.0.1:1').parse(JSON.stringify(interaction), request);

describe('a deep-research run of Gemini', () => {
  it('is asked for in the background, stored, and labelled with its step', async () => {
    const { emulator, provider } = await Stand.build(gemini);
    await research(provider, requestOf({ model: AGENT, stepId: 'stp_7', attempt: 2, brief: 'Nobody said when.' }), newRun);
    const [{ path, body } = {}] = emulator.requests;
    expect(path).toBe('/v1beta/interactions');
    expect(body).toMatchObject({ agent: AGENT, background: true, store: true, labels: { step: 'stp_7', attempt: '2' } });
    expect((body as { input: string }).input).toContain('<brief>\nNobody said when.\n</brief>');
  });

  it('is looked at once more when its end comes without usage', async () => {
    const stand = await Stand.build(gemini);
    const { report } = await stand.attempt();
    expect(report?.charge).toMatchObject({ micros: stand.emulator.chargedMicros, provenance: 'computed' });
    const ended = { id: 'v1_a', status: 'completed', outputs: [{ type: 'text', text: 'Found.' }] };
    const server = await cannedServer([{ body: ended }]);
    await research(create(server.url), request, { ...newRun, externalId: 'v1_a' });
    expect(server.asked).toEqual(['GET /interactions/v1_a', 'GET /interactions/v1_a']);
  });

  it('needs a configured agent', async () => {
    const { provider, emulator } = await Stand.build(gemini);
    const attempt = research(provider, requestOf({ model: null }), newRun);
    await expect(attempt).rejects.toMatchObject({ errorClass: 'invalid_request', message: expect.stringContaining('provider-a') });
    expect(emulator.requests).toEqual([]);
  });

  it('is stopped when it asks a question back, which nobody would answer', async () => {
    const server = await cannedServer([{ body: { id: 'v1_b', status: 'requires_action', usage: {} } }]);
    await expect(research(create(server.url), request, newRun)).rejects.toMatchObject({ errorClass: 'invalid_request' });
    expect(server.asked).toEqual(['POST /interactions', 'POST /interactions/v1_b/cancel']);
  });

  it('is stopped when it says that it has cost more than was reserved', async () => {
    const running = { id: 'v1_c', status: 'in_progress', usage: { total_input_tokens: 1_000_000, total_output_tokens: 0 } };
    const stopped = { ...running, status: 'cancelled' };
    const server = await cannedServer([{ body: { ...running, usage: undefined } }, { body: running }, { body: stopped }]);
    const attempt = research(create(server.url), request, newRun);
    await expect(attempt).rejects.toMatchObject({ errorClass: 'quota', details: { runEnded: true, charge: { micros: 2_000_000 } } });
    expect(server.asked.at(-1)).toBe('POST /interactions/v1_c/cancel');
  });

  it('may go on where a poll does not tell of it', async () => {
    const server = await cannedServer([
      { body: { id: 'v1_e', status: 'in_progress' } },
      { body: { error: { code: 500, message: 'upstream' } } },
    ]);
    const failure: unknown = await research(create(server.url), request, newRun).catch((error: unknown) => error);
    expect(failure).toMatchObject({ errorClass: 'malformed', message: expect.stringContaining('upstream') as string });
    expect((failure as ProviderError).details).toEqual({});
  });

  it('is not called stopped nor over where that was refused', async () => {
    const running = { id: 'v1_d', status: 'in_progress', usage: { total_input_tokens: 1_000_000, total_output_tokens: 0 } };
    const server = await cannedServer([
      { body: running },
      { status: 405, body: { error: { message: 'No such method here' } } },
      { body: running },
    ]);
    const failure: unknown = await research(create(server.url), request, newRun).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      errorClass: 'quota',
      message: expect.stringMatching(/could not be stopped: .*405: No such method here/),
    });
    expect((failure as ProviderError).details).toEqual({});
  });
});

describe('an interaction that is over', () => {
  const text = 'Wren – “naïve” 🚢 – rotates daily.';
  const annotation = { type: 'url_citation', url: 'https://wren.example/', start_index: 0, end_index: Buffer.byteLength(text) };

  it.each([
    ['steps', { steps: [{ type: 'thought' }, { type: 'model_output', content: [{ type: 'text', text, annotations: [annotation] }] }] }],
    ['the outputs of older revisions', { outputs: [{ type: 'thought' }, { type: 'text', text, annotations: [annotation] }] }],
  ])('is read from %s, with offsets in bytes', (_, output) => {
    const { markdown, citations } = read({ status: 'completed', agent: AGENT, ...output });
    expect(markdown).toBe('Wren – “naïve” 🚢 – rotates daily [1].');
    expect(citations).toMatchObject([{ index: 1, startIndex: 0, endIndex: markdown.length }]);
  });

  it('resolves its own marks by the list at its end, which goes', () => {
    const redirect = (name: string) => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${name}`;
    const sources = `\n\n**Sources:**\n1. [wren.example](${redirect('AUZ1')})\n2. [owl.example](${redirect('AUZ2==')})\n`;
    const { markdown, citations } = read({
      status: 'completed',
      outputs: [{ type: 'text', text: `Owls sleep [cite: 2]. Wren rotates daily [cite: 1, 2]. So it is said [cite: 9].${sources}` }],
    });
    expect(markdown).toBe('Owls sleep [1]. Wren rotates daily [2][1]. So it is said.');
    expect(citations.map(({ index, url, title }) => [index, url, title])).toEqual([
      [1, redirect('AUZ2=='), 'owl.example'],
      [2, redirect('AUZ1'), 'wren.example'],
    ]);
  });

  it('keeps its annotations where it also has such marks', () => {
    const said = 'Früher jährlich [cite: 1]. Wren rotates daily [cite: 1].';
    const start = Buffer.byteLength(said.slice(0, said.indexOf('Wren')));
    const annotations = [{ type: 'url_citation', url: 'https://wren.example/', start_index: start, end_index: Buffer.byteLength(said) }];
    const { markdown, citations } = read({
      status: 'completed',
      outputs: [{ type: 'text', text: `${said}\n\n**Sources:**\n1. [wren.example](https://wren.example/)`, annotations }],
    });
    expect(markdown).toBe('Früher jährlich [1]. Wren rotates daily [1].');
    expect(citations).toMatchObject([{ index: 1, startIndex: 21, endIndex: markdown.length }]);
  });

  it('counts offsets from the start of each content', () => {
    const content = [
      { type: 'text', text: 'Früher. ' },
      { type: 'text', text, annotations: [annotation] },
    ];
    const { markdown, citations } = read({ status: 'completed', steps: [{ type: 'model_output', content }] });
    expect(markdown.slice(citations[0]?.startIndex ?? 0)).toBe('Wren – “naïve” 🚢 – rotates daily [1].');
  });

  it('keeps apart what it wrote between its searches', () => {
    const output = (said: string) => ({ type: 'model_output', content: [{ type: 'text', text: said, annotations: [] as unknown[] }] });
    const last = output(text);
    last.content[0]?.annotations.push(annotation);
    const steps = [output('# Owls'), { type: 'google_search_call' }, output('They sleep.'), last];
    const { markdown, citations } = read({ status: 'completed', steps });
    expect(markdown).toBe('# Owls\n\nThey sleep.\n\nWren – “naïve” 🚢 – rotates daily [1].');
    expect(markdown.slice(citations[0]?.startIndex ?? 0)).toMatch(/^Wren/);
  });

  it.each(['incomplete', 'budget_exceeded'])('keeps what it wrote when it is %s, and says so', (status) => {
    expect(read({ status, outputs: [{ type: 'text', text }] }).markdown).toContain(`ended this report early: ${status}`);
  });

  it('charges thoughts as output, tool results as input, and searches', () => {
    const usage = {
      total_input_tokens: 1000,
      total_cached_tokens: 500,
      total_tool_use_tokens: 2000,
      total_output_tokens: 100,
      total_thought_tokens: 900,
      grounding_tool_count: [{ type: 'google_search', count: 3 }],
    };
    const { charge } = read({ status: 'completed', outputs: [{ type: 'text', text }], usage });
    expect(charge).toMatchObject({ micros: 2500 * 2 + 500 * 0.2 + 1000 * 12 + 3 * 14_000, provenance: 'computed' });
  });

  it.each([
    [undefined, { micros: 2000 + 1200 + 2 * 14_000, provenance: 'computed' }],
    [[], { micros: 2000 + 1200, provenance: 'computed' }],
    ['three', { provenance: 'estimated' }],
    [[{ count: 1 }, 'two'], { provenance: 'estimated' }],
  ])('with the searches %j is charged %j', (grounding_tool_count, charge) => {
    const usage = { total_input_tokens: 1000, total_output_tokens: 100, grounding_tool_count };
    const steps = [
      { type: 'google_search_call' },
      { type: 'google_search_call' },
      { type: 'model_output', content: [{ type: 'text', text }] },
    ];
    expect(read({ status: 'completed', steps, usage }).charge).toMatchObject(charge);
  });

  it.each([{ steps: 'none' }, { steps: [null, 7, { type: 'model_output', content: { text } }] }, { outputs: [{ type: 'text', text: 9 }] }])(
    'has no text where its shape is none: %j',
    (output) => expect(read({ status: 'completed', ...output }).markdown).toBe(''),
  );
});
