import { TOKENS_PER_PRICE, type Prices } from './prices';
import { ProviderError } from './research-provider';

export interface Wanted {
  /** Upper bound of the tokens sent: the prompt's length in bytes, since no tokenizer produces more tokens than bytes. */
  promptTokens: number;
  outputTokens: number;
  searches: number;
  /** With fewer, a run is useless. Equals `searches` for an API that cannot limit them. */
  fewestSearches: number;
  /** The input tokens of one search and of the pages read because of it. */
  inputTokensPerSearch: number;
}

export interface Allowance {
  outputTokens: number;
  searches: number;
}

/** With fewer there is no report: a model that reasons first would use them up before it writes. */
const MIN_OUTPUT_TOKENS = 1000;

/**
 * The largest limits, up to the wanted ones, whose worst case at these prices fits an amount: at least the fewest searches and a short answer, and
 * beyond that both in the wanted proportion. Null if the amount is too small even for the least.
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

/** The limits of a new run. @throws ProviderError `invalid_request`, uncharged, if the reservation is too small */
export function allowanceOf(reservedMicros: number, prices: Prices, wanted: Wanted): Allowance {
  const allowance = allowanceWithin(reservedMicros, prices, wanted);
  if (allowance) return allowance;
  const message =
    `The reservation of ${reservedMicros} micro-dollars is below the ${worstCase(leastOf(wanted), prices, wanted)} that the shortest ` +
    'answer to this question may cost at the configured prices: raise minReserveCents of this provider';
  throw new ProviderError('invalid_request', message, { runEnded: true, charge: { micros: 0, provenance: 'computed' } });
}

function leastOf({ outputTokens, fewestSearches }: Wanted): Allowance {
  return { outputTokens: Math.min(MIN_OUTPUT_TOKENS, outputTokens), searches: fewestSearches };
}

function worstCase({ outputTokens, searches }: Allowance, prices: Prices, { promptTokens, inputTokensPerSearch }: Wanted): number {
  const inputTokens = promptTokens + searches * inputTokensPerSearch;
  const tokens = inputTokens * prices.inputMicrosPerMillionTokens + outputTokens * prices.outputMicrosPerMillionTokens;
  return Math.ceil(tokens / TOKENS_PER_PRICE) + searches * prices.perSearchMicros;
}
