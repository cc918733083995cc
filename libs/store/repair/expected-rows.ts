import { agendaKey, agendaOf } from '@lib/domain/job/agenda';
import type { JobState } from '@lib/domain/job/state';
import type { TenantState } from '@lib/domain/tenant';
import type { ThreadState } from '@lib/domain/thread';
import { jobRow } from '../views/job-row';
import type { ViewRow } from './view-row';

/** A document's value in comparisons; it is sealed, so nothing else can be compared. */
export const DOCUMENT = { sealed: 'sealed', none: 'none', unreadable: 'cannot be opened' };

/** The summary in a thread's row: its history up to a version. */
export interface ThreadSummed {
  version: number | null;
  jobCount: number | null;
}

/** @param lastEnd when the last of its jobs ended, which moves the thread too */
export function threadRow(streamId: string, state: ThreadState, lastEnd: string | null, summed: ThreadSummed): ViewRow[] {
  if (state.deleted) return [];
  const { tenantId, createdAt, updatedAt } = state;
  const moved = lastEnd !== null && lastEnd > updatedAt ? lastEnd : updatedAt;
  return [{ view: 'thread', key: streamId, streamId, columns: { tenantId, createdAt, updatedAt: moved, ...summed } }];
}

export function jobRows(streamId: string, state: JobState, leaseMs: number): ViewRow[] {
  const { tenantId } = state;
  const { id: _, ...columns } = jobRow(streamId, state);
  const document = state.totals === null ? DOCUMENT.none : DOCUMENT.sealed;
  const job: ViewRow[] = state.erased ? [] : [{ view: 'job', key: streamId, streamId, columns: { ...columns, document } }];
  const agenda = agendaOf(state, leaseMs).map((entry): ViewRow => {
    const { stepId, attempt, provider, run } = entry;
    return { view: 'agenda', key: `${streamId} ${agendaKey(entry)}`, streamId, columns: { tenantId, stepId, attempt, provider, run } };
  });
  return [...job, ...agenda];
}

/** The rows of a tenant's keys are sealed, so differences in them are reported, not repaired. */
export function tenantRows(streamId: string, { tenantId, keys, limits }: TenantState): ViewRow[] {
  const own = new Map(limits.filter((one) => Object.keys(one.limits).length > 0).map((one) => [one.keyId, one.limits]));
  const ofTenant = own.get(null);
  return [
    ...keys.map(({ keyId, scopes, createdAt, expiresAt, revokedAt }): ViewRow => ({
      ...{ view: 'key', key: keyId, streamId },
      columns: { tenantId, scopes, createdAt, expiresAt, revokedAt, limits: own.get(keyId) ?? null },
    })),
    ...(ofTenant ? [{ view: 'limits' as const, key: `${tenantId}/`, streamId, columns: { limits: ofTenant } }] : []),
  ];
}

/** The entry by which the rest of a deleted thread is erased. */
export const erasureRow = (streamId: string, tenantId: string | null): ViewRow => ({
  ...{ view: 'agenda', key: `${streamId} erase thread/`, streamId },
  columns: { ...(tenantId !== null && { tenantId }), stepId: null, attempt: null, provider: null, run: null },
});
