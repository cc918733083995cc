import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { BUDGET_TIERS, JOB_STATUSES, PROVIDERS, RESEARCH_MODES, STEP_STATUSES } from '@lib/domain/vocabulary';
import type { BudgetTier, JobStatus, ProviderId, ResearchMode, StepStatus } from '@lib/domain/vocabulary';

import { JobSummaryView } from './job.view';
import { ClaimListItemView, EXAMPLE_CLAIM_ID } from './claim.view';
import { BudgetCap, CustomerCost, JobCompletion, JobDuration, ParentJob, Report, ResearchQuestion } from './job-fields';
import { Enumeration, Identifier, Integer, ListOf, Text, Timestamp } from './schema';
import { CitationView } from './step.view';

/** A job in the list of all jobs. */
@ApiSchema({ name: 'JobListItem' })
export class JobListItemView extends JobSummaryView {
  @Identifier('thr')
  threadId!: string;

  @ParentJob()
  parentJobId!: string | null;

  @BudgetCap()
  budgetCapCents!: number;
}

/** One page of a tenant's jobs, newest first. */
@ApiSchema({ name: 'JobList' })
export class JobListView {
  /** May be fewer than the limit, and even none, though there are more: only `nextCursor` tells. */
  @ListOf(JobListItemView)
  jobs!: JobListItemView[];

  /** How many more of the page could not be opened, since what is stored of them was changed. Each says so by its own id. */
  @Integer(0)
  jobsUnreadable!: number;

  /** Send it as `cursor` for the next page, with the same filters; null if there are no more. */
  @Text('MTc5NTI1MzQwMDAwMC5qb2JfMDFqZDZ4dzhrMmU0enZxN2gzbTVuOXAwcnM', { nullable: true })
  nextCursor!: string | null;

  /** The limit that was applied: a larger one was lowered to 100. */
  @Integer(20)
  limit!: number;
}

/** A step as far as it is: also while the job runs. */
@ApiSchema({ name: 'JobStep' })
export class JobStepView {
  @Identifier('stp')
  id!: string;

  @Enumeration('ProviderId', PROVIDERS)
  provider!: ProviderId;

  @Enumeration('StepStatus', STEP_STATUSES)
  status!: StepStatus;

  /** Number of the explored topic that the step looks into; null for the job's own question. */
  @Integer(1, { nullable: true })
  topic!: number | null;

  /** How often it was started. */
  @Integer(1)
  attempts!: number;

  /** When it first started; null if it has not. */
  @Timestamp({ nullable: true })
  startedAt!: string | null;

  /** Null until the step has ended. */
  @Timestamp({ nullable: true })
  completedAt!: string | null;

  /** From its first start to its end; null until the step has ended, and 0 if it never started. */
  @Integer(9, { nullable: true })
  durationSeconds!: number | null;

  /** Why the step did not complete; null if it did, and until it has ended. */
  @Text('The provider did not answer in time.', { nullable: true })
  errorMessage!: string | null;

  /** The provider's report; null until the step completed, and unless `include_provider_reports=true`. */
  @Text('An error thrown in a handler reaches the error handler of its scope [1].', { nullable: true })
  reportMarkdown!: string | null;

  /** The report's sources; null where the report is. */
  @ListOf(CitationView, { nullable: true })
  citations!: CitationView[] | null;
}

/** A topic worth a job of its own: send it to the pursue route. */
@ApiSchema({ name: 'SuggestedFollowOn' })
export class SuggestedFollowOnView {
  @Text('How do plugins change the scope of an error handler?')
  topic!: string;

  /** The gap or the dispute that it would close. */
  @Text('Only provider-a speaks of plugins.')
  rationale!: string;

  /** `gap` or `dispute`. A later version may know more. */
  @Text('gap')
  kind!: string;

  /** The claims that it comes from; may be empty. */
  @ApiProperty({ type: [String], example: [EXAMPLE_CLAIM_ID] })
  claimIds!: string[];
}

/** A job on its own address: how far each step is while it runs, and what it suggests to look into next. */
@ApiSchema({ name: 'JobDetail' })
export class JobDetailView {
  @Identifier('job')
  id!: string;

  @Identifier('thr')
  threadId!: string;

  @ParentJob()
  parentJobId!: string | null;

  @Enumeration('JobStatus', JOB_STATUSES)
  status!: JobStatus;

  @Enumeration('BudgetTier', BUDGET_TIERS)
  budgetTier!: BudgetTier;

  @BudgetCap()
  budgetCapCents!: number;

  @Enumeration('ResearchMode', RESEARCH_MODES)
  researchMode!: ResearchMode;

  spideringEnabled!: boolean;

  @ResearchQuestion()
  query!: string;

  @Report()
  synthesisMarkdown!: string | null;

  @CustomerCost()
  totalCustomerCostCents!: number;

  @JobDuration()
  durationSeconds!: number | null;

  @Timestamp()
  createdAt!: string;

  /** When the first step started; null if none has. */
  @Timestamp({ nullable: true })
  startedAt!: string | null;

  @JobCompletion()
  completedAt!: string | null;

  /** Empty until the job completed. */
  @ListOf(SuggestedFollowOnView)
  suggestedFollowOns!: SuggestedFollowOnView[];

  /** In the order of the plan, also while the job runs. Null unless `include_steps=true` or `include_provider_reports=true`. */
  @ListOf(JobStepView, { nullable: true })
  steps!: JobStepView[] | null;

  /** In the order of the report; empty until the job completed. Null unless `include_claims=true`. */
  @ListOf(ClaimListItemView, { nullable: true })
  claims!: ClaimListItemView[] | null;
}
