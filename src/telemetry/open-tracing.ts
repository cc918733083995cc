import { SpanKind as OtelKind, SpanStatusCode, type HrTime, type SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { Logger } from 'pino';
import type { ProcessIdentity } from '@lib/domain/process-identity';
import type { TraceContext } from '@lib/domain/trace-context';
import type { TraceSettings } from '@lib/settings/trace-settings';
import { SpanQueue, type SpanOutcome } from './span-queue';
import { Tracing, type FinishedSpan, type SpanKind } from './tracing';

const EXPORT_TIMEOUT_MS = 5_000;
/** The exporter's code of success, as its package `core` names it. */
const EXPORTED = 0;
const SCOPE = { name: 'research-threads' };
const KINDS: Record<SpanKind, OtelKind> = {
  internal: OtelKind.INTERNAL,
  server: OtelKind.SERVER,
  client: OtelKind.CLIENT,
  producer: OtelKind.PRODUCER,
  consumer: OtelKind.CONSUMER,
};

type OtelSpan = Parameters<OTLPTraceExporter['export']>[0][number];

interface Tools {
  settings: TraceSettings;
  roles: string;
  identity: ProcessIdentity;
  logger: Pick<Logger, 'warn'>;
  count: (outcome: SpanOutcome, spans: number) => void;
}

/** Exports the spans of this process by OTLP over HTTP. Loaded only where they are wanted: it takes 15 MB and 0.1 s of CPU. */
export function openTracing({ settings, roles, identity, logger, count }: Tools): { tracing: Tracing; close: () => Promise<void> } {
  const resource = resourceFromAttributes({
    'service.name': settings.serviceName,
    'service.version': identity.build,
    'service.instance.id': identity.instance,
    'research.roles': roles,
  });
  const exporter = new OTLPTraceExporter({ url: settings.url, headers: { ...settings.headers }, timeoutMillis: EXPORT_TIMEOUT_MS });
  let failing = false;
  const send = (spans: FinishedSpan[]): Promise<boolean> =>
    new Promise((resolve) => {
      exporter.export(
        spans.map((span) => ({ ...otelSpan(span), resource })),
        ({ code, error }) => {
          const exported = Number(code) === EXPORTED;
          if (!exported && !failing)
            logger.warn(
              { reason: 'spans_not_exported', cause: error?.message.slice(0, 200) },
              'the collector of traces takes no spans; the work goes on',
            );
          failing = !exported;
          resolve(exported);
        },
      );
    });
  const queue = new SpanQueue(send, count);
  return { tracing: new Tracing((span) => queue.add(span), settings.sampling), close: () => queue.close() };
}

function otelSpan({
  name,
  kind,
  context,
  parentSpanId,
  links,
  startedAt,
  endedAt,
  attributes,
  failed,
}: FinishedSpan): Omit<OtelSpan, 'resource'> {
  return {
    name,
    kind: KINDS[kind],
    spanContext: () => otelContext(context),
    ...(parentSpanId !== null && { parentSpanContext: otelContext({ ...context, spanId: parentSpanId }) }),
    startTime: hrTime(startedAt),
    endTime: hrTime(endedAt),
    duration: hrTime(endedAt - startedAt),
    ended: true,
    status: { code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...attributes },
    links: links.map((link) => ({ context: otelContext(link) })),
    events: [],
    instrumentationScope: SCOPE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const otelContext = ({ traceId, spanId, sampled }: TraceContext): SpanContext => ({ traceId, spanId, traceFlags: sampled ? 1 : 0 });

function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
