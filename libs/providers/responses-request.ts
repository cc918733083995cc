import { allowanceOf } from './allowance';
import { configuredModel } from './configured-model';
import type { Prices } from './prices';
import { promptOf } from './prompt';
import type { ResearchRequest } from './research-provider';

const EFFORT = { fast: 'low', methodical: 'high' } as const;

interface Limits {
  prices: Prices;
  maxOutputTokens: number;
  inputTokensPerSearch: number;
}

/**
 * What the requests of the Responses APIs have in common, with limits whose worst case fits the reservation.
 * @throws ProviderError `invalid_request` if the reservation is too small
 */
export function limitedRequest(request: ResearchRequest, limits: Limits, searches: { most: number; fewest: number }) {
  const { instructions, input } = promptOf(request);
  const allowance = allowanceOf(request.limits.reservedMicros, limits.prices, {
    promptTokens: Buffer.byteLength(instructions) + Buffer.byteLength(input),
    outputTokens: limits.maxOutputTokens,
    searches: searches.most,
    fewestSearches: searches.fewest,
    inputTokensPerSearch: limits.inputTokensPerSearch,
  });
  return {
    prompt: { instructions, input },
    searches: allowance.searches,
    fields: {
      model: configuredModel(request),
      reasoning: { effort: EFFORT[request.mode] },
      max_output_tokens: allowance.outputTokens,
      store: true,
    } as const,
  };
}
