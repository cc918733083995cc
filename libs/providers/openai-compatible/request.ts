import { allowanceOf } from '../allowance';
import { configuredModel } from '../configured-model';
import { promptOf } from '../prompt';
import type { ResearchRequest } from '../research-provider';
import type { OpenAiCompatibleOptions } from './options';
import type { CreateChatCompletion } from './wire';

/**
 * The body of a chat completion whose worst case stays within the reservation. Effort is a matter of the prompt alone: the servers
 * disagree about the field for it and some refuse those that they do not know.
 * @throws ProviderError `invalid_request` when the reservation is too small
 */
export function createChatCompletion(request: ResearchRequest, options: OpenAiCompatibleOptions): CreateChatCompletion {
  const { instructions, input } = promptOf(request);
  const { prices, maxOutputTokens, webSearchResults, inputTokensPerSearch } = options;
  const searches = webSearchResults > 0 ? 1 : 0;
  const { outputTokens } = allowanceOf(request.limits.reservedMicros, prices, {
    promptTokens: Buffer.byteLength(instructions) + Buffer.byteLength(input),
    outputTokens: maxOutputTokens,
    searches,
    fewestSearches: searches,
    inputTokensPerSearch,
  });
  return {
    model: configuredModel(request),
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: input },
    ],
    max_tokens: outputTokens,
    stream: false,
    ...(searches > 0 && { plugins: [{ id: 'web', max_results: webSearchResults }] }),
  };
}
