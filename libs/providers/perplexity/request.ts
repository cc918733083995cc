import { allowanceOf } from '../allowance';
import { configuredModel } from '../configured-model';
import { promptOf } from '../prompt';
import type { ResearchRequest } from '../research-provider';
import type { PerplexityOptions } from './options';
import type { CreateResponse } from './wire';

const EFFORT = { fast: 'low', methodical: 'high' } as const;

/**
 * The body that starts a run in the background, with limits whose worst case fits the reservation. The API limits rounds of
 * searches instead of searches, and has no field for our step's id.
 * @throws ProviderError `invalid_request` if the reservation is too small
 */
export function createResponse(request: ResearchRequest, options: PerplexityOptions): CreateResponse {
  const { instructions, input } = promptOf(request);
  const { maxSteps, searchesPerStep } = options;
  const { outputTokens, searches } = allowanceOf(request.limits.reservedMicros, options.prices, {
    promptTokens: Buffer.byteLength(instructions) + Buffer.byteLength(input),
    outputTokens: options.maxOutputTokens,
    searches: maxSteps * searchesPerStep,
    fewestSearches: searchesPerStep,
    inputTokensPerSearch: options.inputTokensPerSearch,
  });
  return {
    model: configuredModel(request),
    instructions,
    input,
    background: true,
    store: true,
    reasoning: { effort: EFFORT[request.mode] },
    tools: [{ type: 'web_search' }, { type: 'fetch_url' }],
    max_steps: Math.floor(searches / searchesPerStep),
    max_output_tokens: outputTokens,
  };
}
