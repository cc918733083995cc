import type { EventMeta } from '@lib/domain/event';
import type { TraceContext } from '@lib/domain/trace-context';
import type { JobLimits } from '@lib/domain/limits';
import type { Stream, StreamCommand } from '../history/aggregates';
import type { EventRecord } from '../history/event-record';
import type { RecordedRequest } from '../requests/idempotent-requests';

/** `near` is called with the possible cost of the day's jobs, once that exceeds `warningCents`. */
export interface UnitLimits extends JobLimits {
  near?: (cents: number) => void;
}

/** Commands that are committed together, all or none, on one stream or several. */
export interface Unit {
  commands: readonly StreamCommand[];
  meta: Pick<EventMeta, 'actor' | 'correlationId'> & {
    /** The trace id of the request that asks for the unit. Without a request it is that of its job. */
    traceId?: string | null;
    /** The client's address, if the deployment trusts it. A keyed digest of it is recorded. */
    clientAddress?: string | null | undefined;
    /** The span that asks for the unit. It is passed to the listeners of the commit, and not stored. */
    trace?: TraceContext | null | undefined;
  };
  /** A lease that must have run out by the database's clock when the unit commits; otherwise nothing happens. */
  endedLease?: { jobId: string; kind: string; ref: string } | undefined;
  /** How long to wait, in milliseconds, for a row that somebody else has locked; if not given, as long as for the answer. */
  lockedMs?: number | undefined;
  /** Called when the unit's turn comes. If nobody waits for it any more, it is not decided. */
  isWanted?: (() => boolean) | undefined;
  /** Recorded together with the unit's events, so that a repeated request is not executed twice. */
  request?: RecordedRequest | undefined;
  /** The limits of the tenant and of the key, where they limit new jobs. */
  limits?: readonly UnitLimits[] | undefined;
  /** Its thread is known to be deleted: jobs are erased before anything else is decided about them. */
  threadDeleted?: true;
}

export interface AppendedEvent {
  record: EventRecord;
  /** The trace of its unit. */
  trace?: TraceContext | null | undefined;
  /** The content as JSON; empty if there is none. */
  contentText: string;
}

/** The result of a unit: its current streams, and the events that it appended (none if it came too late or twice). */
export interface Outcome {
  streams: ReadonlyMap<string, Stream>;
  appended: readonly AppendedEvent[];
  /** When its first event occurred, as ISO 8601; null if it has none. Also set if an earlier try had appended it; then others may have followed. */
  at: string | null;
}

/** The length of user texts and provider answers in the unit, in UTF-16 units. It is nearly all of the memory that the unit uses. */
export function lengthOf({ commands }: Unit): number {
  let length = 0;
  for (const { command } of commands) {
    if (command.type === 'RequestJob') length += command.query.length;
    else if (command.type === 'AddMessage') length += command.content.length;
    else if (command.type === 'CompleteJob') length += command.report.json.length;
    else if (command.type === 'RecordStep' && command.result.outcome === 'completed') length += command.result.reportMarkdown.length * 2;
  }
  return length;
}
