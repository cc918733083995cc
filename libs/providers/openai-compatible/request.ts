import { allowanceOf } from '../allowance';
import { configuredModel } from '../configured-model';
import { promptOf } from '../prompt';
import type { ResearchRequest } from '../research-provider';
import type { OpenAiCompatibleOptions } from './options';
import type { CreateChatCompletion } from './wire';

/**
 * The body of a chat completion whose worst case fits the reservation. Only the prompt asks for more or less effort: servers
 * disagree on the field for it, and some refuse unknown fields.
 * @throws ProviderError `invalid_request` if the reservation is too small
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
