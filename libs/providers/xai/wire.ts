import type { JsonObject } from '@lib/domain/json-object';
import type { ResponseObject } from '../responses-api';

/** The Responses API of xAI as of November 2026: the fields that we send, and those that we read, `unknown` until they are checked. */

export interface CreateResponse {
  model: string;
  input: { role: 'system' | 'user'; content: string }[];
  reasoning: { effort: 'low' | 'high' };
  tools: { type: 'web_search' | 'x_search' }[];
  /** Includes reasoning. */
  max_output_tokens: number;
  /** Stores the response for 30 days, so that a run can be polled after its stream was lost. */
  store: true;
  stream: true;
}

/** The data of a stream event. */
export interface StreamEvent extends JsonObject {
  /** `response.created`, `response.output_item.added`, `response.completed` … */
  type?: unknown;
  /** A `Response`, in events about the response as a whole. */
  response?: unknown;
  /** `{type}`, in events about an item of the output. */
  item?: unknown;
  /** In events of the type `error`. */
  code?: unknown;
  message?: unknown;
}

export interface Response extends ResponseObject {
  /** URLs of all pages that were visited, cited or not. */
  citations?: unknown;
  /** A `ResponseUsage`. */
  usage?: unknown;
}

export interface ResponseUsage {
  /** The charge in ticks; a dollar has 10,000,000,000. */
  cost_in_usd_ticks?: unknown;
  /** Includes cached tokens. */
  input_tokens?: unknown;
  /** `{cached_tokens}`. */
  input_tokens_details?: unknown;
  /** Includes reasoning. */
  output_tokens?: unknown;
  num_server_side_tools_used?: unknown;
}
