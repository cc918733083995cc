import type { ResearchRequest } from '../research-provider';
import { limitedRequest } from '../responses-request';
import type { OpenAiOptions } from './options';
import type { CreateResponse } from './wire';

/**
 * The body that starts a response in the background, with limits whose worst case fits the reservation.
 * @throws ProviderError `invalid_request` if the reservation is too small
 */
export function createResponse(request: ResearchRequest, options: OpenAiOptions): CreateResponse {
  const { prompt, searches, fields } = limitedRequest(request, options, { most: options.maxSearches, fewest: 1 });
  return {
    ...prompt,
    ...fields,
    background: true,
    tools: [{ type: options.webSearchTool }],
    max_tool_calls: searches,
    metadata: { stepId: request.stepId, attempt: String(request.attempt) },
  };
}
