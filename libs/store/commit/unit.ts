import type { EventMeta } from '@lib/domain/event';
import type { TraceContext } from '@lib/domain/trace-context';
import type { JobLimits } from '@lib/domain/limits';
import type { Stream, StreamCommand } from '../history/aggregates';
import type { EventRecord } from '../history/event-record';
import type { KeyedRequest } from '../requests/keyed-requests';

/** `near` is told what the jobs may cost today, once that is more than is warned of. */
export interface UnitLimits extends JobLimits {
  near?: (cents: number) => void;
}

/** Commands that are committed together, all or none, on one stream or several. */
export interface Unit {
  commands: readonly StreamCommand[];
  meta: Pick<EventMeta, 'actor' | 'correlationId'> & {
    /** Of the request that it comes from; what no request asks for goes on with that of its job. */
    traceId?: string | null;
    /** Of the client, where the deployment trusts it. A keyed digest of it is recorded. */
    clientAddress?: string | null | undefined;
    /** Where in a trace it is asked for; told to those who hear of the commit, and not stored. */
    trace?: TraceContext | null | undefined;
  };
  /** A lease that must have run out on the database's clock when the unit commits; otherwise nothing happens. */
  endedLease?: { jobId: string; kind: string; ref: string } | undefined;
  /** Asked when the unit's turn comes: what nobody waits for any more is not decided. */
  isWanted?: (() => boolean) | undefined;
  /** Recorded with what the unit does, so that the same request is not done twice. */
  request?: KeyedRequest | undefined;
  /** Of the tenant and the key, where their new jobs are limited. */
  limits?: readonly UnitLimits[] | undefined;
  /** Its thread is known to be deleted: jobs are erased before anything else is decided about them. */
  threadDeleted?: true;
}

export interface AppendedEvent {
  record: EventRecord;
  /** Of its unit. */
  trace?: TraceContext | null | undefined;
  content: object | null;
  /** The content as JSON; empty if there is none. */
  contentText: string;
}

/** What a unit left: its streams as they are now, and the events that it appended (none if it came too late or twice). */
export interface Outcome {
  streams: ReadonlyMap<string, Stream>;
  appended: readonly AppendedEvent[];
  /** When its first event occurred, as ISO 8601, also where it had been appended before; null if it has none. Others may follow in its streams. */
  at: string | null;
}

/** Of what people wrote and providers answered in the unit, in UTF-16 units: nearly all that it holds in memory. */
export function lengthOf({ commands }: Unit): number {
  let length = 0;
  for (const { command } of commands) {
    if (command.type === 'RequestJob') length += command.query.length;
    else if (command.type === 'AddMessage') length += command.content.length;
    else if (command.type === 'CompleteJob') length += command.markdown.length * 2;
    else if (command.type === 'RecordStep' && command.result.outcome === 'completed') length += command.result.reportMarkdown.length * 2;
  }
  return length;
}
