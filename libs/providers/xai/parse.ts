import { isJsonObject } from '@lib/domain/json-object';
import type { Charge } from '@lib/domain/money';

import { countIn, countOr, objectIn, objectsIn, parseObject, textIn } from '../json';
import { costOf, reportedTicks, type Prices } from '../prices';
import type { RawResponse, ResearchReport } from '../research-provider';
import { reportOf } from '../responses-api';
import type { Response, ResponseUsage, StreamEvent } from './wire';

/**
 * Reads a finished response: the last event of its stream, or the stored response.
 * @param estimateMicros the charge to assume where neither cost nor usage is reported
 * @throws ProviderError if there is no report, with the charge where it is known
 */
export function parseResponse(raw: RawResponse, prices: Prices, estimateMicros: number): ResearchReport {
  const event: StreamEvent = parseObject(raw);
  const response: Response = isJsonObject(event.response) ? event.response : event;
  const charge = chargeOf(response, prices, estimateMicros);
  const pages: unknown[] = Array.isArray(response.citations) ? response.citations : [];
  return reportOf(response, charge, { unplaced: pages.filter((url) => typeof url === 'string') });
}

function chargeOf({ usage: told, output }: Response, prices: Prices, estimateMicros: number): Charge {
  const usage: ResponseUsage = objectIn(told);
  const calls = objectsIn(output).filter(({ type }) => textIn(type)?.endsWith('_call')).length;
  const counts = {
    inputTokens: countIn(usage.input_tokens),
    cachedInputTokens: countIn(objectIn(usage.input_tokens_details).cached_tokens),
    outputTokens: countIn(usage.output_tokens),
    // Where they are not counted, those that the output shows are the least that there were.
    searches: countOr(usage.num_server_side_tools_used, calls),
  };
  return costOf(counts, prices, estimateMicros, reportedTicks(usage.cost_in_usd_ticks));
}
