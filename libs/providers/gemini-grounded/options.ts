import { ApiOptions, calls, tokens } from '../api-options';

export class GeminiGroundedOptions extends ApiOptions {
  override baseUrl = 'https://generativelanguage.googleapis.com/v1beta';
  /** For reasoning and answer together. */
  @tokens maxOutputTokens!: number;
  /** The API cannot limit searches: the worst case assumes this many. */
  @calls maxSearches!: number;
  /** The input tokens of one search's results. */
  @tokens inputTokensPerSearch!: number;
}
