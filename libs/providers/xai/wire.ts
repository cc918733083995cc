import type { JsonObject } from '../json';
import type { ResponseObject } from '../responses-api';

/** The Responses API of xAI as of November 2026: the fields that we send and, `unknown` until they are looked at, those that we read. */

export interface CreateResponse {
  model: string;
  input: { role: 'system' | 'user'; content: string }[];
  reasoning: { effort: 'low' | 'high' };
  tools: { type: 'web_search' | 'x_search' }[];
  /** Reasoning included. */
  max_output_tokens: number;
  /** Kept for 30 days, so that a run whose stream was lost can be asked for. */
  store: true;
  stream: true;
}

/** The data of an event of the stream. */
export interface StreamEvent extends JsonObject {
  /** `response.created`, `response.output_item.added`, `response.completed` … */
  type?: unknown;
  /** A `Response`, in events about the whole of it. */
  response?: unknown;
  /** `{type}`, in events about an item of the output. */
  item?: unknown;
  /** Of an event `error`. */
  code?: unknown;
  message?: unknown;
}

export interface Response extends ResponseObject {
  /** URLs of pages that were looked at, whether the text rests on them or not. */
  citations?: unknown;
  /** A `ResponseUsage`. */
  usage?: unknown;
}

export interface ResponseUsage {
  /** What was charged; a dollar has 10,000,000,000 ticks. */
  cost_in_usd_ticks?: unknown;
  /** The cached ones included. */
  input_tokens?: unknown;
  /** `{cached_tokens}`. */
  input_tokens_details?: unknown;
  /** Reasoning included. */
  output_tokens?: unknown;
  num_server_side_tools_used?: unknown;
}
