import { MICROS_PER_DOLLAR } from '@lib/domain/money';

import type { Usage } from './asked';

/** Prices of an API, in dollars for a million tokens and for a search. */
export interface TokenPrices {
  input: number;
  cachedInput: number;
  output: number;
  search: number;
}

/** In micro-dollars, rounded up. A dollar per million tokens is a micro-dollar per token. */
export function tokenPrice({ input, cachedInput, output, search }: TokenPrices): (usage: Usage) => number {
  return ({ inputTokens, cachedTokens, outputTokens, searches }) => {
    const tokens = (inputTokens - cachedTokens) * input + cachedTokens * cachedInput + outputTokens * output;
    return Math.ceil(Number(tokens.toFixed(6))) + Math.round(searches * search * MICROS_PER_DOLLAR);
  };
}
