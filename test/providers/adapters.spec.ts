import { AnthropicProvider } from '@lib/providers/anthropic/adapter';
import { GeminiGroundedProvider } from '@lib/providers/gemini-grounded/adapter';
import { GeminiProvider } from '@lib/providers/gemini/adapter';
import { OpenAiCompatibleProvider } from '@lib/providers/openai-compatible/adapter';
import type { Prices } from '@lib/providers/prices';

import { testAdapterContract } from './adapters.contract';

jest.setTimeout(60_000);

/** Dollars for a million tokens, and for a search: what the emulated APIs bill. */
const prices = (input: number, cached: number, output: number, search: number): Prices => ({
  inputMicrosPerMillionTokens: input * 1_000_000,
  cachedInputMicrosPerMillionTokens: cached * 1_000_000,
  outputMicrosPerMillionTokens: output * 1_000_000,
  perSearchMicros: Math.round(search * 1_000_000),
});
const POLL_MS = 15;

testAdapterContract({
  api: 'gemini',
  model: 'deep-research-preview-04-2026',
  limitable: false,
  create: (baseUrl, key) => new GeminiProvider({ baseUrl, prices: prices(2, 0.2, 12, 0.014), pollMs: POLL_MS }, key),
});

testAdapterContract({
  api: 'gemini-grounded',
  model: 'gemini-3.5-flash',
  limitable: true,
  create: (baseUrl, key) => {
    const limits = { maxOutputTokens: 16_000, maxSearches: 10, inputTokensPerSearch: 4000 };
    return new GeminiGroundedProvider({ baseUrl, prices: prices(0.5, 0.05, 3, 0.014), ...limits }, key);
  },
});

testAdapterContract({
  api: 'anthropic',
  model: 'claude-sonnet-5',
  limitable: true,
  create: (baseUrl, key) => {
    const limits = { maxOutputTokens: 16_000, maxSearches: 15, maxFetches: 8, inputTokensPerSearch: 8000, maxFetchTokens: 20_000 };
    const tools = { webSearchTool: 'web_search_20250305', webFetchTool: 'web_fetch_20250910' };
    return new AnthropicProvider({ baseUrl, prices: prices(3, 0.3, 15, 0.01), ...limits, ...tools }, key);
  },
});

testAdapterContract({
  api: 'openai-compatible',
  model: 'vendor/model',
  limitable: true,
  create: (baseUrl, key) => {
    const limits = { maxOutputTokens: 8000, webSearchResults: 5, inputTokensPerSearch: 10_000 };
    return new OpenAiCompatibleProvider({ baseUrl, prices: prices(1, 0.1, 4, 0.02), ...limits }, key);
  },
});
