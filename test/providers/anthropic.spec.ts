import net from 'node:net';

import { AnthropicProvider } from '@lib/providers/anthropic/adapter';
import { research } from '@lib/providers/research';

import { failureOf, Stand, type AdapterUnderTest } from './adapters/stand';
import { cannedServer } from './canned-server';
import { newRun, requestOf } from './request';

const OPTIONS = {
  prices: {
    inputMicrosPerMillionTokens: 2_000_000,
    cachedInputMicrosPerMillionTokens: 200_000,
    outputMicrosPerMillionTokens: 10_000_000,
    perSearchMicros: 10_000,
  },
  maxOutputTokens: 16_000,
  maxSearches: 15,
  maxFetches: 8,
  inputTokensPerSearch: 10_000,
  maxFetchTokens: 20_000,
  webSearchTool: 'web_search_20250305',
  webFetchTool: 'web_fetch_20250910',
};
const MODEL = 'claude-sonnet-5';

const create = (baseUrl: string, key = 'key-for-tests') => new AnthropicProvider({ baseUrl, ...OPTIONS }, key);
const anthropic: AdapterUnderTest = { api: 'anthropic', model: MODEL, limitable: true, create };
const limitsOf = (reservedMicros: number) => ({ reservedMicros, deadlineMs: 5000, maxResponseBytes: 4_000_000 });
const request = requestOf({ model: MODEL, limits: limitsOf(3_000_000) });

interface SentBody {
  max_tokens: number;
  output_config: object;
  tools: { name: string; max_uses: number }[];
  messages: { role: string; content: unknown }[];
}

const sent = ({ emulator }: Stand): SentBody[] => emulator.requests.map(({ body }) => body as SentBody);

describe('a request to Claude', () => {
  it('has tools, effort and a length by mode and reservation', async () => {
    const stand = await Stand.build(anthropic);
    await stand.provider.submit(requestOf({ ...request, mode: 'methodical' }), newRun.started);
    await stand.provider.submit(requestOf({ ...request, mode: 'fast', limits: limitsOf(200_000) }), newRun.started);
    const [ample, scarce] = sent(stand);
    expect(ample).toMatchObject({ max_tokens: 16_000, output_config: { effort: 'high' } });
    expect(ample?.tools.map(({ name, max_uses }) => [name, max_uses])).toEqual([
      ['web_search', 15],
      ['web_fetch', 8],
    ]);
    expect(scarce).toMatchObject({ output_config: { effort: 'low' } });
    expect(scarce?.max_tokens).toBeLessThan(5000);
    for (const { max_uses } of scarce?.tools ?? []) expect(max_uses).toBeLessThan(5);
  });
});

