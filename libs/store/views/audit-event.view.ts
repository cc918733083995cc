import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { EventMeta } from '@lib/domain/event';
import { JOB_EVENT_TYPES } from '@lib/domain/job/events';
import { TENANT_EVENT_TYPES } from '@lib/domain/tenant';
import { THREAD_EVENT_TYPES } from '@lib/domain/thread';
import { Identifier, Integer, LargeInteger, ListOf, Text, exampleId } from './schema';

const DIGEST = 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7';
const EXAMPLE_META: EventMeta = {
  occurredAt: '2026-11-21T09:30:00.000Z',
  actor: 'role:saga',
  correlationId: '5f0c1e0a-6c0e-4f57-9d9c-0d8a3c9b7a11',
  causationId: null,
  traceparent: null,
};

/** The types of the events that this build records, of every kind of stream. */
export const EVENT_TYPES: readonly string[] = [...JOB_EVENT_TYPES, ...THREAD_EVENT_TYPES, ...TENANT_EVENT_TYPES];

/** An event of any stream of the tenant, in the names of the formula of its hash. Nothing that people wrote or providers answered is in it. */
@ApiSchema({ name: 'AuditEvent' })
export class AuditEventView {
  /** Its place in the log of all events, which has those of other tenants too: it grows, with gaps. */
  @LargeInteger(17)
  index!: number;

  @Identifier('evt')
  id!: string;

  /** The job, the thread, or `ten_` and the id of the tenant. */
  @Text(exampleId('job'))
  streamId!: string;

  /** Position in the stream; counts from 1 without gaps. */
  @Integer(1)
  version!: number;

  /** A later version of the service may record more types. */
  @ApiProperty({ type: String, enum: [...EVENT_TYPES], example: 'StepStarted' })
  type!: string;

  /** Version of the shape of `facts`. */
  @Integer(1)
  schemaVersion!: number;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { stepId: exampleId('stp'), attempt: 1 } })
  facts!: Record<string, unknown>;

  /** When it happened, by whom, and what it is part of: `{occurredAt, actor, correlationId, causationId, traceparent}`. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: EXAMPLE_META })
  meta!: EventMeta;

  /** When the database stored it, with microseconds; null for events of releases that did not record it. */
  @Text('2026-11-21T09:30:00.123456Z', { nullable: true })
  appendedAt!: string | null;

  /** SHA-256 of the sealed content; null if the event has none. It stays when the content is erased. */
  @Text(DIGEST, { nullable: true })
  sealedSha256!: string | null;

  /** `hash` of the event before in the stream; 64 zeros for the first. */
  @Text(DIGEST)
  prevHash!: string;

  /** SHA-256 over the bytes of `prevHash`, the RFC 8785 JSON of `{id, streamId, version, type, schemaVersion, facts, meta}`, and the bytes of
   * `sealedSha256` if any. */
  @Text(DIGEST)
  hash!: string;
}

/** A page of the feed. */
@ApiSchema({ name: 'AuditEventList' })
export class AuditEventListView {
  /** May be fewer than the limit, and even none, though there are more: the header `Link` tells. */
  @ListOf(AuditEventView)
  events!: AuditEventView[];

  /** Send it as `cursor`, with the same filters, for what comes after: at once where there is a `Link`, later where there is none. Null if there is nothing yet. */
  @Text('MTcuMDJjNTE4NjJhNDZhNDYzZQ', { nullable: true })
  cursor!: string | null;

  /** The limit that was applied: a larger one was lowered to 100. */
  @Integer(20)
  limit!: number;
}

/** As it is read. */
export interface LoggedEventRow {
  index: number;
  event_id: string;
  stream_id: string;
  version: number;
  type: string;
  schema_version: number;
  facts: Record<string, unknown>;
  meta: EventMeta;
  appended_at: string | null;
  sealed_sha256: string | null;
  prev_hash: string;
  hash: string;
}

export const auditEventView = (row: LoggedEventRow): AuditEventView => ({
  index: row.index,
  id: row.event_id,
  streamId: row.stream_id,
  version: row.version,
  type: row.type,
  schemaVersion: row.schema_version,
  facts: row.facts,
  meta: row.meta,
  appendedAt: row.appended_at,
  sealedSha256: row.sealed_sha256,
  prevHash: row.prev_hash,
  hash: row.hash,
});
