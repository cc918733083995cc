import type { TraceContext } from '@lib/domain/trace-context';
import type { Work } from '@lib/messaging/subjects';
import type { Delivery, Dispatched, Subscription, Transport } from '@lib/messaging/transport';
import type { Metrics } from './metrics';
import { traceLookup, type FindTraces } from './trace-lookup';
import { inSpan, type SpanAttributes, type Tracing } from './tracing';

const attributesOf = (work: Work): SpanAttributes => ({
  'messaging.system': 'nats',
  'research.job_id': work.jobId,
  'research.step_id': 'stepId' in work ? work.stepId : undefined,
  'research.provider': 'provider' in work ? work.provider : undefined,
});

/**
 * Handles a wake-up within a span of its job's trace, below the request that began the trace. The sender of the wake-up is only a link, because a
 * queue lies between and the same wake-up may come twice.
 */
export const inDeliverySpan =
  (tracing: Tracing | null, handle: (delivery: Delivery) => Promise<void>) =>
  (delivery: Delivery): Promise<void> => {
    const { work, deliveries, trace } = delivery;
    if (!tracing || !trace) return handle(delivery);
    const parent = { ...tracing.requestOf(trace.traceId), sampled: trace.sampled };
    const attributes = { ...attributesOf(work), 'research.deliveries': deliveries };
    const start = { tracing, parent, name: `process work.${work.kind}`, kind: 'consumer', links: [trace], attributes } as const;
    return inSpan(start, (context) => handle({ ...delivery, trace: context }));
  };

interface Observers {
  tracing: Tracing | null;
  metrics: Pick<Metrics, 'dispatches' | 'deliveries'> | null;
}

/** The same transport, with counts and spans for dispatched and handled work. For work that is dispatched again the trace is looked up. */
export class ObservedTransport implements Transport {
  private traceOf: ((jobId: string) => Promise<string | undefined>) | null = null;

  constructor(
    private readonly inner: Transport,
    private readonly observers: Observers,
  ) {}

  /** For processes with access to the jobs' histories. */
  findTraces(find: FindTraces): void {
    this.traceOf = traceLookup(find);
  }

  async dispatch(work: Work, trace?: TraceContext | null): Promise<Dispatched> {
    const dispatched = await this.dispatchTraced(work, trace);
    this.observers.metrics?.dispatches.inc({ kind: work.kind, outcome: dispatched });
    return dispatched;
  }

  consume(...[queue, slots, handle]: Parameters<Transport['consume']>): Promise<Subscription> {
    const { tracing, metrics } = this.observers;
    const traced = inDeliverySpan(tracing, handle);
    return this.inner.consume(queue, slots, (delivery) => {
      metrics?.deliveries.inc({ kind: queue.kind, again: String(delivery.deliveries > 1) });
      return traced(delivery);
    });
  }

  backlog: Transport['backlog'] = () => this.inner.backlog();
  request: Transport['request'] = (...asked) => this.inner.request(...asked);
  serve: Transport['serve'] = (...asked) => this.inner.serve(...asked);
  publish: Transport['publish'] = (...told) => this.inner.publish(...told);
  subscribe: Transport['subscribe'] = (...asked) => this.inner.subscribe(...asked);
  connectedForMs: Transport['connectedForMs'] = () => this.inner.connectedForMs();
  trouble: Transport['trouble'] = () => this.inner.trouble();
  onReconnect: Transport['onReconnect'] = (callback) => this.inner.onReconnect(callback);
  maxPayloadBytes: Transport['maxPayloadBytes'] = () => this.inner.maxPayloadBytes();
  close: Transport['close'] = () => this.inner.close();

  private async dispatchTraced(work: Work, trace?: TraceContext | null): Promise<Dispatched> {
    const { tracing } = this.observers;
    const parent = tracing && (trace ?? (await this.knownTrace(tracing, work.jobId)));
    if (!parent) return this.inner.dispatch(work);
    const attributes = { ...attributesOf(work), 'research.dispatched_again': trace ? undefined : true };
    const span = tracing.begin(`send work.${work.kind}`, parent, { kind: 'producer', attributes });
    const dispatched = await this.inner.dispatch(work, span.context);
    // Work that waits long is dispatched again every half minute; that it is still waiting needs no span.
    if (trace || dispatched !== 'already_queued') span.end({ attributes: { 'research.dispatched': dispatched } });
    return dispatched;
  }

  private async knownTrace(tracing: Tracing, jobId: string): Promise<TraceContext | null> {
    const traceId = await this.traceOf?.(jobId);
    return traceId === undefined ? null : tracing.requestOf(traceId);
  }
}
