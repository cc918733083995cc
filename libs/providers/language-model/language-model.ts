import { Allow } from 'class-validator';

import type { Charge } from '@lib/domain/money';

import { apiAddress, tokens } from '../api-options';
import { TokenPrices } from '../prices';

export interface WritingPrompt {
  /** The task. Holds no text from outside. */
  instructions: string;
  /** The material, between delimiters. */
  input: string;
}

export interface Written {
  text: string;
  /** The token limit ended the text early. */
  isCutOff: boolean;
  charge: Charge;
}

/** A model that answers a single prompt with text. If the API has a field for it, JSON is requested. */
export interface LanguageModel {
  /**
   * Makes one call whose worst case fits the amount, and never retries it.
   * @throws ProviderError if there is no text, with the charge where it is known; the signal's reason if aborted
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
