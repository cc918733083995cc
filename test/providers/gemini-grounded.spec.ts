import { GeminiGroundedProvider } from '@lib/providers/gemini-grounded/adapter';

import { Stand, type AdapterUnderTest } from './adapters/stand';
import { newRun, requestOf } from './request';

const PRICES = {
  inputMicrosPerMillionTokens: 500_000,
  cachedInputMicrosPerMillionTokens: 50_000,
  outputMicrosPerMillionTokens: 3_000_000,
  perSearchMicros: 14_000,
};
const OPTIONS = { prices: PRICES, maxOutputTokens: 16_000, maxSearches: 8, inputTokensPerSearch: 5000 };
const MODEL = 'gemini-3.6-flash';

const create = (baseUrl: string, key = 'key-for-tests') => new GeminiGroundedProvider({ baseUrl, ...OPTIONS }, key);
const grounded: AdapterUnderTest = { api: 'gemini-grounded', model: MODEL, limitable: true, create };
const limits = { reservedMicros: 1_000_000, deadlineMs: 5000, maxResponseBytes: 4_000_000 };
const read = (response: object) => create('http://127.0.0.1:1').parse(JSON.stringify(response), requestOf({ limits }));

describe('a grounded answer of Gemini', () => {
  it.each([
    ['fast', 'low'],
    ['methodical', 'high'],
  ] as const)('is %s: thinks at level %s, searches Google', async (mode, thinkingLevel) => {
    const { emulator, provider } = await Stand.build(grounded);
    await provider.submit(requestOf({ model: MODEL, mode, limits }), newRun.started);
    const [{ path, body } = {}] = emulator.requests;
    expect(path).toBe(`/v1beta/models/${MODEL}:generateContent`);
    expect(body).toMatchObject({ tools: [{ googleSearch: {} }], generationConfig: { thinkingConfig: { thinkingLevel } } });
  });

  it('may be the shorter, the less is reserved', async () => {
    const { emulator, provider } = await Stand.build(grounded);
    for (const reservedMicros of [1_000_000, 150_000]) {
      await provider.submit(requestOf({ model: MODEL, limits: { ...limits, reservedMicros } }), newRun.started);
    }
    const [ample, scarce] = emulator.requests.map(({ body }) => body as { generationConfig: { maxOutputTokens: number } });
    expect(ample?.generationConfig.maxOutputTokens).toBe(16_000);
    expect(scarce?.generationConfig.maxOutputTokens).toBeLessThan(10_000);
    expect(scarce?.generationConfig.maxOutputTokens).toBeGreaterThanOrEqual(1000);
  });

  const text = 'Wren – “naïve” 🚢 – rotates daily. It keeps 14 files.';
  const first = Buffer.byteLength('Wren – “naïve” 🚢 – rotates daily.');
  const chunk = (uri: string) => ({ web: { uri, title: uri } });
  const answer = (groundingMetadata: object, parts: object[] = [{ text }]) =>
    read({ candidates: [{ content: { parts }, finishReason: 'STOP', groundingMetadata }] });

  it('leaves out what the model thought', () => {
    expect(answer({}, [{ text: 'Hm.', thought: true }, { text: 'Daily.' }]).markdown).toBe('Daily.');
  });

  it('marks each supported segment with each of its pages', () => {
    const { markdown, citations } = answer({
      groundingChunks: [chunk('https://a.example/'), chunk('https://b.example/')],
      groundingSupports: [
        { segment: { endIndex: first }, groundingChunkIndices: [0, 1] },
        { segment: { startIndex: first + 1, endIndex: Buffer.byteLength(text) }, groundingChunkIndices: [1] },
      ],
    });
    expect(markdown).toBe('Wren – “naïve” 🚢 – rotates daily [1][2]. It keeps 14 files [2].');
    expect(citations.map(({ index, startIndex }) => [index, startIndex])).toEqual([
      [1, 0],
      [2, 0],
      [2, markdown.indexOf('It')],
    ]);
  });

  it('lists its pages where no segment is supported', () => {
    const { markdown, citations } = answer({ groundingChunks: [chunk('https://a.example/'), { retrievedContext: {} }] });
    expect(markdown).toBe(text);
    expect(citations).toMatchObject([{ index: 1, url: 'https://a.example/', startIndex: null }]);
  });

  it.each([
    ['without the part that the offsets count from', {}],
    ['with it', { partIndex: 2 }],
  ])('finds a segment of a later part %s', (_, partIndex) => {
    const said = 'Früher jährlich.';
    const segment = { ...partIndex, endIndex: Buffer.byteLength(said), text: said };
    const groundingSupports = [{ segment, groundingChunkIndices: [0] }];
    const parts = [{ text: 'Hm.', thought: true }, { text: 'Wren rotates daily. ' }, { text: said }];
    const { markdown, citations } = answer({ groundingChunks: [chunk('https://a.example/')], groundingSupports }, parts);
    expect(markdown).toBe('Wren rotates daily. Früher jährlich [1].');
    expect(markdown.slice(citations[0]?.startIndex ?? 0)).toBe('Früher jährlich [1].');
  });

  it('lends no page to a sentence that the segment does not hold', () => {
    const groundingSupports = [{ segment: { endIndex: 19, text: 'Something else here' }, groundingChunkIndices: [0] }];
    const { markdown, citations } = answer({ groundingChunks: [chunk('https://a.example/')], groundingSupports }, [
      { text: 'Wren rotates daily. ' },
      { text: 'It keeps 14 files.' },
    ]);
    expect(markdown).toBe('Wren rotates daily. It keeps 14 files.');
    expect(citations).toMatchObject([{ url: 'https://a.example/', startIndex: null }]);
  });

  it('says so when it ended early, for whatever reason', () => {
    const ended = (finishReason: string) => read({ candidates: [{ content: { parts: [{ text }] }, finishReason }] }).markdown;
    expect(ended('MAX_TOKENS')).toContain('ended this report early: it had used up its tokens');
    expect(ended('MALFORMED_FUNCTION_CALL')).toContain('ended this report early: it ended with MALFORMED_FUNCTION_CALL');
  });

  it.each([
    ['was blocked', { promptFeedback: { blockReason: 'OTHER' } }, { promptTokenCount: 100, totalTokenCount: 100 }, 50, 'content_filtered'],
    [
      'never got beyond its thoughts',
      { candidates: [{ finishReason: 'MAX_TOKENS' }] },
      { promptTokenCount: 100, thoughtsTokenCount: 1000, totalTokenCount: 1100 },
      50 + 3000,
      'quota',
    ],
  ])('that %s costs what it used, though a count of 0 is left out', (_, response, usageMetadata, micros, errorClass) => {
    expect(() => read({ ...response, usageMetadata })).toThrow(
      expect.objectContaining({
        errorClass,
        details: { runEnded: true, charge: expect.objectContaining({ micros, provenance: 'computed' }) as object },
      }) as Error,
    );
  });

  it('ignores supports that point nowhere', () => {
    const groundingSupports = [{ segment: { endIndex: 5 }, groundingChunkIndices: [7, -1, 'x'] }, { segment: null }, 'support'];
    expect(answer({ groundingChunks: [null], groundingSupports }).citations).toEqual([]);
  });

  it('was refused when the prompt was blocked, and has its charge', () => {
    const blocked = {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 0 },
    };
    expect(() => read(blocked)).toThrow(
      expect.objectContaining({
        errorClass: 'content_filtered',
        details: { runEnded: true, charge: expect.objectContaining({ micros: 50, provenance: 'computed' }) as object },
      }) as Error,
    );
  });
});
