import type { Prices } from './prices';
import { ProviderError } from './research-provider';

export interface Wanted {
  /** At most so many tokens are sent; no tokenizer makes more of a text than it has bytes. */
  promptTokens: number;
  outputTokens: number;
  searches: number;
  /** With fewer a run makes no sense; as many as `searches` for an API that cannot be told how many to make. */
  fewestSearches: number;
  /** What one search, with the pages read because of it, adds to the input. */
  inputTokensPerSearch: number;
}

export interface Allowance {
  outputTokens: number;
  searches: number;
}

/** With less than this no report can be written, and a model that thinks first would not begin to write. */
const FEWEST_OUTPUT_TOKENS = 1000;
const TOKENS_PER_PRICE = 1_000_000;

/**
 * The largest limits, never above what is wanted, whose worst case at these prices stays within an amount: the fewest searches and
 * a short answer first, then more of both in the proportion that is wanted. Null if the amount is too small even for the first.
 */
export function allowanceWithin(micros: number, prices: Prices, wanted: Wanted): Allowance | null {
  const least = leastOf(wanted);
  const leastMicros = worstCase(least, prices, wanted);
  if (micros < leastMicros) return null;
  const variable = worstCase(wanted, prices, wanted) - leastMicros;
  const share = variable === 0 ? 1 : Math.min(1, (micros - leastMicros) / variable);
  return {
    outputTokens: least.outputTokens + Math.floor((wanted.outputTokens - least.outputTokens) * share),
    searches: least.searches + Math.floor((wanted.searches - least.searches) * share),
  };
}

/** The limits of a new run. @throws ProviderError `invalid_request`, uncharged, when the reservation is too small for any */
export function allowanceOf(reservedMicros: number, prices: Prices, wanted: Wanted): Allowance {
  const allowance = allowanceWithin(reservedMicros, prices, wanted);
  if (allowance) return allowance;
  const message =
    `The reservation of ${reservedMicros} micro-dollars is below the ${worstCase(leastOf(wanted), prices, wanted)} that the shortest ` +
    'answer to this question may cost at the configured prices: raise minReserveCents of this provider';
  throw new ProviderError('invalid_request', message, { runEnded: true, charge: { micros: 0, provenance: 'computed' } });
}

function leastOf({ outputTokens, fewestSearches }: Wanted): Allowance {
  return { outputTokens: Math.min(FEWEST_OUTPUT_TOKENS, outputTokens), searches: fewestSearches };
}

function worstCase({ outputTokens, searches }: Allowance, prices: Prices, { promptTokens, inputTokensPerSearch }: Wanted): number {
  const inputTokens = promptTokens + searches * inputTokensPerSearch;
  const tokens = inputTokens * prices.inputMicrosPerMillionTokens + outputTokens * prices.outputMicrosPerMillionTokens;
  return Math.ceil(tokens / TOKENS_PER_PRICE) + searches * prices.perSearchMicros;
}
