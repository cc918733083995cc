import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { JOB_EVENT_TYPES } from '@lib/domain/job/events';
import { exampleId, Identifier, Integer, ListOf, Text, Timestamp } from './schema';

const DIGEST = {
  type: String,
  pattern: '^[0-9a-f]{64}$',
  example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
} as const;

/** One recorded event of a job, without what people wrote or providers answered. */
@ApiSchema({ name: 'JobEvent' })
export class EventView {
  @Identifier('evt')
  id!: string;

  /** Position in the job's history; counts from 1 without gaps. */
  @Integer(1)
  version!: number;

  /** A later version of the service may record more types. */
  @ApiProperty({ type: String, enum: [...JOB_EVENT_TYPES], example: 'StepStarted' })
  type!: string;

  /** Version of the shape of `facts`. */
  @Integer(1)
  schemaVersion!: number;

  @Timestamp()
  occurredAt!: string;

  /** `key:<key id>` of the API key or `role:<role>` of the process that decided. */
  @Text('role:saga')
  actor!: string;

  /** Our own id of the HTTP request or piece of work that started the chain. What the client sent as its id stands in the log alone. */
  @Text('5f0c1e0a-6c0e-4f57-9d9c-0d8a3c9b7a11')
  correlationId!: string;

  /** The event that this one reacts to; null for the first of a chain. */
  @Identifier('evt', { nullable: true })
  causationId!: string | null;

  /** Null, except in events of earlier versions of the service, which recorded the W3C trace context that the client sent. */
  @Text('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', { nullable: true })
  traceparent!: string | null;

  /** Ids, enums, amounts, durations, counts, sizes, digests, versions and dates; never content. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { stepId: exampleId('stp'), attempt: 1 } })
  facts!: Record<string, unknown>;

  /** SHA-256 of the sealed content; null if the event has none. It stays when the content is erased. */
  @ApiProperty({ ...DIGEST, nullable: true })
  contentSha256!: string | null;

  /** Whether the event had content that was erased with its thread. */
  erased!: boolean;

  /** `hash` of the event before; 64 zeros for the first. */
  @ApiProperty(DIGEST)
  prevHash!: string;

  /** SHA-256 over the bytes of `prevHash`, the RFC 8785 JSON of `{id, streamId, version, type, schemaVersion, facts, meta}` with `meta` =
   * `{occurredAt, actor, correlationId, traceparent, causationId}` and `streamId` = the job's id, and the bytes of `contentSha256` if any. */
  @ApiProperty(DIGEST)
  hash!: string;
}

/** The whole history of a job, in order. */
@ApiSchema({ name: 'JobEventList' })
export class EventListView {
  @Identifier('job')
  jobId!: string;

  @ListOf(EventView)
  events!: EventView[];
}
