import type { Charge, Usage } from '@lib/domain/money';

import { countIn, objectIn } from '../json';
import { costOf, type Prices } from '../prices';
import type { Message } from './wire';

/** The cost of an answer over all its turns; an estimate if one of them lacks usage. */
export function chargeOf(turns: readonly Message[], prices: Prices, estimateMicros: number): Charge {
  return costOf(usageOf(turns), prices, estimateMicros);
}

export function searchesOf(turns: readonly Message[]): number {
  return turns.reduce((sum, { usage }) => sum + (countIn(objectIn(usage.server_tool_use).web_search_requests) ?? 0), 0);
}

/** A fetch costs only its tokens. We cache nothing, so cache writes need no price. */
export function usageOf(turns: readonly Message[]): Usage {
  const usages = turns.map(({ usage }) => usage);
  const cached = usages.map((usage) => countIn(usage.cache_read_input_tokens) ?? 0);
  const uncached = usages.map(({ input_tokens, cache_creation_input_tokens }) => {
    const input = countIn(input_tokens);
    return input === null ? null : input + (countIn(cache_creation_input_tokens) ?? 0);
  });
  return {
    inputTokens: sum([...uncached, ...cached]),
    cachedInputTokens: sum(cached),
    outputTokens: sum(usages.map(({ output_tokens }) => countIn(output_tokens))),
    searches: searchesOf(turns),
  };
}

/** Null if one of the counts is null. */
function sum(counts: readonly (number | null)[]): number | null {
  return counts.reduce((total, count) => (total === null || count === null ? null : total + count), 0);
}
