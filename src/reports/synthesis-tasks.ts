import { writtenReport } from '@lib/domain/job/recorded-report';
import { briefOf } from '@lib/synthesis/brief';
import { checkSummary } from '@lib/synthesis/summary/check';
import { sheetOf } from '@lib/synthesis/summary/claim-sheet';
import { synthesizeWithSummary } from '@lib/synthesis/summary/summary';
import { proposalPrompt } from '@lib/synthesis/proposals/prompt';
import { verifyProposals } from '@lib/synthesis/proposals/verify';
import type { Synthesis } from '@lib/synthesis/synthesis';
import { synthesize } from '@lib/synthesis/synthesize';
import { answerCalls } from './answer-calls';

const written = ({ synthesizer, ...report }: Synthesis) => ({ synthesizer, report: writtenReport(report) });

/** Computations on a job's reports. They are CPU-bound, so they run in the threads of `ReportPool`. */
export const SYNTHESIS_TASKS = {
  synthesize: (...given: Parameters<typeof synthesize>) => written(synthesize(...given)),
  brief: briefOf,
  proposalPrompt,
  verifyProposals,
  claimSheet: sheetOf,
  checkSummary,
  synthesizeWithSummary: (...given: Parameters<typeof synthesizeWithSummary>) => written(synthesizeWithSummary(...given)),
};

/** Loaded in a report thread, which receives calls of these tasks. */
export default answerCalls(SYNTHESIS_TASKS);
