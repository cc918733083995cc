import { ApiSchema } from '@nestjs/swagger';

import { BUDGET_TIERS, JOB_STATUSES, MESSAGE_ROLES, RESEARCH_MODES } from '@lib/domain/vocabulary';
import type { BudgetTier, JobStatus, MessageRole, ResearchMode } from '@lib/domain/vocabulary';

import { JobSummaryView } from './job.view';
import { MessageView } from './message.view';
import { BudgetCap } from './job-fields';
import { Enumeration, Identifier, Integer, ListOf, Text, Timestamp } from './schema';

/** A thread in the list. */
@ApiSchema({ name: 'ThreadListItem' })
export class ThreadListItemView {
  @Identifier('thr')
  id!: string;

  /** The first message on one line; a long one is cut and ends with `...`. */
  @Text('How does Fastify handle an error thrown in a h...')
  title!: string;

  @Timestamp()
  createdAt!: string;

  /** Moves with a message, a pursue and a job's final state. */
  @Timestamp()
  updatedAt!: string;
}

/** One page of a tenant's threads, newest first. */
@ApiSchema({ name: 'ThreadList' })
export class ThreadListView {
  @ListOf(ThreadListItemView)
  threads!: ThreadListItemView[];

  /** How many more of the page could not be opened, since what is stored of them was changed. Each says so by its own id. */
  @Integer(0)
  threadsUnreadable!: number;

  /** The limit that was applied: a larger one was lowered to 100. */
  @Integer(20)
  limit!: number;

  /** The offset that was applied. */
  @Integer(0)
  offset!: number;

  /** Send it as `cursor` for the next page; null if there are no more. */
  @Text('MTc5NTI1MzQwMDAwMC50aHJfMDFqZDZ4dzhrMmU0enZxN2gzbTVuOXAwcnM', { nullable: true })
  nextCursor!: string | null;
}

/** A thread with its messages and job summaries. */
@ApiSchema({ name: 'ThreadDetail' })
export class ThreadDetailView extends ThreadListItemView {
  /** In chronological order. */
  @ListOf(MessageView)
  messages!: MessageView[];

  /** In chronological order: the newest is the last one. */
  @ListOf(JobSummaryView)
  jobs!: JobSummaryView[];
}

/** The first message of a new thread. */
@ApiSchema({ name: 'FirstMessage' })
export class FirstMessageView {
  @Identifier('msg')
  id!: string;

  @Enumeration('MessageRole', MESSAGE_ROLES)
  role!: MessageRole;

  /** Exactly as it was sent. */
  @Text('How does Fastify handle an error thrown in a hook or a handler?')
  content!: string;
}

/** The job that a new thread starts. */
@ApiSchema({ name: 'FirstJob' })
export class FirstJobView {
  @Identifier('job')
  id!: string;

  @Enumeration('JobStatus', JOB_STATUSES)
  status!: JobStatus;

  @Enumeration('BudgetTier', BUDGET_TIERS)
  budgetTier!: BudgetTier;

  @BudgetCap()
  budgetCapCents!: number;

  @Enumeration('ResearchMode', RESEARCH_MODES)
  researchMode!: ResearchMode;

  spideringEnabled!: boolean;
}

/** A new thread with its first message and the job that was started. */
@ApiSchema({ name: 'ThreadCreated' })
export class ThreadCreatedView {
  @Identifier('thr')
  id!: string;

  /** The message on one line; a long one is cut and ends with `...`. */
  @Text('How does Fastify handle an error thrown in a h...')
  title!: string;

  message!: FirstMessageView;

  job!: FirstJobView;

  @Timestamp()
  createdAt!: string;
}

/** The answer to a deletion. */
@ApiSchema({ name: 'ThreadDeleted' })
export class ThreadDeletedView {
  /** Always true: a thread that cannot be deleted is an error. */
  deleted!: boolean;
}
