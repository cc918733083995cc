import { traceparentOf } from '@lib/domain/trace-context';
import type { Attempted, TakenDelivery } from '@lib/store/webhooks/deliveries';
import { commitSpanId } from './commit-spans';
import { traceLookup, type FindTraces } from './trace-lookup';
import { foreignContext, inSpan, type Tracing } from './tracing';

type Told = Pick<TakenDelivery, 'eventId' | 'webhookId' | 'jobId' | 'threadId' | 'attempts'>;
/** @param traceparent what the endpoint is sent */
type Send = (traceparent?: string) => Promise<Attempted>;
/** Does an attempt to deliver within a span. */
export type TraceDelivery = (told: Told, send: Send) => Promise<Attempted>;

/**
 * Traces a delivery attempt in the trace that its event records. The span links to the event's commit, which is not its parent since the attempt
 * comes later and may be one of many, and to a separate trace, which is sent to the endpoint.
 */
export function traceDeliveries(tracing: Tracing, find: FindTraces): TraceDelivery {
  const traceOf = traceLookup(find);
  return async ({ eventId, webhookId, jobId, threadId, attempts }, send) => {
    const traceId = await traceOf(eventId);
    if (traceId === undefined) return send();
    const parent = tracing.requestOf(traceId);
    const called = foreignContext(parent.sampled);
    const attributes = {
      'research.job_id': jobId ?? undefined,
      'research.thread_id': threadId ?? undefined,
      'research.webhook_id': webhookId,
      'research.event_id': eventId,
      'research.deliveries': attempts,
    };
    const links = [{ ...parent, spanId: commitSpanId(eventId) }, called];
    const outcome = ({ responseStatus, error }: Attempted) => ({
      failed: error !== null,
      attributes: { 'research.outcome': error ?? 'delivered', 'http.response.status_code': responseStatus ?? undefined },
    });
    const start = { tracing, parent, name: 'deliver webhook', kind: 'client', links, attributes, outcome } as const;
    return inSpan(start, () => send(traceparentOf(called)));
  };
}