describe('an answer of Claude', () => {
  it('has what the sources say as snippets, with their days, and no announcements', async () => {
    const { report } = await (await Stand.build(anthropic)).attempt();
    expect(report?.citations[0]).toMatchObject({ snippet: expect.stringContaining('Wren'), publishedAt: '2025-04-30' });
    expect(report?.markdown).toMatch(/^# Emulated answer/);
  });

  it('goes on after a pause with what was answered so far, unchanged, and costs what its turns cost', async () => {
    const stand = await Stand.build(anthropic, 'pause');
    const attempted = await stand.attempt();
    expect(attempted.report?.markdown).toMatch(/^# Emulated answer/);
    expect(attempted.report?.charge).toMatchObject({ micros: stand.emulator.chargedMicros, provenance: 'computed' });
    expect(stand.lines('submit')).toHaveLength(1);
    expect(stand.lines('continue')).toHaveLength(1);
    expect(sent(stand)[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    stand.expectSound(attempted);
  });

  it('does not go on where the reservation does not cover another turn', async () => {
    const stand = await Stand.build(anthropic, 'pause');
    const attempted = await stand.attempt({ reservedMicros: 100_000 });
    expect(failureOf(attempted)).toMatchObject({ errorClass: 'quota', details: { charge: { provenance: 'computed' } } });
    expect(stand.lines('continue')).toEqual([]);
  });

  it('gives each turn only what the turns before it left', async () => {
    const stand = await Stand.build(anthropic, 'pause');
    await stand.attempt({ reservedMicros: 400_000 });
    const [first, second] = sent(stand);
    const { max_tokens = 0, tools = [] } = second ?? {};
    const { outputMicrosPerMillionTokens, inputMicrosPerMillionTokens, perSearchMicros } = OPTIONS.prices;
    const read = OPTIONS.inputTokensPerSearch + OPTIONS.maxFetchTokens;
    const search = perSearchMicros + (read * inputMicrosPerMillionTokens) / 1e6;
    const worst = (max_tokens * outputMicrosPerMillionTokens) / 1e6 + (tools[0]?.max_uses ?? 0) * search;
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThan(400_000 - Math.min(5, first?.tools[0]?.max_uses ?? 0) * perSearchMicros);
    expect(stand.emulator.chargedMicros).toBeLessThanOrEqual(400_000);
  });

  it('costs what its first turn cost when the second is refused', async () => {
    const server = await cannedServer([
      { body: paused(1000) },
      { status: 429, body: { error: { type: 'rate_limit_error', message: 'later' } } },
    ]);
    const attempt = research(create(server.url), request, newRun);
    await expect(attempt).rejects.toMatchObject({
      errorClass: 'rate_limited',
      details: { charge: { micros: 2000 + 100, provenance: 'computed' } },
    });
  });

  it('costs at least what its first turn cost when the second breaks off', async () => {
    const server = await cannedServer([{ body: paused(1000) }, { body: paused(1000).slice(0, -1) }]);
    await expect(research(create(server.url), request, newRun)).rejects.toMatchObject({
      errorClass: 'unavailable',
      details: { charge: { micros: 2000 + 100, provenance: 'estimated' } },
    });
  });

  it('was called, and costs what its first turn cost, when the worker cannot connect for the second', async () => {
    const { url } = await cannedServer([{ body: paused(1000), headers: { connection: 'close' } }]);
    const lack = Object.assign(new Error('connect EADDRNOTAVAIL'), { code: 'EADDRNOTAVAIL', syscall: 'connect' });
    const { connect } = net;
    const connecting = jest.spyOn(net, 'connect').mockImplementationOnce(connect);
    connecting.mockImplementation(() => new net.Socket().destroy(lack));
    try {
      await expect(research(create(url), request, newRun)).rejects.toMatchObject({
        errorClass: 'unavailable',
        message: expect.stringContaining('no address or port left'),
        details: { charge: { micros: 2000 + 100, provenance: 'computed' } },
      });
    } finally {
      connecting.mockRestore();
    }
  });

  it('is an estimate when its end does not say how much it wrote', async () => {
    const told = paused(1000).map((event) => ('usage' in event ? { type: 'message_delta', delta: { stop_reason: 'end_turn' } } : event));
    const { report } = await research(create((await cannedServer([{ body: told }])).url), request, newRun);
    expect(report.charge).toMatchObject({ micros: 3_000_000, provenance: 'estimated' });
  });

  it('does not go on for ever, also if its turns cost nothing', async () => {
    const server = await cannedServer([{ body: paused(0) }]);
    const { report } = await research(create(server.url), request, newRun);
    expect(server.asked.length).toBeLessThan(20);
    expect(report.markdown).toContain('ended this report early');
  });

  it('keeps the counts of its start that its end does not repeat', async () => {
    const told = paused(1000).map((event) =>
      'usage' in event
        ? { ...event, delta: { stop_reason: 'end_turn' }, usage: { input_tokens: null, server_tool_use: null, output_tokens: 10 } }
        : event,
    );
    const { report } = await research(create((await cannedServer([{ body: told }])).url), request, newRun);
    expect(report.charge).toMatchObject({ micros: 2000 + 100, provenance: 'computed' });
  });

  it('keeps what it wrote before its tokens ended within a search', async () => {
    const search = { type: 'server_tool_use', name: 'web_search', input: {} };
    const events = [
      ...paused(1000).slice(0, 1),
      { type: 'content_block_start', index: 0, content_block: { type: 'text' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Daily, it seems.', citation: null } },
      { type: 'content_block_start', index: 1, content_block: search },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"query": "Wr' } },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 10 } },
      { type: 'message_stop' },
    ];
    const cited = { type: 'citations_delta', citation: { url: 'https://a.example/', title: 'A' } };
    events.splice(3, 0, { type: 'content_block_delta', index: 0, delta: cited });
    const { report } = await research(create((await cannedServer([{ body: events }])).url), request, newRun);
    expect(report.markdown).toMatch(/^Daily, it seems.*\[1\].*ended this report early: it had used up its tokens/s);
    expect(report.charge).toMatchObject({ micros: 2000 + 100, provenance: 'computed' });
  });

  it('has no known cost when its stream breaks off', async () => {
    const server = await cannedServer([{ body: paused(1000).slice(0, -1) }]);
    const attempt = research(create(server.url), request, newRun);
    await expect(attempt).rejects.toMatchObject({
      errorClass: 'unavailable',
      details: expect.not.objectContaining({ charge: expect.anything() }),
    });
  });
});

function paused(inputTokens: number): object[] {
  const text = { type: 'text', text: '' };
  return [
    { type: 'message_start', message: { model: MODEL, usage: { input_tokens: inputTokens, output_tokens: 0 } } },
    { type: 'content_block_start', index: 0, content_block: text },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Daily, it seems.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: inputTokens / 100 } },
    { type: 'message_stop' },
  ];
}

describe('a recorded answer of Claude', () => {
  const read = (content: object[], rest: object = {}) => {
    const turn = { model: MODEL, content, stop_reason: 'end_turn', usage: { input_tokens: 1000, output_tokens: 100 }, ...rest };
    return create('http://127.0.0.1:1').parse(JSON.stringify([turn]), request);
  };
  const charge = { micros: 2000 + 1000, provenance: 'computed' };
  const failedSearch = (error_code: string) => {
    return { type: 'web_search_tool_result', content: { type: 'web_search_tool_result_error', error_code } };
  };

  it.each([
    ['too_many_requests', 'rate_limited'],
    ['unavailable', 'overloaded'],
    ['query_too_long', 'malformed'],
  ])('is none when all its searches failed: %s', (code, errorClass) => {
    const content = [failedSearch(code), { type: 'text', text: 'From memory: daily.' }];
    const failure = {
      errorClass,
      message: expect.stringContaining(code),
      details: { runEnded: true, charge: expect.objectContaining(charge) as object },
    };
    expect(() => read(content)).toThrow(expect.objectContaining(failure) as Error);
  });

  it('stands when one of its searches failed', () => {
    const found = { type: 'web_search_tool_result', content: [{ type: 'web_search_result', url: 'https://a.example/' }] };
    expect(read([failedSearch('unavailable'), found, { type: 'text', text: 'Daily.' }]).markdown).toBe('Daily.');
  });

  it('names the pages that it fetched', () => {
    const page = { type: 'web_fetch_result', url: 'https://a.example/page', content: { type: 'document', title: 'A page' } };
    const citation = { type: 'char_location', document_index: 0, document_title: 'A page', cited_text: 'Files rotate daily.' };
    const stray = { ...citation, document_index: 5 };
    const { markdown, citations } = read([
      { type: 'text', text: 'I read that page.' },
      { type: 'server_tool_use', name: 'web_fetch', input: {} },
      { type: 'web_fetch_tool_result', content: page },
      { type: 'text', text: 'It says: ' },
      { type: 'text', text: 'daily.', citations: [citation, stray] },
    ]);
    expect(markdown).toBe('It says: daily [1].');
    expect(citations).toMatchObject([{ url: 'https://a.example/page', title: 'A page', snippet: 'Files rotate daily.' }]);
  });

  it.each([
    ['that only confirms it', [{ type: 'text', text: 'The search confirms this.' }], /The search confirms this\.$/],
    ['after which it says nothing', [{ type: 'text', text: '' }], /thirty files\. ?$/],
    ['with which it ends', [], /thirty files\. ?$/],
  ])('keeps a long answer before a last search %s', (_, after, ends) => {
    const answer = `Wren rotates daily. ${'It keeps thirty files. '.repeat(20)}`;
    const search = { type: 'server_tool_use', name: 'web_search', input: {} };
    const { markdown } = read([{ type: 'text', text: answer }, search, ...after]);
    expect(markdown).toMatch(/^Wren rotates daily\./);
    expect(markdown).toMatch(ends);
  });

  it.each(['max_tokens', 'model_context_window_exceeded', 'pause_turn'])('says so when it ended with %s', (stop_reason) => {
    expect(read([{ type: 'text', text: 'Daily' }], { stop_reason }).markdown).toMatch(/^Daily\n\n.*ended this report early/s);
  });

  it('is an estimate where one turn does not say what it used', () => {
    const turn = { model: MODEL, content: [{ type: 'text', text: 'Daily.' }], usage: { input_tokens: 10, output_tokens: 1 } };
    const raw = JSON.stringify([turn, { ...turn, usage: null }]);
    expect(create('http://127.0.0.1:1').parse(raw, request).charge).toEqual({ micros: 3_000_000, provenance: 'estimated' });
  });

  it.each(['{}', '[7]', '[{"content":"text"}]', 'null'])('has no text where its shape is none: %s', (raw) => {
    let markdown = '';
    try {
      ({ markdown } = create('http://127.0.0.1:1').parse(raw, request));
    } catch (error) {
      expect(error).toMatchObject({ errorClass: 'malformed' });
    }
    expect(markdown).toBe('');
  });
});
