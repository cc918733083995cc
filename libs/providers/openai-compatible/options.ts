import { wholeNumber } from '@lib/validation/whole-number';

import { ApiOptions, tokens } from '../api-options';
import { LanguageModelOptions } from '../language-model/language-model';

/** Where Ollama listens. */
const BASE_URL = 'http://127.0.0.1:11434/v1';

/** A local server charges nothing: its prices are all 0. */
export class OpenAiCompatibleOptions extends ApiOptions {
  override baseUrl = BASE_URL;
  @tokens maxOutputTokens!: number;
  /** How many results OpenRouter's web search returns; 0 for a server without web search. */
  @wholeNumber(0, 100) webSearchResults = 0;
  /** The input tokens of those results. */
  @tokens inputTokensPerSearch = 10_000;
}

export class OpenAiCompatibleModelOptions extends LanguageModelOptions {
  override baseUrl = BASE_URL;
}
