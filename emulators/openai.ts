import {
  CANCEL_PATH,
  commonFields,
  isPositive,
  messageItem,
  readCommon,
  RESPONSE_PATH,
  RESPONSES_PATH,
  searchCalls,
  tokenCounts,
} from './responses-output';
import type { Run } from './run';
import { tokenPrice } from './token-price';
import { bearerKey, type Body, type Wire } from './wire';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  402: 'insufficient_quota',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
  500: 'server_error',
};

/** What OpenAI says of a limit for a minute too, which passes without any payment. */
const PAY_MORE = 'You can increase your rate limit by adding a payment method at https://platform.openai.com/account/billing.';

const price = tokenPrice({ input: 5, cachedInput: 0.5, output: 30, search: 0.01 });
const miniPrice = tokenPrice({ input: 0.75, cachedInput: 0.075, output: 4.5, search: 0.01 });

/** OpenAI's Responses API: background runs that are stored, polled and can be cancelled, and synchronous answers without tools. */
export const openAi: Wire = {
  basePath: '/v1',
  runPrefix: 'resp_',
  key: bearerKey,
  price: (usage, { model }) => (model?.endsWith('-mini') ? miniPrice(usage) : price(usage)),
  error: (status, message, code = ERROR_TYPES[status] ?? 'bad_request') => ({
    error: {
      message: code === 'rate_limit_exceeded' ? `${message}. ${PAY_MORE}` : message,
      type: 'invalid_request_error',
      param: null,
      code,
    },
  }),
  submit: {
    method: 'POST',
    path: RESPONSES_PATH,
    answers: 'accepted',
    endsWithConnection: false,
    read: (body) => {
      const { input, background, store, metadata, max_tool_calls, tools } = body;
      if (typeof input !== 'string' || input === '') throw new Error("Missing required parameter: 'input'");
      const isSynchronous = background === undefined && store === false;
      if (!isSynchronous && (background !== true || store !== true)) throw new Error('This emulator keeps runs in the background only');
      if (max_tool_calls !== undefined && !isPositive(max_tool_calls)) throw new Error("Invalid 'max_tool_calls'");
      requireJsonWord(body, input);
      const { stepId } = (metadata ?? {}) as Body;
      const asked = { question: input, stepId: typeof stepId === 'string' ? stepId : null, ...readCommon(body) };
      const searches = tools === undefined ? 0 : max_tool_calls;
      return { ...asked, ...(isSynchronous && { isSynchronous }), ...(searches !== undefined && { maxSearches: searches }) };
    },
    answer: describe,
  },
  poll: { method: 'GET', path: RESPONSE_PATH, answer: describe },
  cancel: { method: 'POST', path: CANCEL_PATH, answer: describe },
};

/** For JSON the API wants the word in the input; the instructions do not count. */
function requireJsonWord({ text }: Body, input: string): void {
  const { format } = (text ?? {}) as Body;
  if (((format ?? {}) as Body).type !== 'json_object' || /json/i.test(input)) return;
  throw new Error("Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.");
}

function describe(run: Run): object {
  const isOver = run.state !== 'running';
  return {
    ...commonFields(run),
    background: true,
    error: run.failure,
    output: isOver && run.failure === null ? [...searchesOf(run), messageItem(run, 'link')] : [],
    usage: isOver && run.failure === null ? ((run.toldUsage && tokenCounts(run.toldUsage)) ?? null) : null,
  };
}

/** All searches, and an opened page, which is a free call. */
function searchesOf(run: Run): object[] {
  if (run.usage.searches === 0) return [];
  const opened = { type: 'open_page', url: 'https://www.wren.example/logs/' };
  return [...searchCalls(run), { type: 'web_search_call', id: 'ws_page', status: 'completed', action: opened }];
}
