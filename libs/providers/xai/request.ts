import type { ResearchRequest } from '../research-provider';
import { limitedRequest } from '../responses-request';
import type { XaiOptions } from './options';
import type { CreateResponse } from './wire';

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
  const { maxSearches, searchesX } = options;
  const limits = { most: maxSearches, fewest: Math.min(MIN_SEARCHES, maxSearches) };
  const { prompt, searches, fields } = limitedRequest(request, options, limits);
  const body: CreateResponse = {
    ...fields,
    input: [
      { role: 'system', content: prompt.instructions },
      { role: 'user', content: prompt.input },
    ],
    tools: [{ type: 'web_search' }, ...(searchesX ? [{ type: 'x_search' as const }] : [])],
    stream: true,
  };
  return { body, mostSearches: searches };
}

/** With fewer, the run would probably be stopped, and its cost wasted. */
const MIN_SEARCHES = 10;
