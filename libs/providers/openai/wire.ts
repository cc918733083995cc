import type { ResponseObject } from '../responses-api';

/** The Responses API of OpenAI as of November 2026: the fields that we send, and those that we read, `unknown` until they are checked. */

export interface CreateResponse {
  model: string;
  instructions: string;
  input: string;
  background: true;
  /** Without it, a background response is deleted after about ten minutes. */
  store: true;
  reasoning: { effort: 'low' | 'high' };
  tools: { type: string }[];
  /** Limit for all tools together; the API ignores further calls. */
  max_tool_calls: number;
  /** Includes reasoning. */
  max_output_tokens: number;
  /** Shown in OpenAI's console. */
  metadata: Record<string, string>;
}

export interface Response extends ResponseObject {
  /** A `ResponseUsage`. */
  usage?: unknown;
}

export interface ResponseUsage {
  /** Includes cached tokens. */
  input_tokens?: unknown;
  /** `{cached_tokens}`. */
  input_tokens_details?: unknown;
  /** Includes reasoning. */
  output_tokens?: unknown;
}
