import { ApiOptions, calls, pollInterval, tokens } from '../api-options';

/** The prices are used to compute limits, and to charge runs that report no cost. */
export class PerplexityOptions extends ApiOptions {
  override baseUrl = 'https://api.perplexity.ai/v1';
  @tokens maxOutputTokens!: number;
  /** Rounds of tool calls. */
  @calls maxSteps!: number;
  /** The API limits rounds, not calls: the worst case assumes this many calls in each round. */
  @calls searchesPerStep!: number;
  /** The input tokens of one search and of the pages read because of it. */
  @tokens inputTokensPerSearch!: number;
  @pollInterval pollMs = 3000;
}
