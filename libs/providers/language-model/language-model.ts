import { Allow } from 'class-validator';

import type { Charge } from '@lib/domain/money';

import { apiAddress, tokens } from '../api-options';
import { TokenPrices } from '../prices';

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

export class LanguageModelOptions {
  @apiAddress baseUrl!: string;
  /** For reasoning and answer together. */
  @tokens maxOutputTokens!: number;
  @Allow() prices = new TokenPrices();
}

export interface ConfiguredModel extends LanguageModelOptions {
  model: string;
}
