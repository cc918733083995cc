import type { JsonObject } from '@lib/domain/json-object';

/** The Interactions API (v1beta) as of November 2026: the fields that we send, and those that we read, `unknown` until they are checked. */

export interface CreateInteraction {
  agent: string;
  input: string;
  /** Deep-research agents run only in the background. */
  background: true;
  /** Only a stored interaction can be polled. */
  store: true;
  agent_config: { type: 'deep-research'; thinking_summaries: 'none'; visualization: 'off'; collaborative_planning: false };
  labels: Record<string, string>;
}

export interface Interaction extends JsonObject {
  id?: unknown;
  /** `queued`, `in_progress`, `requires_action`, `completed`, `failed`, `cancelled`, `incomplete` or `budget_exceeded`. */
  status?: unknown;
  agent?: unknown;
  model?: unknown;
  /** A list of `InteractionStep`. */
  steps?: unknown;
  /** A list of `InteractionContent`: in older revisions, instead of steps. */
  outputs?: unknown;
  /** An `InteractionUsage`. */
  usage?: unknown;
  /** A list of `{code, message}`. */
  errors?: unknown;
  /** `{code, message}` of older revisions. */
  error?: unknown;
}

export interface InteractionStep {
  /** `model_output` holds the report; the others are thoughts and tool calls. */
  type?: unknown;
  /** A list of `InteractionContent`. */
  content?: unknown;
}

export interface InteractionContent {
  /** `text`, or a type that does not belong in a report. */
  type?: unknown;
  text?: unknown;
  /** A list of `InteractionAnnotation`. */
  annotations?: unknown;
}

export interface InteractionAnnotation {
  /** `url_citation`; also `file_citation` and `place_citation`, which name no page. */
  type?: unknown;
  url?: unknown;
  title?: unknown;
  /** In bytes of the content's UTF-8 text; the end is exclusive. */
  start_index?: unknown;
  end_index?: unknown;
}

export interface InteractionUsage {
  /** Includes cached tokens. */
  total_input_tokens?: unknown;
  total_cached_tokens?: unknown;
  /** Tokens that tools add to the prompt; billed as input, on top of the above. */
  total_tool_use_tokens?: unknown;
  /** Excludes the thoughts, which are billed as output too. */
  total_output_tokens?: unknown;
  total_thought_tokens?: unknown;
  /** A list of `{type: 'google_search', count}`. */
  grounding_tool_count?: unknown;
}
