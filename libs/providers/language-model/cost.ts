import type { Charge, Usage } from '@lib/domain/money';

import { allowanceWithin } from '../allowance';
import { costOf } from '../prices';
import { ProviderError } from '../research-provider';
import type { ConfiguredModel, WritingPrompt } from './language-model';

/** The output tokens that a call may use. @throws ProviderError `invalid_request`, uncharged, if the amount is too small */
export function outputTokensWithin(
  reservedMicros: number,
  { instructions, input }: WritingPrompt,
  { prices, maxOutputTokens }: ConfiguredModel,
): number {
  const allowance = allowanceWithin(
    reservedMicros,
    { ...prices, perSearchMicros: 0 },
    {
      promptTokens: Buffer.byteLength(instructions) + Buffer.byteLength(input),
      outputTokens: maxOutputTokens,
      searches: 0,
      fewestSearches: 0,
      inputTokensPerSearch: 0,
    },
  );
  if (allowance) return allowance.outputTokens;
  const message = `The ${reservedMicros} micro-dollars that are left for the synthesis do not cover a report: raise synthesis.reserveCents`;
  throw new ProviderError('invalid_request', message, { runEnded: true, charge: { micros: 0, provenance: 'computed' } });
}

/** The charge by the price table, or the whole reservation where usage is missing. */
export function tokenCharge(usage: Omit<Usage, 'searches'>, { prices }: ConfiguredModel, reservedMicros: number): Charge {
  return costOf({ ...usage, searches: 0 }, { ...prices, perSearchMicros: 0 }, reservedMicros);
}
