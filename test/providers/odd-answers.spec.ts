import { checkedReport } from '@lib/domain/checked-report';
import { AnthropicProvider } from '@lib/providers/anthropic/adapter';
import { GeminiProvider } from '@lib/providers/gemini/adapter';
import { GeminiGroundedProvider } from '@lib/providers/gemini-grounded/adapter';
import { OpenAiProvider } from '@lib/providers/openai/adapter';
import { PerplexityProvider } from '@lib/providers/perplexity/adapter';
import type { ResearchProvider, ResearchReport } from '@lib/providers/research-provider';
import { XaiProvider } from '@lib/providers/xai/adapter';

import { requestOf } from './request';

const prices = {
  inputMicrosPerMillionTokens: 1_000_000,
  cachedInputMicrosPerMillionTokens: 100_000,
  outputMicrosPerMillionTokens: 10_000_000,
  perSearchMicros: 10_000,
};
const limits = { prices, maxOutputTokens: 16_000, maxSearches: 10, inputTokensPerSearch: 5000 };
const at = { baseUrl: 'http://127.0.0.1:1', pollMs: 5 };
const tools = { webSearchTool: 'web_search', webFetchTool: 'web_fetch', maxFetches: 0, maxFetchTokens: 0 };
const KEY = 'key-for-tests';
const openAi = new OpenAiProvider({ ...at, ...limits, ...tools }, KEY);
const gemini = new GeminiProvider({ ...at, prices }, KEY);
const grounded = new GeminiGroundedProvider({ ...at, ...limits }, KEY);
const claude = new AnthropicProvider({ ...at, ...limits, ...tools }, KEY);
const xai = new XaiProvider({ ...at, ...limits, searchesX: false, violationMicros: 0 }, KEY);
const perplexity = new PerplexityProvider({ ...at, ...limits, maxSteps: 1, searchesPerStep: 1 }, KEY);

const RESERVED = 7_000_000;
const request = requestOf({ limits: { reservedMicros: RESERVED, deadlineMs: 5000, maxResponseBytes: 16_000_000 } });
const read = (provider: ResearchProvider, response: object): ResearchReport => provider.parse(JSON.stringify(response), request);

const response = (usage: object, text = 'Daily.', annotations: object[] = []) => ({
  status: 'completed',
  usage,
  output: [{ type: 'message', content: [{ type: 'output_text', text, annotations }] }],
});
const answered = (usageMetadata: object, groundingMetadata: object = {}, parts: object[] = [{ text: 'Daily.' }]) => ({
  usageMetadata,
  candidates: [{ finishReason: 'STOP', content: { parts }, groundingMetadata }],
});
const interaction = (usage: object) => ({ status: 'completed', usage, outputs: [{ type: 'text', text: 'Daily.' }] });
const turn = (usage: object) => [{ stop_reason: 'end_turn', usage, content: [{ type: 'text', text: 'Daily.' }] }];

const ofResponses = { input_tokens: 100, output_tokens: 10 };
const ofGemini = { total_input_tokens: 100, total_output_tokens: 10 };
const ofGrounded = { promptTokenCount: 100, candidatesTokenCount: 10 };
const PARTS: [string, ResearchProvider, (usage: object) => object, object, (count: unknown) => object][] = [
  ["Gemini's thoughts", gemini, interaction, ofGemini, (count) => ({ total_thought_tokens: count })],
  ["Gemini's tools", gemini, interaction, ofGemini, (count) => ({ total_tool_use_tokens: count })],
  ["Gemini's searches", gemini, interaction, ofGemini, (count) => ({ grounding_tool_count: [{ type: 'google_search', count }] })],
  ['the thoughts of a grounded answer', grounded, answered, ofGrounded, (count) => ({ thoughtsTokenCount: count })],
  ['the tools of a grounded answer', grounded, answered, ofGrounded, (count) => ({ toolUsePromptTokenCount: count })],
  ["Claude's searches", claude, turn, ofResponses, (count) => ({ server_tool_use: { web_search_requests: count } })],
  ["Claude's cached input", claude, turn, ofResponses, (count) => ({ cache_read_input_tokens: count })],
  ["xAI's searches", xai, response, ofResponses, (count) => ({ num_server_side_tools_used: count })],
  ["Perplexity's searches", perplexity, response, ofResponses, (count) => ({ tool_calls_details: { web_search: { invocation: count } } })],
];

describe.each(PARTS)('a number of %s', (_, provider, answer, usage, part) => {
  it.each(['12000', -1, 1.5, 1e300, true, {}])('that is %j does not count as nothing', (count) => {
    expect(read(provider, answer({ ...usage, ...part(count) })).charge).toMatchObject({ micros: RESERVED, provenance: 'estimated' });
  });

  it.each([null, undefined, 0])('that is %j is none', (count) => {
    expect(read(provider, answer({ ...usage, ...part(count) })).charge).toMatchObject({ micros: 200, provenance: 'computed' });
  });
});

describe('an answer of megabytes is read in bounded time', () => {
  const BOUND_MS = 10_000;
  const took = (work: () => void): number => {
    const began = performance.now();
    work();
    return performance.now() - began;
  };

  it('with a numbered source for each of its brackets', () => {
    const annotations = Array.from({ length: 50_000 }, (_, at) => ({ type: 'url_citation', url: `https://a.example/${at}`, title: '7' }));
    expect(took(() => read(openAi, response(ofResponses, '['.repeat(1_000_000), annotations)))).toBeLessThan(BOUND_MS);
  });

  it('in thousands of parts, each with words that stand nowhere', () => {
    const parts = Array.from({ length: 20_000 }, () => ({ text: 'ab' }));
    const groundingSupports = parts.map(() => ({ segment: { endIndex: 1, text: 'q' }, groundingChunkIndices: [0] }));
    const grounding = { groundingChunks: [{ web: { uri: 'https://a.example/' } }], groundingSupports };
    expect(took(() => read(grounded, answered(ofGrounded, grounding, parts)))).toBeLessThan(BOUND_MS);
  });

  it('of nothing but NUL, all of it cited', () => {
    const markdown = `Daily.${'\0'.repeat(4_000_000)}`;
    const source = { url: 'https://a.example/', startIndex: 0, endIndex: markdown.length, title: null, snippet: null, publishedAt: null };
    const citations = Array.from({ length: 2000 }, () => ({ index: 1, ...source }));
    const check = () => checkedReport({ markdown, citations, charge: { micros: 0, provenance: 'reported' } });
    expect(took(check)).toBeLessThan(BOUND_MS);
    expect(check().citations[1999]).toMatchObject({ startIndex: 0, endIndex: 'Daily.'.length });
  });
});
