import { allowanceOf } from '../allowance';
import { promptOf } from '../prompt';
import type { ResearchRequest } from '../research-provider';
import type { GeminiGroundedOptions } from './options';
import type { GenerateContent } from './wire';

const THINKING = { fast: 'low', methodical: 'high' } as const;

/**
 * The body of a grounded answer whose worst case fits the reservation. The API cannot limit searches, so `maxSearches`
 * of them are assumed; `maxOutputTokens` covers reasoning and answer.
 * @throws ProviderError `invalid_request` if the reservation is too small
 */
export function generateContent(request: ResearchRequest, options: GeminiGroundedOptions): GenerateContent {
  const { instructions, input } = promptOf(request);
  const { outputTokens } = allowanceOf(request.limits.reservedMicros, options.prices, {
    promptTokens: Buffer.byteLength(instructions) + Buffer.byteLength(input),
    outputTokens: options.maxOutputTokens,
    searches: options.maxSearches,
    fewestSearches: options.maxSearches,
    inputTokensPerSearch: options.inputTokensPerSearch,
  });
  return {
    systemInstruction: { parts: [{ text: instructions }] },
    contents: [{ role: 'user', parts: [{ text: input }] }],
    tools: [{ googleSearch: {} }],
    generationConfig: { maxOutputTokens: outputTokens, thinkingConfig: { thinkingLevel: THINKING[request.mode] } },
  };
}
