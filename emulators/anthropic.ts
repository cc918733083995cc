import { blocksOf, continuedRun } from './anthropic-blocks';
import type { Usage } from './asked';
import type { Run } from './run';
import { tokenPrice } from './token-price';
import type { Body, ServerSentEvent, Wire } from './wire';

/** Streamed messages of Claude with the server tools for searching and fetching, which can pause. */
export const anthropic: Wire = {
  basePath: '/v1',
  runPrefix: 'msg_',
  key: ({ 'x-api-key': key, 'anthropic-version': version }) => (typeof key === 'string' && version === '2023-06-01' ? key : undefined),
  price: tokenPrice({ input: 2, cachedInput: 0.2, output: 10, search: 0.01 }),
  error: (status, message, type = errorType(status)) => ({ type: 'error', error: { type, message }, request_id: 'req_emulated' }),
  submit: {
    method: 'POST',
    path: /^\/v1\/messages$/,
    answers: 'streamed',
    endsWithConnection: true,
    read: (body) => {
      const { model, messages, max_tokens, stream, tools } = body;
      if (typeof model !== 'string') throw new Error('model: Field required');
      if (typeof max_tokens !== 'number' || max_tokens < 1) throw new Error('max_tokens: Field required');
      if (!Array.isArray(messages) || messages.length === 0) throw new Error('messages: Field required');
      if (stream !== true) throw new Error('This emulator streams only');
      const search = (Array.isArray(tools) ? (tools as Body[]) : []).find(({ name }) => name === 'web_search');
      const maxSearches = tools === undefined ? 0 : typeof search?.max_uses === 'number' ? search.max_uses : undefined;
      const [first, last] = [messages[0] as Body, messages.at(-1) as Body];
      const asked = { question: String(first.content), model, stepId: null, maxOutputTokens: max_tokens, maxSearches };
      return last.role === 'assistant' ? { ...asked, continues: continuedRun(last.content) } : asked;
    },
    answer: stream,
  },
};

async function* stream(run: Run): AsyncGenerator<ServerSentEvent> {
  const event = (type: string, data: object): ServerSentEvent => ({ event: type, data: { type, ...data } });
  const pauses = run.has('pause') && run.continuations === 0;
  const usage = run.toldUsage && turnUsage(run.toldUsage, run, pauses);
  const message = { id: run.id, type: 'message', role: 'assistant', model: run.asked.model, content: [], stop_reason: null };
  yield event('message_start', { message: { ...message, ...(usage && { usage: { ...usage.input, output_tokens: 1 } }) } });
  yield event('ping', {});
  if (!pauses) await run.ended;
  if (run.failure) {
    yield event('error', { error: { type: 'api_error', message: run.failure.message } });
    return;
  }
  for (const [index, block] of blocksOf(run, pauses).entries()) {
    yield event('content_block_start', { index, content_block: block.start });
    for (const delta of block.deltas) yield event('content_block_delta', { index, delta });
    yield event('content_block_stop', { index });
  }
  const delta = { stop_reason: stopReason(run, pauses), stop_sequence: null };
  yield event('message_delta', { delta, ...(usage && { usage: { ...usage.input, ...usage.output } }) });
  yield event('message_stop', {});
}

function stopReason(run: Run, pauses: boolean): string {
  if (pauses) return 'pause_turn';
  if (run.refusal !== null) return 'refusal';
  return run.state === 'incomplete' ? 'max_tokens' : 'end_turn';
}

/** A paused run is billed for searching and reasoning; its text is billed with the next turn. */
function turnUsage(usage: Usage, run: Run, pauses: boolean): { input: object; output: object } {
  const isSecond = run.continuations > 0;
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens, searches } = usage;
  const input = {
    input_tokens: isSecond ? 0 : inputTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: isSecond ? 0 : cachedTokens,
  };
  const tokens = pauses ? reasoningTokens : isSecond ? outputTokens - reasoningTokens : outputTokens;
  const server_tool_use = { web_search_requests: isSecond ? 0 : searches, web_fetch_requests: isSecond ? 0 : 1 };
  return { input, output: { output_tokens: tokens, server_tool_use } };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function errorType(status: number): string {
  return ERROR_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
