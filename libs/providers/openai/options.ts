import { ApiOptions, calls, pollInterval, tokens, toolName } from '../api-options';
import { LanguageModelOptions } from '../language-model/language-model';

const BASE_URL = 'https://api.openai.com/v1';

export class OpenAiOptions extends ApiOptions {
  override baseUrl = BASE_URL;
  /** For reasoning and answer together. */
  @tokens maxOutputTokens!: number;
  @calls maxSearches!: number;
  /** The input tokens of one search and of the pages read because of it. */
  @tokens inputTokensPerSearch!: number;
  /** Name of the search tool, which carries its version. */
  @toolName webSearchTool = 'web_search';
  @pollInterval pollMs = 5000;
}

export class OpenAiModelOptions extends LanguageModelOptions {
  override baseUrl = BASE_URL;
}
