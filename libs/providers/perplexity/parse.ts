import { isJsonObject, type JsonObject } from '@lib/domain/json-object';
import type { Charge } from '@lib/domain/money';

import { countIn, countOr, objectIn, objectsIn, parseObject, textIn } from '../json';
import { costOf, reportedDollars, type Prices } from '../prices';
import type { RawResponse, ResearchReport } from '../research-provider';
import { reportOf } from '../responses-api';
import type { GivenSource } from '../source-register';
import type { Response, ResponseUsage, SearchResult } from './wire';

/**
 * Reads a finished response.
 * @param estimateMicros the charge to assume where neither cost nor usage is reported
 * @throws ProviderError if there is no report, with the charge where it is known
 */
export function parseResponse(raw: RawResponse, prices: Prices, estimateMicros: number): ResearchReport {
  const response: Response = parseObject(raw);
  const charge = chargeOf(response, prices, estimateMicros);
  return reportOf(response, charge, { numbered: searchResults(response.output) });
}

/** The sources of the marks in the text. A number that two searches gave to different pages stands for neither. */
function searchResults(output: unknown): Map<number, GivenSource> {
  const results = new Map<number, GivenSource>();
  const ambiguous = new Set<number>();
  const items = objectsIn(output).filter(({ type }) => type === 'search_results');
  for (const result of items.flatMap((item): SearchResult[] => objectsIn(item.results))) {
    const number = countIn(result.id);
    const url = textIn(result.url);
    if (number === null || url === null) continue;
    if ((results.get(number)?.url ?? url) !== url) ambiguous.add(number);
    results.set(number, { url, title: textIn(result.title), snippet: textIn(result.snippet), publishedAt: textIn(result.date) });
  }
  for (const number of ambiguous) results.delete(number);
  return results;
}

function chargeOf({ usage: told, output }: Response, prices: Prices, estimateMicros: number): Charge {
  const usage: ResponseUsage = objectIn(told);
  const { currency = 'USD', total_cost } = objectIn(usage.cost);
  const reported = currency === 'USD' ? reportedDollars(total_cost) : null;
  const counts = {
    inputTokens: countIn(usage.input_tokens),
    cachedInputTokens: countIn(objectIn(usage.input_tokens_details).cache_read_input_tokens),
    outputTokens: countIn(usage.output_tokens),
    searches: searchesIn(usage.tool_calls_details, output),
  };
  return costOf(counts, prices, estimateMicros, reported);
}

/** Where they are not counted, those that the output shows are the least that there were. Null if the count cannot be read. */
function searchesIn(calls: unknown, output: unknown): number | null {
  const shown = objectsIn(output).filter(({ type }) => type === 'search_results').length;
  const told = objectOrNone(calls) && objectOrNone(objectIn(calls).web_search);
  return told && countOr(told.invocation, shown);
}

/** Null for what is no object, unless it is not there at all. */
const objectOrNone = (value: unknown): JsonObject | null =>
  value === undefined || value === null || isJsonObject(value) ? objectIn(value) : null;
