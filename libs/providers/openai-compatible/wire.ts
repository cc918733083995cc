import type { JsonObject } from '@lib/domain/json-object';

/**
 * Chat completions as Ollama, vLLM, LM Studio and OpenRouter understand them: the fields that we send, and those that we
 * read, `unknown` until they are checked.
 */

export interface CreateChatCompletion {
  model: string;
  messages: { role: 'system' | 'user'; content: string }[];
  max_tokens: number;
  stream: false;
  /** OpenRouter's search. Sent only if configured, since other servers may refuse the field. */
  plugins?: { id: 'web'; max_results: number }[];
}

export interface ChatCompletion extends JsonObject {
  model?: unknown;
  /** A list of `ChatChoice`, of one. */
  choices?: unknown;
  /** A `ChatUsage`. */
  usage?: unknown;
  /** A list of `{url, title, snippet, date}` or of URLs: the sources of the marks `[1]`, `[2]` … of Perplexity's models. */
  search_results?: unknown;
  citations?: unknown;
  /** `{code, message}`: some gateways report errors with status 200. */
  error?: unknown;
}

export interface ChatChoice {
  /** A `ChatMessage`. */
  message?: unknown;
  /** `stop`, `length` (cut off), `content_filter` or `error`. */
  finish_reason?: unknown;
  /** `{code, message}` from the server behind a gateway. */
  error?: unknown;
}

export interface ChatMessage {
  /** A text, or a list of `{type: 'text', text}` and other parts. */
  content?: unknown;
  /** The model's thoughts: vLLM, llama.cpp and others by the first name, Ollama and OpenRouter by the second. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  refusal?: unknown;
  /** A list of `{type: 'url_citation', url_citation}` with a `ChatUrlCitation`; some servers put its fields next to `type`. */
  annotations?: unknown;
}

export interface ChatUrlCitation {
  url?: unknown;
  title?: unknown;
  /** The passage of the page, if the search returned one. */
  content?: unknown;
  /** In characters of the message. */
  start_index?: unknown;
  end_index?: unknown;
}

export interface ChatUsage {
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
  /** With reasoning, which some servers leave out of `completion_tokens`. */
  total_tokens?: unknown;
  /** `{cached_tokens}`. */
  prompt_tokens_details?: unknown;
  /** The charge of OpenRouter, in US dollars; that of Perplexity is `{total_cost}`. */
  cost?: unknown;
  /** The charge of xAI; a dollar has 10,000,000,000 ticks. */
  cost_in_usd_ticks?: unknown;
  /** True if the model was called with the customer's own key. `cost_details` then has the provider's own bill, `upstream_inference_cost`. */
  is_byok?: unknown;
  cost_details?: unknown;
}
