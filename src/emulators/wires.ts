import { anthropic } from './anthropic';
import { gemini } from './gemini';
import { geminiGrounded } from './gemini-grounded';
import { openAiCompatible } from './openai-compatible';
import type { Wire } from './wire';

/** The APIs that can be emulated, under the names of their adapters. */
export const WIRES = { gemini, 'gemini-grounded': geminiGrounded, anthropic, 'openai-compatible': openAiCompatible } satisfies Record<
  string,
  Wire
>;

export type EmulatedApi = keyof typeof WIRES;
