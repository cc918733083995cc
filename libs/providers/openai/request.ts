import { allowanceOf } from '../allowance';
import { configuredModel } from '../configured-model';
import { promptOf } from '../prompt';
import type { ResearchRequest } from '../research-provider';
import type { OpenAiOptions } from './options';
import type { CreateResponse } from './wire';

const EFFORT = { fast: 'low', methodical: 'high' } as const;

/**
 * The body that starts a response in the background, with limits whose worst case fits the reservation.
 * @throws ProviderError `invalid_request` if the reservation is too small
 */
export function createResponse(request: ResearchRequest, options: OpenAiOptions): CreateResponse {
  const { instructions, input } = promptOf(request);
  const { outputTokens, searches } = allowanceOf(request.limits.reservedMicros, options.prices, {
    promptTokens: Buffer.byteLength(instructions) + Buffer.byteLength(input),
    outputTokens: options.maxOutputTokens,
    searches: options.maxSearches,
    fewestSearches: 1,
    inputTokensPerSearch: options.inputTokensPerSearch,
  });
  return {
    model: configuredModel(request),
    instructions,
    input,
    background: true,
    store: true,
    reasoning: { effort: EFFORT[request.mode] },
    tools: [{ type: options.webSearchTool }],
    max_tool_calls: searches,
    max_output_tokens: outputTokens,
    metadata: { stepId: request.stepId, attempt: String(request.attempt) },
  };
}
