import type { Charge, Usage } from '@lib/domain/money';

import { countIn, countOrNone, objectIn } from '../json';
import { costOf, totalOf, type Prices } from '../prices';
import type { Message } from './wire';

/** The cost of an answer over all its turns; an estimate if one of them lacks usage. */
export function chargeOf(turns: readonly Message[], prices: Prices, estimateMicros: number): Charge {
  return costOf(usageOf(turns), prices, estimateMicros);
}

/** Null if one of the turns gives an invalid number. */
export function searchesOf(turns: readonly Message[]): number | null {
  return totalOf(turns.map(({ usage }) => countOrNone(objectIn(usage.server_tool_use).web_search_requests)));
}

/** A fetch costs only its tokens. We request no caching, so cache writes are counted as plain input. */
export function usageOf(turns: readonly Message[]): Usage {
  const usages = turns.map(({ usage }) => usage);
  const cached = totalOf(usages.map((usage) => countOrNone(usage.cache_read_input_tokens)));
  const uncached = usages.flatMap((usage) => [countIn(usage.input_tokens), countOrNone(usage.cache_creation_input_tokens)]);
  return {
    inputTokens: totalOf([...uncached, cached]),
    cachedInputTokens: cached,
    outputTokens: totalOf(usages.map(({ output_tokens }) => countIn(output_tokens))),
    searches: searchesOf(turns),
  };
}
