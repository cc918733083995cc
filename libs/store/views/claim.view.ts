import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { CLAIM_ID_PATTERN } from '@lib/domain/claim-id';
import { MEASURED_CONFIDENCE } from '@lib/domain/measured-confidence';
import { CONFIDENCES, PROVIDERS, type Confidence, type ProviderId } from '@lib/domain/vocabulary';

import { Enumeration, Identifier, Integer, ListOf, Text, Timestamp } from './schema';
import { CitationView } from './step.view';

export const EXAMPLE_CLAIM_ID = 'clm_01jd6xw8k2e4zvq7h3m5n9p0rs_1';

const ClaimIdentifier = ({ nullable }: { nullable?: boolean } = {}): PropertyDecorator =>
  ApiProperty({ type: String, pattern: CLAIM_ID_PATTERN, example: EXAMPLE_CLAIM_ID, ...(nullable && { nullable }) });

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
  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1, example: MEASURED_CONFIDENCE.high })
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

/** The claims that were found: newest job first, and within a job in the order of its report. */
@ApiSchema({ name: 'ClaimList' })
export class ClaimListView {
  @ListOf(ClaimListItemView)
  claims!: ClaimListItemView[];

  /** All claims that match within the jobs that were searched, beyond this page too; with `cursor` those behind it. */
  @Integer(1)
  total!: number;

  /** The limit that was applied: a larger one was lowered to 100. */
  @Integer(20)
  limit!: number;

  /** The offset that was applied. */
  @Integer(0)
  offset!: number;

  /** Send it as `cursor` for the next page, with the same filters, also for the jobs that were not searched; null if there are no more. */
  @Text('MS4xNzk1MjUzNDAwMDAwLmpvYl8wMWpkNnh3OGsyZTR6dnE3aDNtNW45cDBycw', { nullable: true })
  nextCursor!: string | null;

  /** How many completed jobs were searched: the newest, or the next behind `cursor`, at most 100. */
  @Integer(12)
  jobsSearched!: number;

  /** How many more could not be opened, since what is stored of them was changed. Each says which part by its own id. */
  @Integer(0)
  jobsUnreadable!: number;

  /** Whether there are older completed jobs that were not searched: go on with `nextCursor`, or name a job or a thread. */
  isCut!: boolean;
}

/** One provider's sentence for or against a claim. */
@ApiSchema({ name: 'ClaimEvidence' })
export class ClaimEvidenceView {
  @ApiProperty({ type: String, enum: ['supports', 'contradicts'], example: 'supports' })
  relation!: 'supports' | 'contradicts';

  @Enumeration('ProviderId', PROVIDERS)
  provider!: ProviderId;

  /** The step whose report holds the quote. */
  @Identifier('stp')
  stepId!: string;

  /** Exactly as the report has it: `reportMarkdown.slice(startIndex, endIndex)`. */
  @Text('Errors thrown in a handler reach the error handler of its scope [1].')
  quote!: string;

  /** Start of the quote in UTF-16 units of the step's `reportMarkdown`. */
  @Integer(0)
  startIndex!: number;

  /** End of the quote, exclusive. */
  @Integer(68)
  endIndex!: number;

  /** What the quote cites, as the report lists it. */
  @ListOf(CitationView)
  citations!: CitationView[];

  /**
   * Why the quote contradicts the claim: `polarity`, `quantity`, `direction` or `value`. Null where it supports, and for claims that were
   * recorded before cues were. A later version may know more.
   */
  @Text('quantity', { nullable: true })
  cue!: string | null;

  /** The other side of a contradiction: the quotes that say what this one contradicts. Empty where the quote supports. */
  @ApiProperty({ type: [String], example: [] })
  opposedQuotes!: string[];

  /** The claim of the same job that this quote supports, if there is one; null where the quote supports this claim. */
  @ClaimIdentifier({ nullable: true })
  opposingClaimId!: string | null;
}

/** A recorded event that a claim rests on: it stands in the history of the job. */
@ApiSchema({ name: 'ClaimEvent' })
export class ClaimEventView {
  @Identifier('evt')
  id!: string;

  /** Position in the job's history. */
  @Integer(4)
  version!: number;

  /** `StepCompleted` brought a report, `JobCompleted` the claim. */
  @Text('StepCompleted')
  type!: string;

  @Timestamp()
  occurredAt!: string;

  /** The step of the report; null for the event that brought the claim. */
  @Identifier('stp', { nullable: true })
  stepId!: string | null;

  /** `hash` of the event in the history of the job. */
  @Text('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')
  hash!: string;
}

/** A claim with everything that it rests on. */
@ApiSchema({ name: 'ClaimDetail' })
export class ClaimDetailView extends ClaimListItemView {
  @Identifier('thr')
  threadId!: string;

  /** When the job completed. */
  @Timestamp()
  createdAt!: string;

  /** What supports the claim first, then what contradicts it. */
  @ListOf(ClaimEvidenceView)
  evidence!: ClaimEvidenceView[];

  /** By version. */
  @ListOf(ClaimEventView)
  events!: ClaimEventView[];
}
