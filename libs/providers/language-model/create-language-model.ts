import { AnthropicModel } from './anthropic';
import { GeminiModel } from './gemini';
import type { LanguageModel, LanguageModelOptions } from './language-model';
import { OpenAiModel } from './openai';
import { OpenAiCompatibleModel } from './openai-compatible';

export type LanguageModelAdapter = 'openai' | 'anthropic' | 'gemini' | 'openai-compatible';

/** @param key null where there is none, which `openai-compatible` alone can do without */
export function createLanguageModel(adapter: LanguageModelAdapter, options: LanguageModelOptions, key: string | null): LanguageModel {
  if (adapter === 'openai-compatible') return new OpenAiCompatibleModel(options, key);
  if (key === null) throw new Error(`The model ${options.model} cannot be asked without a key of ${adapter}`);
  switch (adapter) {
    case 'openai':
      return new OpenAiModel(options, key);
    case 'anthropic':
      return new AnthropicModel(options, key);
    case 'gemini':
      return new GeminiModel(options, key);
  }
}
