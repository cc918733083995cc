import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';

import type { SendRequest } from './service-client';

export interface Call {
  send: SendRequest;
  /** Aborted when nobody waits for the result any more, or the process stops. */
  signal: AbortSignal;
  /** Whether anybody hears of progress. */
  isFollowed: boolean;
  tellProgress: (progress: Progress) => Promise<void>;
}

export interface Progress {
  done: number;
  total: number;
  message: string;
}

/** What a tool tells: a text for a model, and the same as data for a program. */
export interface Told {
  text: string;
  data: Record<string, unknown>;
}

interface ToolOf<Input extends z.ZodObject> {
  name: string;
  title: string;
  /** For the model: when to call it, and what to do with what it tells. */
  description: string;
  input: Input;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  run: (input: z.output<Input>, call: Call) => Promise<Told>;
}

export type Tool = ToolOf<z.ZodObject>;

/** The SDK checks the arguments by `input` before it calls `run`. */
export const tool = <Input extends z.ZodObject>(definition: ToolOf<Input>): Tool => definition;

export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
