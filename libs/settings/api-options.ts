import { IsIn, IsObject, IsUrl, Matches } from 'class-validator';

import { wholeNumber } from './whole-number';

const LARGEST_MICROS = 1_000_000_000;

const micros = wholeNumber(0, LARGEST_MICROS);
export const tokens = wholeNumber(1, 1_000_000);
const calls = wholeNumber(1, 1000);
const toolName = Matches(/^[a-z0-9_]{1,100}$/, { message: 'must be the name of a tool, of lower-case letters, digits and underscores' });

/** What a model's API asks for, in micro-dollars: a million of them is a dollar. */
export class TokenPrices {
  @micros inputMicrosPerMillionTokens!: number;
  @micros cachedInputMicrosPerMillionTokens!: number;
  @micros outputMicrosPerMillionTokens!: number;
}

/** What an API that searches asks for. */
export class PriceTable extends TokenPrices {
  /** For each search or other paid tool call. */
  @micros perSearchMicros!: number;
}

/** Where an API lies, with its version; a key never belongs in here. */
export const apiAddress = IsUrl(
  {
    protocols: ['http', 'https'],
    require_protocol: true,
    require_tld: false,
    disallow_auth: true,
    allow_query_components: false,
    allow_fragments: false,
  },
  { message: 'must be a URL that starts with http:// or https://, without a user, a query or a fragment' },
);

/** What all real APIs have in common. */
class ApiOptions {
  @apiAddress
  baseUrl!: string;

  @IsObject({ message: 'must be a mapping' })
  prices!: PriceTable;
}

/** How often a run in the background is looked at. */
const pollMs = wholeNumber(1, 60_000);

/** Options of the adapter `openai`. */
export class OpenAiOptions extends ApiOptions {
  override baseUrl = 'https://api.openai.com/v1';
  /** What the model thinks and what it writes, together. */
  @tokens maxOutputTokens!: number;
  @calls maxSearches!: number;
  /** What one search, with the pages read because of it, adds to the input. */
  @tokens inputTokensPerSearch!: number;
  @toolName webSearchTool = 'web_search';
  @pollMs pollMs = 5000;
}

/** Options of the adapter `perplexity`. */
export class PerplexityOptions extends ApiOptions {
  override baseUrl = 'https://api.perplexity.ai/v1';
  @tokens maxOutputTokens!: number;
  /** Rounds of tool calls. */
  @calls maxSteps!: number;
  /** The API limits rounds, not calls: so many calls are taken for a round's worst case. */
  @calls searchesPerStep!: number;
  @tokens inputTokensPerSearch!: number;
  @pollMs pollMs = 3000;
}

/** Options of the adapter `xai`. */
export class XaiOptions extends ApiOptions {
  override baseUrl = 'https://api.x.ai/v1';
  @tokens maxOutputTokens!: number;
  /** The API has no limit of searches: a run that makes more is broken off. */
  @calls maxSearches!: number;
  @tokens inputTokensPerSearch!: number;
  /** Posts on X are searched too. */
  @IsIn([true, false], { message: 'must be true or false' }) searchesX = false;
  /** How often a run is looked at whose stream was lost. */
  @pollMs pollMs = 5000;
}

/** Options of the adapter `gemini`, deep research. */
export class GeminiOptions extends ApiOptions {
  override baseUrl = 'https://generativelanguage.googleapis.com/v1beta';
  @pollMs pollMs = 10_000;
}

/** Options of the adapter `gemini-grounded`, an answer with Google Search. */
export class GeminiGroundedOptions extends ApiOptions {
  override baseUrl = 'https://generativelanguage.googleapis.com/v1beta';
  @tokens maxOutputTokens!: number;
  /** The API cannot be told how many searches to make: so many are taken for the worst case. */
  @calls maxSearches!: number;
  @tokens inputTokensPerSearch!: number;
}

/** Options of the adapter `anthropic`. */
export class AnthropicOptions extends ApiOptions {
  override baseUrl = 'https://api.anthropic.com/v1';
  @tokens maxOutputTokens!: number;
  @calls maxSearches!: number;
  @wholeNumber(0, 1000) maxFetches!: number;
  @tokens inputTokensPerSearch!: number;
  /** Longest part of a fetched page. */
  @tokens maxFetchTokens!: number;
  @toolName webSearchTool = 'web_search_20250305';
  @toolName webFetchTool = 'web_fetch_20250910';
}

/** Options of the adapter `openai-compatible`: chat completions as Ollama, vLLM and OpenRouter serve them. */
export class OpenAiCompatibleOptions extends ApiOptions {
  override baseUrl = 'http://127.0.0.1:11434/v1';
  @tokens maxOutputTokens!: number;
  /** Results of the web search of OpenRouter; 0 for a server that has none. */
  @wholeNumber(0, 100) webSearchResults = 0;
  @tokens inputTokensPerSearch = 10_000;
}
