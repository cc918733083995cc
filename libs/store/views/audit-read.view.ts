import { ApiSchema } from '@nestjs/swagger';
import { exampleId, Integer, ListOf, Text, Timestamp } from './schema';

/** A request to one of the routes for auditors. */
@ApiSchema({ name: 'AuditRead' })
export class AuditReadView {
  @Text('k3f9a0c2d1e4')
  keyId!: string;

  /** As this document names it. */
  @Text('/v1/audit/jobs/{jobId}')
  route!: string;

  /** The job, thread or stream that was asked for; null where it was none in particular. */
  @Text(exampleId('job'), { nullable: true })
  resource!: string | null;

  /** The service’s own id of the request. */
  @Text('5f0c1e0a-6c0e-4f57-9d9c-0d8a3c9b7a11')
  requestId!: string;

  /** Of the client; null unless the deployment trusts a proxy to say it. */
  @Text('203.0.113.7', { nullable: true })
  address!: string | null;

  /** When it was recorded, which is before it was answered. */
  @Timestamp()
  readAt!: string;
}

/** A page of the trail. */
@ApiSchema({ name: 'AuditReadList' })
export class AuditReadListView {
  @ListOf(AuditReadView)
  reads!: AuditReadView[];

  /** The limit that was applied: a larger one was lowered to 100. */
  @Integer(20)
  limit!: number;

  /** Send it as `cursor` for the next page, with the same `keyId`; null if there are no more. */
  @Text('4711', { nullable: true })
  nextCursor!: string | null;
}
