import type { ResponseObject } from '../responses-api';

/** The Responses API of OpenAI as of November 2026: the fields that we send and, `unknown` until they are looked at, those that we read. */

export interface CreateResponse {
  model: string;
  instructions: string;
  input: string;
  background: true;
  /** Without it a response in the background is deleted after about ten minutes. */
  store: true;
  reasoning: { effort: 'low' | 'high' };
  tools: { type: string }[];
  /** Of all tools together; calls beyond it are ignored. */
  max_tool_calls: number;
  /** Reasoning included. */
  max_output_tokens: number;
  /** Shown in OpenAI's console. */
  metadata: Record<string, string>;
}

export interface Response extends ResponseObject {
  /** A `ResponseUsage`. */
  usage?: unknown;
}

export interface ResponseUsage {
  /** The cached ones included. */
  input_tokens?: unknown;
  /** `{cached_tokens}`. */
  input_tokens_details?: unknown;
  /** Reasoning included. */
  output_tokens?: unknown;
}
