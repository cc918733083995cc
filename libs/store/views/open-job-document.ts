import type { JobState } from '@lib/domain/job/state';
import type { JobView } from './job.view';

/** Raised when an open job is shown differently. Documents of final jobs are stored and do not change. */
export const OPEN_JOB_SHAPE = 1;

type OpenJob = Pick<JobState, 'threadId' | 'status' | 'budgetTier' | 'budgetCapCents' | 'createdAt'>;

/** The job as the contract shows it until it is final. */
export const openJobDocument = (
  id: string,
  { threadId, status, budgetTier, budgetCapCents, createdAt }: OpenJob,
  query: string,
): JobView => ({
  id,
  threadId,
  status,
  budgetTier,
  budgetCapCents,
  query,
  synthesisMarkdown: null,
  synthesisClaimsJson: null,
  totalCustomerCostCents: 0,
  durationSeconds: null,
  createdAt,
  completedAt: null,
  steps: [],
});
