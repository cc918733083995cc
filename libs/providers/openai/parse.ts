import type { Charge } from '@lib/domain/money';

import { countIn, objectIn, objectsIn, parseObject } from '../json';
import { costOf, type Prices } from '../prices';
import type { RawResponse, ResearchReport } from '../research-provider';
import { reportOf } from '../responses-api';
import type { Response, ResponseUsage } from './wire';

/**
 * Reads a finished response.
 * @param estimateMicros the charge to assume where usage is missing
 * @throws ProviderError if there is no report, with the charge where it is known
 */
export function parseResponse(raw: RawResponse, prices: Prices, estimateMicros: number): ResearchReport {
  const response: Response = parseObject(raw);
  return reportOf(response, chargeOf(response, prices, estimateMicros));
}

/** OpenAI does not report charges, so they come from the price table. */
function chargeOf({ usage, output }: Response, prices: Prices, estimateMicros: number): Charge {
  const { input_tokens, input_tokens_details, output_tokens }: ResponseUsage = objectIn(usage);
  const counts = {
    inputTokens: countIn(input_tokens),
    cachedInputTokens: countIn(objectIn(input_tokens_details).cached_tokens),
    outputTokens: countIn(output_tokens),
    searches: searchesIn(output),
  };
  return costOf(counts, prices, estimateMicros);
}

/** Counts paid searches. Opening a page or searching within it is free. */
function searchesIn(output: unknown): number {
  const calls = objectsIn(output).filter(({ type }) => type === 'web_search_call');
  return calls.filter(({ action }) => (objectIn(action).type ?? 'search') === 'search').length;
}
