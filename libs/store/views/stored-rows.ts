import type { EventMeta } from '@lib/domain/event';
import type { BudgetTier, JobStatus, MessageRole } from '@lib/domain/vocabulary';
import type { EventView } from './event.view';
import type { JobSummaryView } from './job.view';
import type { ThreadListItemView } from './thread.view';

/** The rows that the views read, and how each is shown. */
const THREADS = (after: string): string =>
  `select id, created_at, updated_at from thread where tenant_id = $1 ${after} order by created_at desc, id desc limit $2 offset $3`;
export const FIRST_THREADS = THREADS('');
export const THREADS_AFTER = THREADS('and (created_at, id) < ($4::timestamptz, $5::text)');
/** The newest first, so that no more rows are read than are asked for. */
export const MESSAGES = `select id, version, role, created_at from message where thread_id = $1 order by version desc limit $2`;
/** The message that the event of a version added, or the first one after it. */
export const MESSAGE = `select message.id, message.version, role, message.created_at from message join thread on thread.id = thread_id
  where thread_id = $1 and message.version >= $2 order by message.version limit 1`;
export const EVENT_COLUMNS = `event_id, event.version, type, schema_version, facts, meta, sealed is null as erased,
    encode(sealed_sha256, 'hex') as digest, encode(prev_hash, 'hex') as prev_hash, encode(hash, 'hex') as hash`;
export const EVENTS = `select ${EVENT_COLUMNS}
  from event where stream_id = (select job.id from job join thread on thread.id = job.thread_id where job.tenant_id = $1 and thread_id = $2 and job.id = $3) order by version`;

export interface ThreadRow {
  id: string;
  created_at: Date;
  updated_at: Date;
}
export interface MessageRow {
  id: string;
  version: number;
  role: MessageRole;
  created_at: Date;
}
export interface JobSummaryRow {
  id: string;
  version: number;
  status: JobStatus;
  budget_tier: BudgetTier;
  cost_cents: number;
  created_at: Date;
  completed_at: Date | null;
}
export interface EventRow {
  event_id: string;
  version: number;
  type: string;
  schema_version: number;
  facts: Record<string, unknown>;
  meta: EventMeta;
  erased: boolean;
  digest: string | null;
  prev_hash: string;
  hash: string;
}

export const threadItem = ({ id, created_at: createdAt, updated_at: updatedAt }: ThreadRow, title: string): ThreadListItemView => ({
  id,
  title,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const jobSummary = (row: JobSummaryRow, query: string): JobSummaryView => ({
  id: row.id,
  status: row.status,
  budgetTier: row.budget_tier,
  query,
  totalCustomerCostCents: row.cost_cents,
  durationSeconds: row.completed_at && Math.round((row.completed_at.getTime() - row.created_at.getTime()) / 1000),
  createdAt: row.created_at.toISOString(),
  completedAt: row.completed_at?.toISOString() ?? null,
});

export const eventView = (row: EventRow): EventView => ({
  id: row.event_id,
  version: row.version,
  type: row.type,
  schemaVersion: row.schema_version,
  occurredAt: row.meta.occurredAt,
  actor: row.meta.actor,
  correlationId: row.meta.correlationId,
  causationId: row.meta.causationId,
  traceparent: row.meta.traceparent,
  facts: row.facts,
  contentSha256: row.digest,
  erased: row.digest !== null && row.erased,
  prevHash: row.prev_hash,
  hash: row.hash,
});
