import { briefOf } from '@lib/synthesis/brief';
import { checkProse } from '@lib/synthesis/prose/check';
import { sheetOf } from '@lib/synthesis/prose/claim-sheet';
import { synthesizeWithSummary } from '@lib/synthesis/prose/lead';
import { proposalPrompt } from '@lib/synthesis/proposals/prompt';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import { synthesize } from '@lib/synthesis/synthesize';
import { answerCalls } from './answer-calls';

/** What is computed from the reports of a job. All of it takes processor time, so it runs in the threads of `ReportThreads`. */
export const SYNTHESIS_TASKS = {
  synthesize,
  brief: briefOf,
  proposalPrompt,
  verifyProposals,
  claimSheet: sheetOf,
  checkProse,
  synthesizeWithSummary,
};

/** Loaded by a thread, which is sent calls of these tasks. */
export default answerCalls(SYNTHESIS_TASKS);
