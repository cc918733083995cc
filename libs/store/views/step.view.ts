import { ApiSchema } from '@nestjs/swagger';

import type { Citation } from '@lib/domain/citation';
import { PROVIDERS, STEP_STATUSES, type ProviderId, type StepStatus } from '@lib/domain/vocabulary';

import { Enumeration, Identifier, Integer, ListOf, Text, Timestamp } from './schema';

/** A source that a provider returned. */
@ApiSchema({ name: 'Citation' })
export class CitationView implements Citation {
  /** The number that the report's mark `[n]` carries; counts from 1. */
  @Integer(1)
  index!: number;

  @Text('corpus:/fastify/docs/Reference/Errors.md#L10-L24')
  url!: string;

  @Text('Errors', { nullable: true })
  title!: string | null;

  /** The passage of the source that the provider quoted. */
  @Text('Uncaught errors are likely to cause memory leaks.', { nullable: true })
  snippet!: string | null;

  /** Start of the span of the report that this source backs, in UTF-16 units of `reportMarkdown`. */
  @Integer(0, { nullable: true })
  startIndex!: number | null;

  /** End of that span, exclusive. */
  @Integer(72, { nullable: true })
  endIndex!: number | null;

  /** ISO 8601 date or time as the provider gave it. */
  @Text('2026-05-04', { nullable: true })
  publishedAt!: string | null;

  /** Host of the URL; null where it has none, as for a local document. */
  @Text('fastify.dev', { nullable: true })
  domain!: string | null;
}

/** One provider's work within a job. */
@ApiSchema({ name: 'Step' })
export class StepView {
  @Identifier('stp')
  id!: string;

  @Enumeration('ProviderId', PROVIDERS)
  provider!: ProviderId;

  @Enumeration('StepStatus', STEP_STATUSES)
  status!: StepStatus;

  /** The provider's report; empty if the step did not complete. */
  @Text('An error thrown in a handler reaches the error handler of its scope [1].')
  reportMarkdown!: string;

  @ListOf(CitationView)
  citations!: CitationView[];

  /** 0 if the step never started. */
  @Integer(9)
  durationSeconds!: number;

  /** Why the step did not complete; null if it did. */
  @Text('The provider did not answer in time.', { nullable: true })
  errorMessage!: string | null;

  @Timestamp({ description: 'When it was planned: with its job, or later for a step on a follow-on topic.' })
  createdAt!: string;

  @Timestamp()
  completedAt!: string;
}
