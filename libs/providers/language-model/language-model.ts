import type { Charge } from '@lib/domain/money';

import type { Prices } from '../prices';

export interface WritingPrompt {
  /** What to do, in our words alone. */
  instructions: string;
  /** The material, delimited. */
  input: string;
}

export interface Written {
  text: string;
  /** It had used up its tokens before it had said everything. */
  isCutOff: boolean;
  charge: Charge;
}

/** A model that is asked once and answers with text, usually a JSON object: the APIs that can be told so are. */
export interface LanguageModel {
  /**
   * One call whose worst case stays within the amount; it is never repeated.
   * @throws ProviderError where there is no text, with the charge where that is known; the signal's reason when it was aborted
   */
  write(prompt: WritingPrompt, reservedMicros: number, signal: AbortSignal): Promise<Written>;
}

/** Nothing is searched. */
export type TokenPrices = Omit<Prices, 'perSearchMicros'>;

export interface LanguageModelOptions {
  model: string;
  baseUrl: string;
  /** What the model thinks and what it writes, together. */
  maxOutputTokens: number;
  prices: TokenPrices;
}
