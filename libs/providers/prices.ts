import { LARGEST_CHARGE_MICROS, MICROS_PER_CENT, type Charge } from '@lib/domain/money';
import { wholeNumber } from '@lib/validation/whole-number';

const micros = wholeNumber(0, 1_000_000_000);

/** What a model costs, in micro-dollars: a million of them is a dollar. */
export class TokenPrices {
  @micros inputMicrosPerMillionTokens!: number;
  @micros cachedInputMicrosPerMillionTokens!: number;
  @micros outputMicrosPerMillionTokens!: number;
}

/** What an API that searches costs. Dated in `providers.yaml`, since prices change more often than code. */
export class Prices extends TokenPrices {
  /** For each search or other paid tool call. */
  @micros perSearchMicros!: number;
}

/** What a run used according to the provider; null where it did not say. */
export interface Usage {
  /** All input tokens, cached ones included. */
  inputTokens: number | null;
  cachedInputTokens: number | null;
  /** All output tokens, those of reasoning included. */
  outputTokens: number | null;
  searches: number | null;
}

const MICROS_PER_DOLLAR = 100 * MICROS_PER_CENT;
const TICKS_PER_MICRO = 10_000;
const TOKENS_PER_PRICE = 1_000_000;

/**
 * The charge of a run by the price table. If a token count is missing or impossible, it is the estimate. That should rather be too high:
 * pass the reservation unless something better is known.
 */
export function costOf(usage: Usage | null, prices: Prices, estimateMicros: number): Charge {
  const estimated: Charge = { micros: estimateMicros, provenance: 'estimated' };
  if (usage === null) return estimated;
  const { inputTokens, outputTokens, cachedInputTokens, searches } = usage;
  if (inputTokens === null || outputTokens === null) return estimated;
  const cached = Math.min(cachedInputTokens ?? 0, inputTokens);
  const tokens =
    (inputTokens - cached) * prices.inputMicrosPerMillionTokens +
    cached * prices.cachedInputMicrosPerMillionTokens +
    outputTokens * prices.outputMicrosPerMillionTokens;
  const micros = Math.ceil(tokens / TOKENS_PER_PRICE) + (searches ?? 0) * prices.perSearchMicros;
  const counts = [inputTokens, cached, outputTokens, searches ?? 0];
  return counts.every(isCount) && Number.isSafeInteger(tokens) && isCharge(micros) ? { micros, provenance: 'computed' } : estimated;
}

/** The charge that a provider reports in US dollars; null if it cannot be a charge. */
export function reportedDollars(dollars: unknown): Charge | null {
  return typeof dollars === 'number' ? reported(dollars * MICROS_PER_DOLLAR) : null;
}

/** Likewise in ticks (xAI); a dollar has 10,000,000,000. */
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

/** At most what the saga accepts. It would refuse a report with a larger charge, and the run would be paid for again. */
function isCharge(micros: number): boolean {
  return isCount(micros) && micros <= LARGEST_CHARGE_MICROS;
}
