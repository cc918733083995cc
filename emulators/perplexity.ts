import { MICROS_PER_DOLLAR } from '@lib/domain/money';

import { CANCEL_PATH, commonFields, isPositive, messageItem, readCommon, RESPONSE_PATH, RESPONSES_PATH } from './responses-output';
import type { Run } from './run';
import { tokenPrice } from './token-price';
import { bearerKey, type Wire } from './wire';

/** Most searches of a round. */
const SEARCHES_PER_STEP = 5;

/** Perplexity's Agent API: background runs that are stored, polled, can be cancelled and report their cost. */
export const perplexity: Wire = {
  basePath: '/v1',
  runPrefix: 'resp_',
  key: bearerKey,
  price: tokenPrice({ input: 0.25, cachedInput: 0.0625, output: 2.5, search: 0.005 }),
  error: (status, message, type = status === 429 ? 'rate_limit_exceeded' : 'error') => ({ error: { message, type, code: String(status) } }),
  submit: {
    method: 'POST',
    path: RESPONSES_PATH,
    answers: 'accepted',
    endsWithConnection: false,
    read: (body) => {
      const { input, background, store, max_steps } = body;
      if (typeof input !== 'string' || input === '') throw new Error('input: must not be empty');
      if (background !== true || store !== true) throw new Error('This emulator keeps runs in the background only');
      if (max_steps !== undefined && !isPositive(max_steps)) throw new Error('max_steps: must be a positive integer');
      const asked = { question: input, stepId: null, ...readCommon(body) };
      return max_steps === undefined ? asked : { ...asked, maxSearches: max_steps * SEARCHES_PER_STEP };
    },
    answer: describe,
  },
  poll: { method: 'GET', path: RESPONSE_PATH, answer: describe },
  cancel: {
    method: 'POST',
    path: CANCEL_PATH,
    answer: ({ id }) => ({ response_id: id, status: 'cancelling' }),
  },
};

/** The API has no field for a refusal, so it is an error. */
function describe(run: Run): object {
  const isOver = run.state !== 'running';
  const failure = run.refusal === null ? run.failure : { code: 'content_policy', message: run.refusal };
  return {
    ...commonFields(run),
    background: true,
    ...(failure && { status: 'failed' }),
    output: isOver && !failure ? [searchResults(run), messageItem(run, 'number')] : [],
    ...(failure && { error: { ...failure, type: 'error' } }),
    ...(isOver && !run.failure && usageOf(run)),
  };
}

function searchResults(run: Run): object {
  const results = run
    .written(() => '')
    .citations.map(({ number, source: { url, title, snippet } }) => {
      return { id: number, url, title, snippet, date: '2023-04-05', source: 'web' };
    });
  return { type: 'search_results', queries: ['emulated'], results };
}

function usageOf(run: Run): object {
  const { toldUsage: usage, toldMicros: micros } = run;
  const cost = micros !== undefined && { cost: { currency: 'USD', total_cost: micros / MICROS_PER_DOLLAR } };
  const counts = usage && {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cache_read_input_tokens: usage.cachedTokens },
    output_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    tool_calls_details: { web_search: { invocation: usage.searches } },
  };
  return { usage: { ...counts, ...cost } };
}
