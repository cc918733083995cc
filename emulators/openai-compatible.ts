import type { Asked, Usage } from './asked';
import type { Run } from './run';
import { tokenPrice } from './token-price';
import { bearerKey, type Body, type Wire } from './wire';

const price = tokenPrice({ input: 1, cachedInput: 0.1, output: 4, search: 0.02 });
const THOUGHT = '<think>\nI shall say – “naïvely” – what was found.\n</think>\n\n';

/**
 * Chat completions. A model with a vendor in its name (`vendor/model`) is served as by OpenRouter, with search and reported costs; any
 * other as by Ollama, free and without sources.
 */
export const openAiCompatible: Wire = {
  basePath: '/v1',
  runPrefix: 'chatcmpl-',
  key: bearerKey,
  keyOptional: true,
  price: (usage: Usage, asked: Asked) => (isSold(asked) ? price(usage) : 0),
  error: (status, message, type) => ({ error: { code: type ?? status, message } }),
  submit: {
    method: 'POST',
    path: /^\/v1\/chat\/completions$/,
    answers: 'ended',
    endsWithConnection: true,
    read: ({ model, messages, max_tokens, plugins, stream }) => {
      if (typeof model !== 'string') throw new Error('you must provide a model parameter');
      if (!Array.isArray(messages) || messages.length === 0) throw new Error('messages is required');
      if (stream === true) throw new Error('This emulator does not stream');
      const question = (messages as Body[]).flatMap(({ role, content }) => (role === 'user' ? [String(content)] : [])).join('\n');
      const searches = Array.isArray(plugins) ? plugins.length : 0;
      return {
        question,
        model,
        stepId: null,
        maxSearches: searches,
        ...(typeof max_tokens === 'number' && { maxOutputTokens: max_tokens }),
      };
    },
    answer: complete,
  },
};

function isSold({ model }: Asked): boolean {
  return model?.includes('/') === true;
}

function complete(run: Run): object {
  const { id, asked, state, refusal, failure, createdAt } = run;
  if (failure) return { id, error: { code: 502, message: `Upstream: ${failure.code}: ${failure.message}` } };
  const message = refusal === null ? messageOf(run) : { role: 'assistant', content: null, refusal };
  return {
    id,
    object: 'chat.completion',
    created: Math.floor(createdAt.getTime() / 1000),
    model: asked.model,
    choices: [{ index: 0, message, finish_reason: state === 'incomplete' ? 'length' : 'stop' }],
    ...usageOf(run),
  };
}

/** A message with links in its text, as OpenRouter's search prompts for, and nested annotations. */
function messageOf(run: Run): object {
  const sold = isSold(run.asked);
  const { text, citations } = run.written((_, { url }) => (sold ? ` [${new URL(url).hostname}](${url})` : ''));
  if (text === '') return { role: 'assistant', content: '' };
  if (!sold) return { role: 'assistant', content: THOUGHT + text };
  const annotations = citations.map(({ source: { url, title, snippet }, statement, mark }) => {
    const [start_index, end_index] = [statement.start + THOUGHT.length, mark.end + THOUGHT.length];
    return { type: 'url_citation', url_citation: { url, title, content: snippet, start_index, end_index } };
  });
  return { role: 'assistant', content: THOUGHT + text, annotations };
}

function usageOf(run: Run): object {
  const usage = run.toldUsage;
  const micros = isSold(run.asked) ? run.toldMicros : undefined;
  const cost = micros === undefined ? {} : { cost: micros / 1_000_000 };
  if (!usage) return micros === undefined ? {} : { usage: cost };
  return {
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
      prompt_tokens_details: { cached_tokens: usage.cachedTokens },
      ...cost,
    },
  };
}
