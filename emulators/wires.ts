import { anthropic } from './anthropic';
import { gemini } from './gemini';
import { geminiGrounded } from './gemini-grounded';
import { openAi } from './openai';
import { openAiCompatible } from './openai-compatible';
import { perplexity } from './perplexity';
import type { Wire } from './wire';
import { xai } from './xai';

/** The APIs that can be emulated, under the names of their adapters. */
export const WIRES = {
  perplexity,
  gemini,
  'gemini-grounded': geminiGrounded,
  openai: openAi,
  xai,
  anthropic,
  'openai-compatible': openAiCompatible,
} satisfies Record<string, Wire>;

export type EmulatedApi = keyof typeof WIRES;
