import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { CLAIM_ID_PATTERN } from '@lib/domain/claim-id';
import { CONFIDENCES, PROVIDERS, type Confidence, type ProviderId } from '@lib/domain/vocabulary';

import { Enumeration, Identifier, ListOf, Text } from './schema';

export const EXAMPLE_CLAIM_ID = 'clm_01jd6xw8k2e4zvq7h3m5n9p0rs_1';

const ClaimIdentifier = (): PropertyDecorator => ApiProperty({ type: String, pattern: CLAIM_ID_PATTERN, example: EXAMPLE_CLAIM_ID });

/** A source that the quotes behind a claim cite. */
@ApiSchema({ name: 'ClaimSource' })
export class ClaimSourceView {
  @Text('corpus:/fastify/docs/Reference/Errors.md#L10-L24')
  url!: string;

  @Text('Errors', { nullable: true })
  title!: string | null;

  /** Host of the URL; null where it has none, as for a local document. */
  @Text('fastify.dev', { nullable: true })
  domain!: string | null;

  /** ISO 8601 date or time as the provider gave it. */
  @Text('2026-05-04', { nullable: true })
  publishedAt!: string | null;

  /** Who cites it for this claim. */
  @Enumeration('ProviderId', PROVIDERS, { isArray: true })
  providers!: ProviderId[];
}

/** A claim of any job, with who stands for it and the sources that they cite. */
@ApiSchema({ name: 'ClaimListItem' })
export class ClaimListItemView {
  /** Unique among all jobs. */
  @ClaimIdentifier()
  id!: string;

  @Identifier('job')
  jobId!: string;

  @Text('An error thrown in a handler reaches the error handler of its scope.')
  content!: string;

  /**
   * The share of facts that were true among those that claims of this level stated, as measured on labelled answers. It is the same for all
   * claims of a level, and no estimate for this one.
   */
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1, example: 0.96 })
  confidence!: number;

  @Enumeration('Confidence', CONFIDENCES)
  confidenceLevel!: Confidence;

  @Enumeration('ProviderId', PROVIDERS, { isArray: true })
  supportingProviders!: ProviderId[];

  /** May be empty. */
  @Enumeration('ProviderId', PROVIDERS, { isArray: true })
  contradictingProviders!: ProviderId[];

  /** What the supporting quotes cite, each URL once; empty where they cite nothing. */
  @ListOf(ClaimSourceView)
  sources!: ClaimSourceView[];
}
