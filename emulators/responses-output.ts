import type { Usage } from './asked';
import type { Run } from './run';
import type { Body, ServerSentEvent } from './wire';

// What the emulated Responses APIs share.

export const RESPONSES_PATH = /^\/v1\/responses$/;
export const RESPONSE_PATH = /^\/v1\/responses\/(?<id>[^/]+)$/;
export const CANCEL_PATH = /^\/v1\/responses\/(?<id>[^/]+)\/cancel$/;

export type Citing = 'link' | 'number' | 'linkedNumber';

/** Citation styles: a link in parentheses, the number of a search result, or a number that is a link. */
const MARKS: Readonly<Record<Citing, (number: number, url: string) => string>> = {
  link: (_, url) => ` ([${new URL(url).hostname}](${url}))`,
  // Perplexity's models write both forms.
  number: (number) => (number % 2 === 0 ? `[web:${number}]` : `[${number}]`),
  linkedNumber: (number, url) => `[[${number}]](${url})`,
};

/** The output item with the report or the refusal. */
export function messageItem(run: Run, citing: Citing): object {
  return { type: 'message', id: `msg_${run.id}`, role: 'assistant', status: run.state, content: [contentOf(run, citing)] };
}

function contentOf(run: Run, citing: Citing): object {
  if (run.refusal !== null) return { type: 'refusal', refusal: run.refusal };
  const { text, citations } = run.written((number, { url }) => MARKS[citing](number, url));
  const annotations = citations.map(({ source: { url, title }, mark: { start, end } }, position) => {
    // xAI names the number of the mark where the others name the page.
    return {
      type: 'url_citation',
      url,
      title: citing === 'linkedNumber' ? String(position + 1) : title,
      start_index: start,
      end_index: end,
    };
  });
  return { type: 'output_text', text, annotations };
}

/** The fields that the responses of all of them have. */
export function commonFields(run: Run): object {
  return {
    id: run.id,
    object: 'response',
    created_at: Math.floor(run.createdAt.getTime() / 1000),
    model: run.asked.model,
    status: run.status,
    incomplete_details: run.state === 'incomplete' ? { reason: 'max_output_tokens' } : null,
  };
}

/** The searches as OpenAI and xAI list them. */
export function searchCalls({ usage }: Run): object[] {
  return Array.from({ length: usage.searches }, (_, position) => {
    return { type: 'web_search_call', id: `ws_${position}`, status: 'completed', action: { type: 'search', query: 'emulated' } };
  });
}

/** The tokens as OpenAI and xAI count them. */
export function tokenCounts(usage: Usage): object {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

/** The fields that all of them require. @throws Error with the message of a 400 */
export function readCommon({ model, max_output_tokens }: Body): { model: string; maxOutputTokens?: number } {
  if (typeof model !== 'string' || model === '') throw new Error("Missing required parameter: 'model'");
  if (max_output_tokens === undefined) return { model };
  if (!isPositive(max_output_tokens)) throw new Error("Invalid 'max_output_tokens': expected a positive integer");
  return { model, maxOutputTokens: max_output_tokens };
}

export function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

export function event(type: string, data: object): ServerSentEvent {
  return { event: type, data: { type, ...data } };
}
