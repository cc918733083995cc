import { IsIn } from 'class-validator';

import { wholeNumber } from '@lib/validation/whole-number';

import { ApiOptions, calls, pollInterval, tokens } from '../api-options';

/** The prices are used to compute limits, and to charge runs that report no cost. */
export class XaiOptions extends ApiOptions {
  override baseUrl = 'https://api.x.ai/v1';
  @tokens maxOutputTokens!: number;
  /** The API cannot limit searches: a run that makes more is stopped. */
  @calls maxSearches!: number;
  /** What one search, with the pages read because of it, adds to the input. */
  @tokens inputTokensPerSearch!: number;
  /** Whether posts on X are searched too. */
  @IsIn([true, false], { message: 'must be true or false' }) searchesX = false;
  /** Fee in micro-dollars that xAI charges for a request it refuses because of its usage guidelines. */
  @wholeNumber(0, 1_000_000_000) violationMicros = 50_000;
  /** How often a run is polled after its stream was lost. */
  @pollInterval pollMs = 5000;
}
