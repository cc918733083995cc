import type { ErrorClass } from '@lib/domain/vocabulary';

import type { Prices } from './prices';

/** How the corpus adapter finds passages; see the functions of these names in `corpus/strategies.ts`. */
export type CorpusStrategy = 'lexical' | 'dense' | 'structural' | 'feedback' | 'fused';

export interface CorpusOptions {
  strategy: CorpusStrategy;
  /** Passages that a fast answer is made of; a methodical one takes twice as many. */
  breadth: number;
}

export interface SimulatedOptions {
  latencyMs: number;
  /** Approximate length of a report's Markdown. */
  reportBytes: number;
  citations: number;
  /** What a run reports as its charge. */
  costCents: number;
  /** Above 0: a run charges so much more than was reserved, whatever `costCents` says. */
  overrunCents: number;
  /** Part of the runs that fail, from 0 to 1; which ones follows from the seed, the step and the attempt. */
  failureRate: number;
  failureClass: ErrorClass;
  seed: number;
  /** Runs have an id and go on without the process that started them, as with a background API. */
  background: boolean;
  /** File that gets a line for each submit and each cancel, on disk before the call goes on. */
  ledgerFile: string | null;
  /** Folder of recorded reports to answer with instead of invented ones; see `simulated/recorded-reports.ts`. */
  reports: string | null;
}

export interface PerplexityOptions {
  baseUrl: string;
  /** For runs that do not say what they cost, and for the limits of all. */
  prices: Prices;
  maxOutputTokens: number;
  /** Rounds of tool calls. */
  maxSteps: number;
  /** The API limits rounds, not calls: so many calls are taken for a round's worst case. */
  searchesPerStep: number;
  /** What one search, with the pages read because of it, adds to the input. */
  inputTokensPerSearch: number;
  pollMs: number;
}

export interface OpenAiOptions {
  baseUrl: string;
  prices: Prices;
  /** What the model thinks and what it writes, together. */
  maxOutputTokens: number;
  maxSearches: number;
  inputTokensPerSearch: number;
  /** Version of the search tool. */
  webSearchTool: string;
  pollMs: number;
}

export interface XaiOptions {
  baseUrl: string;
  /** For runs that do not say what they cost, and for the limits of all. */
  prices: Prices;
  maxOutputTokens: number;
  /** The API has no limit of searches: a run that makes more is broken off. */
  maxSearches: number;
  inputTokensPerSearch: number;
  /** Posts on X are searched too. */
  searchesX: boolean;
  /** How often a run is looked at whose stream was lost. */
  pollMs: number;
}

export interface GeminiOptions {
  baseUrl: string;
  prices: Prices;
  pollMs: number;
}

export interface GeminiGroundedOptions {
  baseUrl: string;
  prices: Prices;
  /** What the model thinks and what it writes, together. */
  maxOutputTokens: number;
  /** The API cannot be told how many searches to make: so many are taken for the worst case. */
  maxSearches: number;
  /** What the results of one search add to the input. */
  inputTokensPerSearch: number;
}

export interface AnthropicOptions {
  baseUrl: string;
  prices: Prices;
  maxOutputTokens: number;
  maxSearches: number;
  maxFetches: number;
  /** What the results of one search add to the input, without the pages fetched because of it. */
  inputTokensPerSearch: number;
  /** Longest part of a fetched page. */
  maxFetchTokens: number;
  /** Versions of the server tools, such as `web_search_20250305`. */
  webSearchTool: string;
  webFetchTool: string;
}

export interface OpenAiCompatibleOptions {
  baseUrl: string;
  /** All 0 for a server that costs nothing. */
  prices: Prices;
  maxOutputTokens: number;
  /** Results of the web search of OpenRouter; 0 for a server that has none. */
  webSearchResults: number;
  /** What the results add to the input. */
  inputTokensPerSearch: number;
}

/** The adapter that serves a provider, with that adapter's options. */
export type ProviderConfiguration =
  | { adapter: 'corpus'; options: CorpusOptions }
  | { adapter: 'simulated'; options: SimulatedOptions }
  | { adapter: 'perplexity'; options: PerplexityOptions }
  | { adapter: 'gemini'; options: GeminiOptions }
  | { adapter: 'gemini-grounded'; options: GeminiGroundedOptions }
  | { adapter: 'openai'; options: OpenAiOptions }
  | { adapter: 'xai'; options: XaiOptions }
  | { adapter: 'anthropic'; options: AnthropicOptions }
  | { adapter: 'openai-compatible'; options: OpenAiCompatibleOptions };

export type AdapterName = ProviderConfiguration['adapter'];
