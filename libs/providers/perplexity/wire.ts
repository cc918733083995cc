import type { ResponseObject } from '../responses-api';

/** The Agent API of Perplexity as of November 2026: the fields that we send, and those that we read, `unknown` until they are checked. */

export interface CreateResponse {
  /** Set explicitly: a preset can change its model without notice. */
  model: string;
  instructions: string;
  input: string;
  background: true;
  store: true;
  reasoning: { effort: 'low' | 'high' };
  tools: { type: 'web_search' | 'fetch_url' }[];
  /** Rounds of tool calls. */
  max_steps: number;
  max_output_tokens: number;
}

export interface Response extends ResponseObject {
  /** A `ResponseUsage`. */
  usage?: unknown;
}

export interface SearchResult {
  /** The number that the text's marks `[n]` give it. */
  id?: unknown;
  url?: unknown;
  title?: unknown;
  snippet?: unknown;
  date?: unknown;
}

export interface ResponseUsage {
  /** `{currency, total_cost}`. */
  cost?: unknown;
  input_tokens?: unknown;
  /** `{cache_read_input_tokens}`. */
  input_tokens_details?: unknown;
  output_tokens?: unknown;
  /** `{web_search: {invocation}}`. */
  tool_calls_details?: unknown;
}
