import { bytePositions } from './byte-position';
import { googleError, googleKey } from './gemini';
import type { Run } from './run';
import { tokenPrice } from './token-price';
import type { Body, Wire } from './wire';

const FINISHED = { incomplete: 'MAX_TOKENS', completed: 'STOP' } as const;

/** A Gemini model that answers, with Google Search if asked to: `generateContent`, in one piece. */
export const geminiGrounded: Wire = {
  basePath: '/v1beta',
  runPrefix: 'ggr_',
  key: googleKey,
  price: tokenPrice({ input: 1.5, cachedInput: 0.15, output: 7.5, search: 0.014 }),
  error: googleError,
  submit: {
    method: 'POST',
    path: /^\/v1beta\/models\/(?<model>[^/:]+):generateContent$/,
    answers: 'ended',
    endsWithConnection: false,
    read: ({ contents, tools, generationConfig }, { model = null }) => {
      if (!Array.isArray(contents) || contents.length === 0) throw new Error('contents is not specified');
      const searches = Array.isArray(tools) && tools.some((tool: Body) => 'googleSearch' in tool);
      const question = (contents as { parts: { text: string }[] }[]).flatMap(({ parts }) => parts.map(({ text }) => text)).join('\n');
      const { maxOutputTokens } = (generationConfig ?? {}) as Body;
      return {
        ...{ question, model, stepId: null, maxOutputTokens: typeof maxOutputTokens === 'number' ? maxOutputTokens : undefined },
        ...(!searches && { maxSearches: 0 }),
      };
    },
    answer: respond,
  },
};

function respond(run: Run): object {
  if (run.failure) return googleError(500, run.failure.message, 'INTERNAL');
  return {
    responseId: run.id,
    modelVersion: run.asked.model,
    candidates: [run.refusal === null ? candidateOf(run) : { finishReason: 'SAFETY', index: 0, groundingMetadata: groundingOf(run) }],
    ...usageOf(run),
  };
}

function candidateOf(run: Run): object {
  const { text } = run.written(() => '');
  const parts = [{ text: 'I look for sources first.', thought: true }, ...(text === '' ? [] : [{ text }])];
  const finishReason = run.state === 'incomplete' ? FINISHED.incomplete : FINISHED.completed;
  return { content: { role: 'model', parts }, finishReason, index: 0, groundingMetadata: groundingOf(run) };
}

function groundingOf(run: Run): object | undefined {
  if (run.usage.searches === 0) return undefined;
  const { text, citations } = run.written(() => '');
  const byte = bytePositions(text);
  const queries = Array.from({ length: run.usage.searches }, (_, number) => `emulated query ${number + 1}`);
  return {
    webSearchQueries: queries,
    searchEntryPoint: { renderedContent: '<div>emulated</div>' },
    groundingChunks: citations.map(({ source: { url, title } }) => ({ web: { uri: url, title } })),
    groundingSupports: citations.map(({ statement }, position) => {
      const [startIndex, endIndex] = [byte(statement.start), byte(statement.end)];
      // Google's APIs omit default values, such as a start of 0.
      return { segment: { ...(startIndex !== 0 && { startIndex }), endIndex }, groundingChunkIndices: [position], confidenceScores: [0.9] };
    }),
  };
}

function usageOf(run: Run): object {
  const usage = run.toldUsage;
  if (!usage) return {};
  return {
    usageMetadata: {
      promptTokenCount: usage.inputTokens,
      cachedContentTokenCount: usage.cachedTokens,
      candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
      thoughtsTokenCount: usage.reasoningTokens,
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
  };
}
