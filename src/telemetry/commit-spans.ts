import { readTraceparent, requestSpanId, traceparentOf, type TraceContext } from '@lib/domain/trace-context';
import type { Commit } from '@lib/store/commit/commit-batch';
import { spanTime, type Span, type Tracing } from './tracing';

/**
 * A span for each piece of work in the commit, in the trace that its events record.
 * @returns by stream, where what follows from the commit belongs
 */
export function traceCommit(tracing: Tracing, { appended, units, tookMs }: Commit): ReadonlyMap<string, TraceContext> {
  const spans = new Map<string, { span: Span; streamId: string; events: string[] }>();
  const contexts = new Map<string, TraceContext>();
  for (const { record, trace } of appended) {
    const parent = parentOf(tracing, record.facts, trace);
    if (!parent) continue;
    const key = traceparentOf(parent);
    const began = spans.get(key) ?? {
      span: tracing.begin('commit', parent, { kind: 'internal', startedAt: spanTime() - tookMs }),
      streamId: record.streamId,
      events: [],
    };
    spans.set(key, began);
    began.events.push(record.type);
    if (record.streamId.startsWith('job_')) began.streamId = record.streamId;
    contexts.set(record.streamId, began.span.context);
  }
  for (const { span, streamId, events } of spans.values())
    span.end({ attributes: { 'research.events': events.join(), 'research.stream_id': streamId, 'research.units': units } });
  return contexts;
}

/** What a worker says of where it stands counts only within the trace of the job. */
function parentOf(tracing: Tracing, facts: object, trace: TraceContext | null | undefined): TraceContext | null {
  const { traceId } = facts as { traceId?: unknown };
  if (typeof traceId !== 'string' || !readTraceparent(`00-${traceId}-${requestSpanId(traceId)}-00`)) return null;
  return trace?.traceId === traceId ? trace : tracing.requestOf(traceId);
}
