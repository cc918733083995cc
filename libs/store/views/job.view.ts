import { ApiSchema } from '@nestjs/swagger';

import { BUDGET_TIERS, CONFIDENCES, JOB_STATUSES, PROVIDERS, RESEARCH_MODES } from '@lib/domain/vocabulary';
import type { BudgetTier, Confidence, JobStatus, ProviderId, ResearchMode } from '@lib/domain/vocabulary';

import { BudgetCap, CustomerCost, JobCompletion, JobDuration, Report, ResearchQuestion } from './job-fields';
import { Enumeration, Identifier, ListOf, Text, Timestamp } from './schema';
import { StepView } from './step.view';

/** A job as the thread's detail lists it. */
@ApiSchema({ name: 'JobSummary' })
export class JobSummaryView {
  @Identifier('job')
  id!: string;

  @Enumeration('JobStatus', JOB_STATUSES)
  status!: JobStatus;

  @Enumeration('BudgetTier', BUDGET_TIERS)
  budgetTier!: BudgetTier;

  @ResearchQuestion()
  query!: string;

  @CustomerCost()
  totalCustomerCostCents!: number;

  @JobDuration()
  durationSeconds!: number | null;

  @Timestamp()
  createdAt!: string;

  @JobCompletion()
  completedAt!: string | null;
}

/** A statement of the synthesis and who stands for it. */
@ApiSchema({ name: 'Claim' })
export class ClaimView {
  @Text('An error thrown in a handler reaches the error handler of its scope.')
  claim!: string;

  @Enumeration('Confidence', CONFIDENCES)
  confidence!: Confidence;

  @Enumeration('ProviderId', PROVIDERS, { isArray: true })
  supportingProviders!: ProviderId[];

  /** May be empty. */
  @Enumeration('ProviderId', PROVIDERS, { isArray: true })
  contradictingProviders!: ProviderId[];
}

/** A research job. Until it is final it shows no steps, no synthesis, cost 0 and null duration and completion time. */
@ApiSchema({ name: 'Job' })
export class JobView {
  @Identifier('job')
  id!: string;

  @Identifier('thr')
  threadId!: string;

  @Enumeration('JobStatus', JOB_STATUSES)
  status!: JobStatus;

  @Enumeration('BudgetTier', BUDGET_TIERS)
  budgetTier!: BudgetTier;

  @BudgetCap()
  budgetCapCents!: number;

  @ResearchQuestion()
  query!: string;

  @Report()
  synthesisMarkdown!: string | null;

  /** The claims of the report; null until the job completed, and in a failed or cancelled job. */
  @ListOf(ClaimView, { nullable: true })
  synthesisClaimsJson!: ClaimView[] | null;

  @CustomerCost()
  totalCustomerCostCents!: number;

  @JobDuration()
  durationSeconds!: number | null;

  @Timestamp()
  createdAt!: string;

  @JobCompletion()
  completedAt!: string | null;

  /** Empty until the job is final; then every planned step, also those that were skipped. */
  @ListOf(StepView)
  steps!: StepView[];
}

/** A new job that follows on from another one. */
@ApiSchema({ name: 'JobPursued' })
export class JobPursuedView {
  @Identifier('job')
  id!: string;

  @Identifier('thr')
  threadId!: string;

  /** The job in the path. */
  @Identifier('job')
  parentJobId!: string;

  /** Exactly as it was sent. */
  @Text('How do plugins change the scope of an error handler?')
  topic!: string;

  @Enumeration('JobStatus', JOB_STATUSES)
  status!: JobStatus;

  @Enumeration('BudgetTier', BUDGET_TIERS)
  budgetTier!: BudgetTier;

  @Enumeration('ResearchMode', RESEARCH_MODES)
  researchMode!: ResearchMode;

  @Timestamp()
  createdAt!: string;
}
