import { z } from 'zod';

import { CLAIM_ID_PATTERN } from '@lib/domain/claim-id';
import { idPattern } from '@lib/domain/ids';
import { BUDGET_TIERS, MAX_MESSAGE_CODE_POINTS, PROVIDERS, RESEARCH_MODES } from '@lib/domain/vocabulary';

/** The arguments of tools. Their descriptions are read by models; what they mean exactly is decided by the HTTP API. */
/** A code point outside the basic plane is two units of a string; the API counts code points, and so does JSON Schema. */
const UNITS_EACH = 2;
/** Clients give a call up after a minute unless they listen to its progress. */
const USUAL_WAIT_SECONDS = 45;
const MAX_WAIT_SECONDS = 300;

export const jobId = z
  .string()
  .regex(new RegExp(idPattern('job')))
  .describe('A job: job_ and 26 characters.');
export const threadId = z
  .string()
  .regex(new RegExp(idPattern('thr')))
  .describe('A thread: thr_ and 26 characters.');
export const claimId = z.string().regex(new RegExp(CLAIM_ID_PATTERN)).describe('A claim: clm_, 26 characters, _ and a number.');

export const researchText = z
  .string()
  .min(1)
  .max(MAX_MESSAGE_CODE_POINTS * UNITS_EACH)
  .meta({ maxLength: MAX_MESSAGE_CODE_POINTS });
export const limit = z.int().min(1).max(100).default(10).describe('How many entries.');
export const offset = z.int().min(0).max(1_000_000).default(0);

export const waitSeconds = z
  .int()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(USUAL_WAIT_SECONDS)
  .describe('How long to wait for the job to end. It goes on after that; call status then.');

/** How a job is to be researched. */
export const researchOptions = {
  budget: z.enum(BUDGET_TIERS).optional().describe('Spending cap, from XXS to XL; the tool providers lists them in cents.'),
  mode: z.enum(RESEARCH_MODES).optional().describe('fast takes a minute or two, methodical up to twenty minutes.'),
  providers: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(PROVIDERS.length)
    .optional()
    .describe('Who is asked; by default those of the budget. The tool providers lists them.'),
  spidering: z.boolean().optional().describe('Also follow topics that the reports mention and do not explain.'),
  idempotencyKey: z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/)
    .optional()
    .describe('Makes it safe to repeat the call: the same key with the same arguments starts no second job within 24 hours.'),
};

export const cursor = z.string().max(200).optional().describe('Where the page before said to go on.');
