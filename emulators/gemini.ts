import { bytePositions } from './byte-position';
import type { WrittenCitation } from './findings';
import type { Run } from './run';
import { tokenPrice } from './token-price';
import type { Body, Wire } from './wire';

/** Runs whose end was already reported: usage follows one poll after the result, as it can with the real API. */
const told = new WeakSet<Run>();

/** Gemini deep research: background runs of the Interactions API. */
export const gemini: Wire = {
  basePath: '/v1beta',
  runPrefix: 'v1_',
  key: googleKey,
  price: tokenPrice({ input: 2, cachedInput: 0.2, output: 12, search: 0.014 }),
  error: googleError,
  submit: {
    method: 'POST',
    path: /^\/v1beta\/interactions$/,
    answers: 'accepted',
    endsWithConnection: false,
    read: (body) => {
      const { agent, input, background, store, labels } = body;
      if (typeof agent !== 'string') throw new Error('agent: a deep-research agent is needed');
      if (typeof input !== 'string' || input === '') throw new Error('input: must not be empty');
      if (background !== true || store !== true) throw new Error('Agents run with background=true and store=true');
      const { step } = (labels ?? {}) as Body;
      return { question: input, model: agent, stepId: typeof step === 'string' ? step : null };
    },
    answer: describe,
  },
  poll: { method: 'GET', path: /^\/v1beta\/interactions\/(?<id>[^/]+)$/, answer: describe },
  cancel: { method: 'POST', path: /^\/v1beta\/interactions\/(?<id>[^/]+)\/cancel$/, answer: describe },
};

function describe(run: Run): object {
  const failure = run.refusal === null ? run.failure : { code: 'SAFETY', message: run.refusal };
  return {
    object: 'interaction',
    id: run.id,
    agent: run.asked.model,
    created: run.createdAt.toISOString(),
    status: failure ? 'failed' : run.status,
    ...(failure && { errors: [failure] }),
    ...(run.state !== 'running' && { ...(!failure && { steps: stepsOf(run) }), ...usageOf(run) }),
  };
}

function stepsOf(run: Run): object[] {
  const { text: report, citations } = run.written((number) => ` [cite: ${number}]`);
  const text = report + sourceList(citations);
  const byte = bytePositions(text);
  const annotations = citations.map(({ source, statement }) => {
    const span = { start_index: byte(statement.start), end_index: byte(statement.end) };
    return { type: 'url_citation', url: source.url, title: source.title, ...span };
  });
  return [
    { type: 'thought', signature: 'ZW11bGF0ZWQ=', summary: [{ type: 'text', text: 'Looking for sources.' }] },
    { type: 'google_search_call', id: 'search_1', arguments: { queries: ['emulated'] } },
    { type: 'model_output', content: [{ type: 'text', text, annotations }] },
  ];
}

/** The agent writes its list itself, with hosts as titles. */
function sourceList(citations: readonly WrittenCitation[]): string {
  const lines = citations.map(({ number, source: { url } }) => `${number}. [${new URL(url).hostname}](${url})`);
  return lines.length === 0 ? '' : `\n**Sources:**\n${lines.join('\n')}\n`;
}

function usageOf(run: Run): object {
  const usage = run.toldUsage;
  const isFirst = !told.has(run);
  told.add(run);
  if (isFirst || !usage) return {};
  return {
    usage: {
      total_input_tokens: usage.inputTokens,
      total_cached_tokens: usage.cachedTokens,
      total_output_tokens: usage.outputTokens - usage.reasoningTokens,
      total_thought_tokens: usage.reasoningTokens,
      total_tool_use_tokens: 0,
      total_tokens: usage.inputTokens + usage.outputTokens,
      grounding_tool_count: [{ type: 'google_search', count: usage.searches }],
    },
  };
}

export function googleKey({ 'x-goog-api-key': key }: Parameters<Wire['key']>[0]): string | undefined {
  return typeof key === 'string' ? key : undefined;
}

const GOOGLE_STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

export function googleError(status: number, message: string, type = GOOGLE_STATUS[status] ?? 'UNKNOWN'): object {
  return { error: { code: status, message, status: type, ...(status === 429 && limitReached(type)) } };
}

/** The same words for every limit: only the details tell one of a minute from one of a day. */
function limitReached(type: string): object {
  const quotaId = `GenerateRequestsPer${type === 'RESOURCE_EXHAUSTED' ? 'Minute' : 'Day'}PerProjectPerModel`;
  return {
    message: 'You exceeded your current quota, please check your plan and billing details.',
    details: [{ '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [{ quotaId }] }],
  };
}
