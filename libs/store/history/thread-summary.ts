import { initialThread } from '@lib/domain/thread';
import type { Stream } from './aggregates';

/**
 * A thread's row holds its state after the event of `version`, so that a write costs the same however long the thread is. Later events are folded
 * onto that state, since a build that knows no summaries may have appended them.
 *
 * A build uses only summaries of its own shape; otherwise it folds the history. The shape is raised with any change of the thread's state or events:
 * an older build must meet the events that it does not know, and not a summary that hides them.
 */
export const SUMMARY_SHAPE = 2;

/** Joins the summary to streams that are `known`. A thread that has events but no row any more is deleted: its last event sums it up. */
export const SUMMARY = {
  columns: 'summary.version as summary_version, thread.tenant_id, thread.created_at, thread.job_count',
  join: `left join thread on thread.id = known.stream_id and known.version = 0
    cross join lateral (select case
      when thread.shape = ${SUMMARY_SHAPE} then thread.version
      when thread.id is null and known.version = 0 and starts_with(known.stream_id, 'thr_')
        then (select max(last.version) from event last where last.stream_id = known.stream_id)
      end as version) as summary`,
};

export interface SummaryColumns {
  summary_version: number | null;
  tenant_id: string | null;
  created_at: Date | null;
  job_count: number | null;
}

/** The row of the event that a summary ends with. */
interface SummaryRow extends SummaryColumns {
  stream_id: string;
  version: number;
  at: string;
  hash: Buffer;
}

export const isSummary = ({ version, summary_version }: SummaryRow): boolean => version === summary_version;

export function summedUp({ stream_id: streamId, version, at, hash, tenant_id, created_at, job_count }: SummaryRow): Stream {
  const end = { kind: 'thread' as const, streamId, version, at, hash, traceId: null };
  if (tenant_id === null || created_at === null || job_count === null)
    return { ...end, state: { ...initialThread, version, deleted: true } };
  // Each event of a thread but its deletion sets `updatedAt`.
  const state = { version, tenantId: tenant_id, createdAt: created_at.toISOString(), updatedAt: at, jobCount: job_count, deleted: false };
  return { ...end, state };
}
