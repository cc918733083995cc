import { allowanceOf } from '../allowance';
import { configuredModel } from '../configured-model';
import { promptOf } from '../prompt';
import type { ResearchRequest } from '../research-provider';
import type { XaiOptions } from './options';
import type { CreateResponse } from './wire';

const EFFORT = { fast: 'low', methodical: 'high' } as const;

export interface LimitedRun {
  body: CreateResponse;
  /** The API cannot limit searches, so the run is stopped when it makes more. */
  mostSearches: number;
}

/**
 * A run with limits whose worst case fits the reservation. The API has no field for our step's id.
 * @throws ProviderError `invalid_request` if the reservation is too small
 */
export function createResponse(request: ResearchRequest, options: XaiOptions): LimitedRun {
  const { instructions, input } = promptOf(request);
  const { outputTokens, searches } = allowanceOf(request.limits.reservedMicros, options.prices, {
    promptTokens: Buffer.byteLength(instructions) + Buffer.byteLength(input),
    outputTokens: options.maxOutputTokens,
    searches: options.maxSearches,
    fewestSearches: Math.min(FEWEST_SEARCHES, options.maxSearches),
    inputTokensPerSearch: options.inputTokensPerSearch,
  });
  const body: CreateResponse = {
    model: configuredModel(request),
    input: [
      { role: 'system', content: instructions },
      { role: 'user', content: input },
    ],
    reasoning: { effort: EFFORT[request.mode] },
    tools: [{ type: 'web_search' }, ...(options.searchesX ? [{ type: 'x_search' as const }] : [])],
    max_output_tokens: outputTokens,
    store: true,
    stream: true,
  };
  return { body, mostSearches: searches };
}

/** With fewer, a run is likely to be stopped, and its money lost. */
const FEWEST_SEARCHES = 10;
