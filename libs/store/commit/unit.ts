import type { EventMeta } from '@lib/domain/event';
import type { StreamCommand } from '../history/aggregates';

/** Commands that are committed together, all or none, on one stream or several. */
export interface Unit {
  commands: readonly StreamCommand[];
  meta: Pick<EventMeta, 'actor' | 'correlationId' | 'traceparent'>;
  /** A lease that must have run out on the database's clock when the unit commits; otherwise nothing happens. */
  endedLease?: { jobId: string; kind: string; ref: string };
  /** A thread whose content goes with this unit: its key, its views and every sealed byte of the unit's streams. */
  erasedThread?: string;
}
