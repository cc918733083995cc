import { IsIn } from 'class-validator';

import { wholeNumber } from '@lib/validation/whole-number';

import { ApiOptions, calls, pollInterval, tokens } from '../api-options';

/** The prices are used to compute limits, and to charge runs that report no cost. */
export class XaiOptions extends ApiOptions {
  override baseUrl = 'https://api.x.ai/v1';
  @tokens maxOutputTokens!: number;
  /** The API cannot limit searches: a run that makes more is stopped. */
  @calls maxSearches!: number;
  /** The input tokens of one search and of the pages read because of it. */
  @tokens inputTokensPerSearch!: number;
  /** Whether posts on X are searched too. */
  @IsIn([true, false], { message: 'must be true or false' }) searchesX = false;
  /** The fee of xAI for a request that its usage guidelines forbid, charged although the request is refused; in micro-dollars. */
  @wholeNumber(0, 1_000_000_000) violationMicros = 50_000;
  /** The time between two polls of a run whose stream was lost. */
  @pollInterval pollMs = 5000;
}
