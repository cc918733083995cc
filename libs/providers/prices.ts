import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { MAX_CHARGE_MICROS, MICROS_PER_DOLLAR, USAGE_COUNTS, type Charge, type Usage } from '@lib/domain/money';
import { wholeNumber } from '@lib/validation/whole-number';

const micros = wholeNumber(0, 1_000_000_000);

/** Prices of a model in micro-dollars; a million of them are one dollar. */
export class TokenPrices {
  @micros inputMicrosPerMillionTokens!: number;
  @micros cachedInputMicrosPerMillionTokens!: number;
  @micros outputMicrosPerMillionTokens!: number;
}

/** Prices of an API that searches. They stand in `providers.yaml` with their date, since prices change more often than code. */
export class Prices extends TokenPrices {
  /** For each search or other paid tool call. */
  @micros perSearchMicros!: number;
}

/** The sum of counts; null if one of them is null. */
export const totalOf = (counts: readonly (number | null)[]): number | null =>
  counts.reduce((total, count) => (total === null || count === null ? null : total + count), 0);

const TICKS_PER_MICRO = 10_000;
/** The number of tokens to which a price of `TokenPrices` refers. */
export const TOKENS_PER_PRICE = 1_000_000;

/**
 * The charge of a run, with the counts from which it can be recomputed: as the provider reported it, or else by the price table. If a count is
 * missing or impossible, it is the estimate. The estimate should rather be too high: pass the reservation unless something better is known.
 */
export function costOf(usage: Usage | null, prices: Prices, estimateMicros: number, reported: Charge | null = null): Charge {
  const charge = reported ?? computed(usage, prices) ?? { micros: estimateMicros, provenance: 'estimated' };
  const counts = usage && countsOf(usage);
  if (!counts) return charge;
  return reported ? { ...charge, usage: counts } : { ...charge, usage: counts, pricesSha256: digestOf(prices) };
}

function computed(usage: Usage | null, prices: Prices): Charge | null {
  if (usage === null) return null;
  const { inputTokens, outputTokens, cachedInputTokens, searches } = usage;
  if (inputTokens === null || outputTokens === null || searches === null) return null;
  const cached = Math.min(cachedInputTokens ?? 0, inputTokens);
  const tokens =
    (inputTokens - cached) * prices.inputMicrosPerMillionTokens +
    cached * prices.cachedInputMicrosPerMillionTokens +
    outputTokens * prices.outputMicrosPerMillionTokens;
  const micros = Math.ceil(tokens / TOKENS_PER_PRICE) + searches * prices.perSearchMicros;
  const counts = [inputTokens, cached, outputTokens, searches];
  return counts.every(isCount) && Number.isSafeInteger(tokens) && isCharge(micros) ? { micros, provenance: 'computed' } : null;
}

/** The counts that can be recorded; null if the provider told no tokens. */
function countsOf(usage: Usage): Usage | null {
  const known = (value: number | null) => (value !== null && isCount(value) ? value : null);
  const counts = { ...usage };
  for (const name of USAGE_COUNTS) counts[name] = known(usage[name]);
  return counts.inputTokens === null && counts.outputTokens === null ? null : counts;
}

const digests = new WeakMap<Prices, string>();

/** SHA-256 of the table as RFC 8785 JSON. */
function digestOf(prices: Prices): string {
  const known = digests.get(prices);
  if (known !== undefined) return known;
  const digest = createHash('sha256')
    .update(canonicalize(prices) ?? '')
    .digest('hex');
  digests.set(prices, digest);
  return digest;
}

/** The charge that a provider reports in US dollars; null if it cannot be a charge. */
export function reportedDollars(dollars: unknown): Charge | null {
  return typeof dollars === 'number' ? reported(dollars * MICROS_PER_DOLLAR) : null;
}

/** Like `reportedDollars`, in xAI's ticks; a dollar has 10,000,000,000. */
export function reportedTicks(ticks: unknown): Charge | null {
  return typeof ticks === 'number' ? reported(ticks / TICKS_PER_MICRO) : null;
}

/** Rounds up, ignoring the error of binary fractions: 0.0123 dollars are 12,300. */
function reported(exact: number): Charge | null {
  const micros = Math.ceil(Number(exact.toFixed(4)));
  return exact >= 0 && isCharge(micros) ? { micros, provenance: 'reported' } : null;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Not more than the saga accepts: it would refuse a report with a larger charge, and the run would be paid for again. */
function isCharge(micros: number): boolean {
  return isCount(micros) && micros <= MAX_CHARGE_MICROS;
}
