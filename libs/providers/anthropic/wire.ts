import type { JsonObject } from '../json';

/**
 * The Messages API (version 2023-06-01) with its server tools as of November 2026: the fields that we send and, `unknown` until they are
 * looked at, those that we read.
 */

export interface CreateMessage {
  model: string;
  max_tokens: number;
  stream: true;
  system: string;
  messages: ({ role: 'user'; content: string } | { role: 'assistant'; content: ContentBlock[] })[];
  tools: (WebSearchTool | WebFetchTool)[];
  output_config: { effort: 'low' | 'high' };
}

export interface WebSearchTool {
  type: string;
  name: 'web_search';
  max_uses: number;
}

export interface WebFetchTool {
  type: string;
  name: 'web_fetch';
  max_uses: number;
  max_content_tokens: number;
  citations: { enabled: true };
}

/** A message as its events gave it; its blocks are complete and unchanged, for after `pause_turn` they go back. */
export interface Message {
  model: string | null;
  content: ContentBlock[];
  /** `end_turn`, `max_tokens`, `pause_turn`, `refusal`, `model_context_window_exceeded`, `stop_sequence` or `tool_use`. */
  stop_reason: string | null;
  usage: MessageUsage;
}

export interface ContentBlock extends JsonObject {
  /** `text`, `server_tool_use`, `web_search_tool_result`, `web_fetch_tool_result`, `thinking` … */
  type?: unknown;
  text?: unknown;
  /** A list of `TextCitation` or null. */
  citations?: unknown;
  /** Of a tool's result: a list of `{url, title, page_age}`, one `{url, content: {title}}`, or `{error_code}`. */
  content?: unknown;
}

export interface TextCitation {
  /** `web_search_result_location` names a URL; `char_location` and `page_location` a document that was fetched. */
  type?: unknown;
  url?: unknown;
  title?: unknown;
  /** What stands in the source: a real quote. */
  cited_text?: unknown;
  /** Of a fetched document: which of them, counted from 0. */
  document_index?: unknown;
}

export interface MessageUsage {
  /** Without what was written to or read from the cache. */
  input_tokens?: unknown;
  cache_creation_input_tokens?: unknown;
  cache_read_input_tokens?: unknown;
  output_tokens?: unknown;
  /** `{web_search_requests, web_fetch_requests}`. */
  server_tool_use?: unknown;
}

/** The events of a streamed message, told apart by `type`. */
export interface MessageEvent extends JsonObject {
  type?: unknown;
  /** Of the block that the event is about. */
  index?: unknown;
  /** Of `message_start`. */
  message?: unknown;
  /** Of `content_block_start`. */
  content_block?: unknown;
  /** Of `content_block_delta` and `message_delta`. */
  delta?: unknown;
  /** Of `message_delta`: the whole message's so far. */
  usage?: unknown;
  /** Of `error`, which can come after a status of 200. */
  error?: unknown;
}
