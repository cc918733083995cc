import { incompleteDetails, isPositive, messageItem, readCommon } from './responses-output';
import type { Run } from './run';
import { tokenPrice } from './token-price';
import { bearerKey, type Body, type Wire } from './wire';

const STATUS = {
  running: 'in_progress',
  completed: 'completed',
  incomplete: 'incomplete',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'insufficient_quota',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
  500: 'server_error',
};

const price = tokenPrice({ input: 5, cachedInput: 0.5, output: 30, search: 0.01 });
const miniPrice = tokenPrice({ input: 0.75, cachedInput: 0.075, output: 4.5, search: 0.01 });

/** OpenAI's Responses API: background runs that are stored, polled and can be cancelled, and synchronous answers without tools. */
export const openAi: Wire = {
  basePath: '/v1',
  runPrefix: 'resp_',
  key: bearerKey,
  price: (usage, { model }) => (model?.endsWith('-mini') ? miniPrice(usage) : price(usage)),
  error: (status, message, code = ERROR_TYPES[status] ?? 'bad_request') => ({
    error: { message, type: 'invalid_request_error', param: null, code },
  }),
  submit: {
    method: 'POST',
    path: /^\/v1\/responses$/,
    answers: 'accepted',
    endsWithConnection: false,
    read: (body) => {
      const { input, background, store, metadata, max_tool_calls, tools } = body;
      if (typeof input !== 'string' || input === '') throw new Error("Missing required parameter: 'input'");
      const isSynchronous = background === undefined && store === false;
      if (!isSynchronous && (background !== true || store !== true)) throw new Error('This emulator keeps runs in the background only');
      if (max_tool_calls !== undefined && !isPositive(max_tool_calls)) throw new Error("Invalid 'max_tool_calls'");
      const { stepId } = (metadata ?? {}) as Body;
      const asked = { question: input, stepId: typeof stepId === 'string' ? stepId : null, ...readCommon(body) };
      const searches = tools === undefined ? 0 : max_tool_calls;
      return { ...asked, ...(isSynchronous && { isSynchronous }), ...(searches !== undefined && { maxSearches: searches }) };
    },
    answer: describe,
  },
  poll: { method: 'GET', path: /^\/v1\/responses\/(?<id>[^/]+)$/, answer: describe },
  cancel: { method: 'POST', path: /^\/v1\/responses\/(?<id>[^/]+)\/cancel$/, answer: describe },
};

function describe(run: Run): object {
  const isOver = run.state !== 'running';
  return {
    id: run.id,
    object: 'response',
    created_at: Math.floor(run.createdAt.getTime() / 1000),
    model: run.asked.model,
    background: true,
    status: STATUS[run.state],
    error: run.failure,
    incomplete_details: incompleteDetails(run),
    output: isOver && run.failure === null ? [...searchesOf(run), messageItem(run, 'link')] : [],
    usage: isOver && run.failure === null ? usageOf(run) : null,
  };
}

/** All searches, and an opened page, which is a free call. */
function searchesOf(run: Run): object[] {
  if (run.usage.searches === 0) return [];
  const searches = Array.from({ length: run.usage.searches }, (_, position) => {
    return { type: 'web_search_call', id: `ws_${position}`, status: 'completed', action: { type: 'search', query: 'emulated' } };
  });
  const opened = { type: 'open_page', url: 'https://www.wren.example/logs/' };
  return [...searches, { type: 'web_search_call', id: 'ws_page', status: 'completed', action: opened }];
}

function usageOf(run: Run): object | null {
  const usage = run.toldUsage;
  if (!usage) return null;
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
