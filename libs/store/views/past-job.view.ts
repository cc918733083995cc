import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { JOB_STATUSES, type JobStatus } from '@lib/domain/vocabulary';

import { JobStepView } from './job-detail.view';
import { JobView } from './job.view';
import { Enumeration, Identifier, Integer, LargeInteger, ListOf, Text, Timestamp } from './schema';

/** What became of an amount, in micro-dollars (a millionth of a dollar): `reserved = held + committed + released + lost`. */
@ApiSchema({ name: 'PastAmounts' })
export class PastAmountsView {
  /** Taken from the rest of the cap. */
  @LargeInteger(440_000)
  reservedMicros!: number;

  /** Of it, what waits for a charge. */
  @LargeInteger(0)
  heldMicros!: number;

  /** Of it, what the customer pays. */
  @LargeInteger(330_000)
  committedMicros!: number;

  /** Of it, what was given back. */
  @LargeInteger(110_000)
  releasedMicros!: number;

  /** Of it, what was held at the end of the job, for a charge that is unknown. */
  @LargeInteger(0)
  lostMicros!: number;

  /** Charged beyond the reservation; the operator bears it. */
  @LargeInteger(0)
  overrunMicros!: number;

  /** Charged after the end of the job; the operator bears it. */
  @LargeInteger(0)
  lateMicros!: number;
}

/** The money of one paid run of a step, or of one attempt at a paid synthesis. */
@ApiSchema({ name: 'PastRun' })
export class PastRunView extends PastAmountsView {
  /** Null for the synthesis. */
  @Identifier('stp', { nullable: true })
  stepId!: string | null;

  @Integer(1)
  run!: number;

  /** What the provider charged, without markup; null if nothing was known then. */
  @LargeInteger(300_000, { nullable: true })
  billedMicros!: number | null;
}

/** The money of a job, kept anew from its events. */
@ApiSchema({ name: 'PastMoney' })
export class PastMoneyView {
  @LargeInteger(15_000_000)
  capMicros!: number;

  /** What the customer is charged; null until the job is final. */
  @LargeInteger(330_000, { nullable: true })
  chargedMicros!: number | null;

  totals!: PastAmountsView;

  @ListOf(PastRunView)
  runs!: PastRunView[];
}

/** Something that had to happen next. */
@ApiSchema({ name: 'PastAgendaEntry' })
export class PastAgendaEntryView {
  /** `dispatch step`, `lease`, `job deadline` and others. A later version may know more. */
  @Text('lease')
  kind!: string;

  /** Unique within the job and the kind. */
  @Text('stp_01jd6xw8k2e4zvq7h3m5n9p0rs#1')
  ref!: string;

  /** Null where it is not about a step. */
  @Identifier('stp', { nullable: true })
  stepId!: string | null;

  /** Of a lease, the attempt that it covers. */
  @Integer(1, { nullable: true })
  attempt!: number | null;
}

/** A job as it stood after one of its events. */
@ApiSchema({ name: 'PastJob' })
export class PastJobView {
  @Identifier('job')
  jobId!: string;

  /** The last event that counts. */
  @ApiProperty({ type: 'integer', minimum: 1, example: 7 })
  version!: number;

  /** How many events the job has by now. */
  @ApiProperty({ type: 'integer', minimum: 1, example: 9 })
  latestVersion!: number;

  /** When the event of `version` occurred. */
  @Timestamp()
  from!: string;

  /** When the next event occurred; null if there is none. */
  @Timestamp({ nullable: true })
  until!: string | null;

  @Enumeration('JobStatus', JOB_STATUSES)
  status!: JobStatus;

  /** Whether the content has been erased with its thread since. Then texts are empty or null, at every version. */
  erased!: boolean;

  /** What `GET /v1/threads/{threadId}/jobs/{jobId}` answered then, byte by byte. */
  document!: JobView;

  /** In the order of the plan, also while the job ran. */
  @ListOf(JobStepView)
  steps!: JobStepView[];

  money!: PastMoneyView;

  /** What had to happen next, without its times. */
  @ListOf(PastAgendaEntryView)
  agenda!: PastAgendaEntryView[];
}
