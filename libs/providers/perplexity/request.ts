import type { ResearchRequest } from '../research-provider';
import { limitedRequest } from '../responses-request';
import type { PerplexityOptions } from './options';
import type { CreateResponse } from './wire';

/**
 * The body that starts a run in the background, with limits whose worst case fits the reservation. The API limits rounds of
 * searches instead of searches, and has no field for our step's id.
 * @throws ProviderError `invalid_request` if the reservation is too small
 */
export function createResponse(request: ResearchRequest, options: PerplexityOptions): CreateResponse {
  const { maxSteps, searchesPerStep } = options;
  const limits = { most: maxSteps * searchesPerStep, fewest: searchesPerStep };
  const { prompt, searches, fields } = limitedRequest(request, options, limits);
  return {
    ...prompt,
    ...fields,
    background: true,
    tools: [{ type: 'web_search' }, { type: 'fetch_url' }],
    max_steps: Math.floor(searches / searchesPerStep),
  };
}
