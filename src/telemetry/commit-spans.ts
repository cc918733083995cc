import { createHash } from 'node:crypto';
import { readTraceparent, requestSpanId, traceparentOf, type TraceContext } from '@lib/domain/trace-context';
import type { Commit } from '@lib/store/commit/commit';
import { spanTime, type Span, type Tracing } from './tracing';

/** Types of events that webhooks are told of. */
const TOLD: readonly string[] = ['JobCompleted', 'JobFailed', 'JobCancelled', 'ThreadDeleted'];

/** The commit span's id for an event delivered to webhooks. Derived from the event's id, which is all that the delivery knows of the commit. */
export const commitSpanId = (eventId: string): string => createHash('sha256').update(eventId).digest('hex').slice(0, 16);

interface TracedWork {
  parent: TraceContext;
  streamId: string;
  events: string[];
  /** Ids of the events that are delivered to webhooks. */
  told: string[];
}

/**
 * A span for each piece of work in the commit, in the trace that its events record.
 * @returns by stream, the span to which work that follows from the commit belongs
 */
export function traceCommit(tracing: Tracing, commit: Commit): ReadonlyMap<string, TraceContext> {
  const startedAt = spanTime() - commit.tookMs;
  const spans = new Map<TracedWork, Span>();
  const contexts = new Map<string, TraceContext>();
  for (const [streamId, work] of workIn(tracing, commit)) {
    const [first] = work.told;
    const spanId = first && commitSpanId(first);
    const span = spans.get(work) ?? tracing.begin('commit', work.parent, { kind: 'internal', startedAt, spanId });
    spans.set(work, span);
    contexts.set(streamId, span.context);
  }
  for (const [{ events, streamId, told }, span] of spans) {
    const attributes = { 'research.events': events.join(), 'research.stream_id': streamId, 'research.units': commit.units };
    // A span has only one id, but the delivery of each event links to an id of its own, so each event needs a span.
    for (const eventId of told.slice(1))
      tracing.begin('commit', span.context, { kind: 'internal', startedAt, attributes, spanId: commitSpanId(eventId) }).end();
    span.end({ attributes });
  }
  return contexts;
}

/** The work in a commit, by stream: events with the same parent are one piece of work. */
function workIn(tracing: Tracing, { appended }: Commit): ReadonlyMap<string, TracedWork> {
  const byParent = new Map<string, TracedWork>();
  const byStream = new Map<string, TracedWork>();
  for (const { record, trace } of appended) {
    const parent = parentOf(tracing, record.facts, trace);
    if (!parent) continue;
    const key = traceparentOf(parent);
    const work = byParent.get(key) ?? { parent, streamId: record.streamId, events: [], told: [] };
    byParent.set(key, work);
    byStream.set(record.streamId, work);
    work.events.push(record.type);
    if (TOLD.includes(record.type)) work.told.push(record.id);
    if (record.streamId.startsWith('job_')) work.streamId = record.streamId;
  }
  return byStream;
}

/** The parent that a worker names counts only if it is in the trace of the job. */
function parentOf(tracing: Tracing, facts: object, trace: TraceContext | null | undefined): TraceContext | null {
  const { traceId } = facts as { traceId?: unknown };
  if (typeof traceId !== 'string' || !readTraceparent(`00-${traceId}-${requestSpanId(traceId)}-00`)) return null;
  return trace?.traceId === traceId ? trace : tracing.requestOf(traceId);
}
