import { IsIn, IsInt, IsObject, IsOptional, Matches, Max, Min } from 'class-validator';

import {
  AnthropicOptions,
  apiAddress,
  GeminiGroundedOptions,
  OpenAiCompatibleOptions,
  OpenAiOptions,
  tokens,
  TokenPrices,
} from './api-options';
import { isDay, isModelName, LARGEST_RESERVE_CENTS } from './provider-entry';
import { keyOf, missingKey, type ProviderKeys } from './provider-keys';
import { SettingsError, type SettingsProblem } from './settings-error';
import { validated } from './validated';

/** Where each API lies unless the file says otherwise. */
const BASE_URLS = {
  openai: new OpenAiOptions().baseUrl,
  anthropic: new AnthropicOptions().baseUrl,
  gemini: new GeminiGroundedOptions().baseUrl,
  'openai-compatible': new OpenAiCompatibleOptions().baseUrl,
} as const;
type SynthesisAdapter = keyof typeof BASE_URLS;
const ADAPTERS = Object.keys(BASE_URLS);

/** What the file says of the model that writes the reports; without it they are written without a model. */
class SynthesisEntry {
  @IsIn(ADAPTERS, { message: `must be one of ${ADAPTERS.join(', ')}` })
  adapter!: SynthesisAdapter;

  @Matches(...isModelName)
  model!: string;

  /** Day of the prices; recorded with each claim. */
  @IsOptional()
  @Matches(...isDay)
  priceDate: string | null = null;

  /** Kept back from each job's cap. A job with a reserve is one that the model writes, so it is never 0: a model that costs nothing gives it back. */
  @IsInt({ message: 'must be a whole number of cents' })
  @Min(1, { message: 'must be at least 1 (cents); what is not needed is given back' })
  @Max(LARGEST_RESERVE_CENTS, { message: `must be at most ${LARGEST_RESERVE_CENTS} (cents)` })
  reserveCents!: number;

  /** What the model thinks and what it writes, together. */
  @tokens
  maxOutputTokens!: number;

  @IsOptional()
  @apiAddress
  baseUrl: string | null = null;

  @IsObject({ message: 'must be a mapping' })
  prices!: object;
}

export interface SynthesisSettings extends Omit<SynthesisEntry, 'baseUrl' | 'prices'> {
  baseUrl: string;
  prices: TokenPrices;
}

/** Reads the section `synthesis`; undefined if it added problems. */
export function readSynthesis(plain: unknown, problems: SettingsProblem[]): SynthesisSettings | undefined {
  const entry = validated(SynthesisEntry, plain, 'synthesis', problems);
  const prices = entry && validated(TokenPrices, entry.prices, 'synthesis.prices', problems);
  return prices && { ...entry, prices, baseUrl: entry.baseUrl ?? BASE_URLS[entry.adapter] };
}

/**
 * The key of the API that writes the reports; null for one that needs none.
 * @throws SettingsError where it is needed and not set
 */
export function synthesisKey({ adapter }: SynthesisSettings, keys: ProviderKeys): string | null {
  const missing = missingKey(adapter, keys);
  if (!missing) return keyOf(adapter, keys);
  const remedy = `must be set, for the reports are written by ${adapter}; or take the section synthesis out of the providers file`;
  throw new SettingsError('The environment', [{ name: missing, value: null, remedy }]);
}
