import type { JsonObject } from '../json';

/**
 * Chat completions as Ollama, vLLM, LM Studio and OpenRouter understand them: the fields that we send and, `unknown` until they are
 * looked at, those that we read.
 */

export interface CreateChatCompletion {
  model: string;
  messages: { role: 'system' | 'user'; content: string }[];
  max_tokens: number;
  stream: false;
  /** OpenRouter's search. A server without it may refuse the field, so it is sent only where it is configured. */
  plugins?: { id: 'web'; max_results: number }[];
}

export interface ChatCompletion extends JsonObject {
  model?: unknown;
  /** A list of `ChatChoice`, of one. */
  choices?: unknown;
  /** A `ChatUsage`. */
  usage?: unknown;
  /** `{code, message}`: some gateways answer an error with status 200. */
  error?: unknown;
}

export interface ChatChoice {
  /** A `ChatMessage`. */
  message?: unknown;
  /** `stop`, `length` for an answer that was cut off, `content_filter` or `error`. */
  finish_reason?: unknown;
  /** `{code, message}` of the server behind a gateway. */
  error?: unknown;
}

export interface ChatMessage {
  content?: unknown;
  refusal?: unknown;
  /** A list of `{type: 'url_citation', url_citation}` with a `ChatUrlCitation`; some servers put its fields beside `type`. */
  annotations?: unknown;
}

export interface ChatUrlCitation {
  url?: unknown;
  title?: unknown;
  /** The passage of the page, where the search returned one. */
  content?: unknown;
  /** In characters of the message. */
  start_index?: unknown;
  end_index?: unknown;
}

export interface ChatUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  /** `{cached_tokens}`. */
  prompt_tokens_details?: unknown;
  /** US dollars: what OpenRouter took from the account. */
  cost?: unknown;
}
