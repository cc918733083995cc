import { commonFields, event, messageItem, readCommon, RESPONSE_PATH, RESPONSES_PATH, searchCalls, tokenCounts } from './responses-output';
import type { Run } from './run';
import { tokenPrice } from './token-price';
import { bearerKey, type Body, type ServerSentEvent, type Wire } from './wire';

const LAST_EVENT = {
  running: 'response.in_progress',
  completed: 'response.completed',
  incomplete: 'response.incomplete',
  failed: 'response.failed',
  cancelled: 'response.failed',
} as const;

const TICKS_PER_MICRO = 10_000;

/** xAI's Responses API: streamed runs that are stored and can be polled by their id, but not cancelled. */
export const xai: Wire = {
  basePath: '/v1',
  runPrefix: 'resp_',
  key: bearerKey,
  price: tokenPrice({ input: 1.25, cachedInput: 0.2, output: 2.5, search: 0.005 }),
  error: (status, message, type = `error_${status}`) => ({ code: type, error: message }),
  submit: {
    method: 'POST',
    path: RESPONSES_PATH,
    answers: 'streamed',
    // It is documented that a run can be polled later, but not whether it ends with its connection.
    endsWithConnection: false,
    read: (body) => {
      const { input, stream, store, background } = body;
      if (background !== undefined) throw new Error('background is not supported');
      if (stream !== true || store !== true) throw new Error('This emulator streams only, and keeps what it streamed');
      const messages = Array.isArray(input) ? (input as Body[]) : [];
      const asked = messages.find(({ role }) => role === 'user');
      if (typeof asked?.content !== 'string') throw new Error('input: a message of the user is needed');
      return { question: asked.content, stepId: null, ...readCommon(body) };
    },
    answer: follow,
  },
  poll: { method: 'GET', path: RESPONSE_PATH, answer: describe },
};

async function* follow(run: Run): AsyncGenerator<ServerSentEvent> {
  yield event('response.created', { response: describe(run) });
  for (const [index, item] of searchCalls(run).entries()) yield event('response.output_item.added', { output_index: index, item });
  await run.ended;
  yield event(LAST_EVENT[run.state], { response: describe(run) });
  yield { data: '[DONE]' };
}

function describe(run: Run): object {
  const isOver = run.state !== 'running';
  const pages = () => run.written(() => '').citations.map(({ source: { url } }) => url);
  return {
    ...commonFields(run),
    store: true,
    error: run.failure,
    output: isOver && !run.failure ? [...searchCalls(run), messageItem(run, 'linkedNumber')] : [],
    ...(isOver && !run.failure && { citations: pages(), ...usageOf(run) }),
  };
}

function usageOf(run: Run): object {
  const { toldUsage: usage, toldMicros: micros } = run;
  const counts = usage && { ...tokenCounts(usage), num_server_side_tools_used: usage.searches };
  return { usage: { ...counts, ...(micros !== undefined && { cost_in_usd_ticks: micros * TICKS_PER_MICRO }) } };
}
