import type { JsonObject } from '@lib/domain/json-object';

/**
 * The Messages API (version 2023-06-01) with its server tools as of November 2026: the fields that we send, and those that we
 * read, `unknown` until they are checked.
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

/** A message put together from its events. Its blocks are complete and unchanged, since they are sent back after `pause_turn`. */
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
  /** For a tool result: a list of `{url, title, page_age}`, one `{url, content: {title}}`, or `{error_code}`. */
  content?: unknown;
}

export interface TextCitation {
  /** `web_search_result_location` names a URL; `char_location` and `page_location` a document that was fetched. */
  type?: unknown;
  url?: unknown;
  title?: unknown;
  /** An exact quote from the source. */
  cited_text?: unknown;
  /** For a fetched document: its number, from 0. */
  document_index?: unknown;
}

export interface MessageUsage {
  /** Excludes cache writes and reads. */
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
  /** The position of the block that the event is about. */
  index?: unknown;
  /** In `message_start`. */
  message?: unknown;
  /** In `content_block_start`. */
  content_block?: unknown;
  /** In `content_block_delta` and `message_delta`. */
  delta?: unknown;
  /** In `message_delta`: the totals of the message so far. */
  usage?: unknown;
  /** In `error`, which can follow a status of 200. */
  error?: unknown;
}
