import { allowanceOf, allowanceWithin, type Allowance, type Wanted } from '../allowance';
import { configuredModel } from '../configured-model';
import { promptOf } from '../prompt';
import type { ResearchRequest } from '../research-provider';
import type { AnthropicOptions } from './options';
import { chargeOf, searchesOf, usageOf } from './usage';
import type { CreateMessage, Message } from './wire';

const EFFORT = { fast: 'low', methodical: 'high' } as const;

/**
 * The body of the first request, whose worst case fits the reservation.
 * @throws ProviderError `invalid_request` if the reservation is too small
 */
export function createMessage(request: ResearchRequest, options: AnthropicOptions): CreateMessage {
  const { instructions, input } = promptOf(request);
  const promptTokens = Buffer.byteLength(instructions) + Buffer.byteLength(input);
  const allowance = allowanceOf(request.limits.reservedMicros, options.prices, wantedOf(options, promptTokens, options.maxSearches));
  return {
    model: configuredModel(request),
    max_tokens: allowance.outputTokens,
    stream: true,
    system: instructions,
    messages: [{ role: 'user', content: input }],
    tools: toolsFor(allowance, options),
    output_config: { effort: EFFORT[request.mode] },
  };
}

/**
 * The body that continues a paused answer: everything so far is sent back unchanged and paid for again as input. Null if the rest of the
 * reservation does not cover that, or is unknown since usage is missing.
 */
export function continueMessage(
  first: CreateMessage,
  answered: readonly Message[],
  options: AnthropicOptions,
  reservedMicros: number,
): CreateMessage | null {
  const { provenance, micros } = chargeOf(answered, options.prices, reservedMicros);
  const { inputTokens, outputTokens } = usageOf(answered.slice(-1));
  if (provenance !== 'computed' || inputTokens === null || outputTokens === null) return null;
  const searches = Math.max(1, options.maxSearches - (searchesOf(answered) ?? 0));
  const wanted = wantedOf(options, inputTokens + outputTokens, searches);
  const allowance = allowanceWithin(reservedMicros - micros, options.prices, wanted);
  if (!allowance) return null;
  const content = answered.flatMap((message) => message.content);
  return {
    ...first,
    max_tokens: allowance.outputTokens,
    messages: [...first.messages.slice(0, 1), { role: 'assistant', content }],
    tools: toolsFor(allowance, options),
  };
}

/** There are never more fetches than searches, so the worst case of a search includes one page of the greatest length. */
function wantedOf(options: AnthropicOptions, promptTokens: number, searches: number): Wanted {
  const inputTokensPerSearch = options.inputTokensPerSearch + (options.maxFetches > 0 ? options.maxFetchTokens : 0);
  return { promptTokens, outputTokens: options.maxOutputTokens, searches, fewestSearches: 1, inputTokensPerSearch };
}

/** Pages are fetched because of searches, so fewer searches mean fewer fetches. */
function toolsFor({ searches }: Allowance, options: AnthropicOptions): CreateMessage['tools'] {
  const fetches = Math.min(options.maxFetches, searches);
  const search = { type: options.webSearchTool, name: 'web_search', max_uses: searches } as const;
  if (fetches === 0) return [search];
  const limits = { max_uses: fetches, max_content_tokens: options.maxFetchTokens, citations: { enabled: true } } as const;
  return [search, { type: options.webFetchTool, name: 'web_fetch', ...limits }];
}
