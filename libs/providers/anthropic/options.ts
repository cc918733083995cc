import { wholeNumber } from '@lib/validation/whole-number';

import { ApiOptions, calls, tokens, toolName } from '../api-options';
import { LanguageModelOptions } from '../language-model/language-model';

const BASE_URL = 'https://api.anthropic.com/v1';

export class AnthropicOptions extends ApiOptions {
  override baseUrl = BASE_URL;
  @tokens maxOutputTokens!: number;
  @calls maxSearches!: number;
  @wholeNumber(0, 1000) maxFetches!: number;
  /** The input tokens of one search's results, without the pages fetched because of it. */
  @tokens inputTokensPerSearch!: number;
  /** Pages are cut to this length when they are fetched. */
  @tokens maxFetchTokens!: number;
  /** Names of the server tools, which carry their versions. */
  @toolName webSearchTool = 'web_search_20250305';
  @toolName webFetchTool = 'web_fetch_20250910';
}

export class AnthropicModelOptions extends LanguageModelOptions {
  override baseUrl = BASE_URL;
}
