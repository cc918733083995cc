import { ApiSchema } from '@nestjs/swagger';

import { BUDGET_TIERS, CONFIDENCES, JOB_STATUSES, PROVIDERS, RESEARCH_MODES } from '@lib/domain/vocabulary';
import type { BudgetTier, Confidence, JobStatus, ProviderId, ResearchMode } from '@lib/domain/vocabulary';

import { Enumeration, Identifier, Integer, ListOf, Text, Timestamp } from './schema';
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

  /** The research question: the thread's first message, or the topic of a pursue. */
  @Text('How does Fastify handle an error thrown in a hook or a handler?')
  query!: string;

  /** What the customer is charged, in cents, rounded up; 0 until the job is final. */
  @Integer(12)
  totalCustomerCostCents!: number;

  /** Null until the job is final. */
  @Integer(14, { nullable: true })
  durationSeconds!: number | null;

  @Timestamp()
  createdAt!: string;

  /** Null until the job is final. */
  @Timestamp({ nullable: true })
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

  /** Spending cap of the job in cents. */
  @Integer(1500)
  budgetCapCents!: number;

  /** The research question: the thread's first message, or the topic of a pursue. */
  @Text('How does Fastify handle an error thrown in a hook or a handler?')
  query!: string;

  /** The report in Markdown; null until the job completed, and in a failed or cancelled job. */
  @Text('# Answer\n\nAn error thrown in a handler reaches the error handler of its scope [1].', { nullable: true })
  synthesisMarkdown!: string | null;

  /** The claims of the report; null until the job completed, and in a failed or cancelled job. */
  @ListOf(ClaimView, { nullable: true })
  synthesisClaimsJson!: ClaimView[] | null;

  /** What the customer is charged, in cents, rounded up; 0 until the job is final. */
  @Integer(12)
  totalCustomerCostCents!: number;

  /** Null until the job is final. */
  @Integer(14, { nullable: true })
  durationSeconds!: number | null;

  @Timestamp()
  createdAt!: string;

  /** Null until the job is final. */
  @Timestamp({ nullable: true })
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
