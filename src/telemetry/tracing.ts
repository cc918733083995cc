import { randomBytes } from 'node:crypto';
import { readTraceparent, requestSpanId, type TraceContext } from '@lib/domain/trace-context';
import type { TraceSampling } from '@lib/settings/trace-settings';

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
/** Our own names, counts and ids only: never text by people or providers, and never a tenant. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface FinishedSpan {
  name: string;
  kind: SpanKind;
  context: TraceContext;
  /** Null for the span of the request that began the trace. */
  parentSpanId: string | null;
  /** Spans that caused it across a queue, or that belong to another trace. */
  links: readonly TraceContext[];
  /** Milliseconds since 1970, with fractions. */
  startedAt: number;
  endedAt: number;
  attributes: SpanAttributes;
  failed: boolean;
}

export interface SpanStart {
  kind: SpanKind;
  links?: readonly (TraceContext | null | undefined)[];
  attributes?: SpanAttributes;
  /** Default: now. */
  startedAt?: number;
  /** Default: a random id. */
  spanId?: string | undefined;
}

export interface SpanEnd {
  failed?: boolean;
  attributes?: SpanAttributes;
}

export interface Span {
  context: TraceContext;
  end(how?: SpanEnd): void;
}

export const spanTime = (): number => performance.timeOrigin + performance.now();

/** 56 bits of every trace id are random; a JavaScript number can hold this many of them. */
const SAMPLED_BITS = 52;

/**
 * Spans of what this process does. A job's events record the id of its trace, and the id of its first span (the request) follows from that. So a
 * process that knows only the job's history adds spans in the right place, even hours later and after all queues were lost. For the same reason the
 * id decides whether a trace is exported, unless the caller's own trace does.
 */
export class Tracing {
  constructor(
    private readonly write: (span: FinishedSpan) => void,
    private readonly sampling: TraceSampling,
  ) {}

  /** The request's span of a trace, if nothing more specific is known. */
  requestOf(traceId: string): TraceContext {
    const random = parseInt(traceId.slice(-SAMPLED_BITS / 4), 16);
    return { traceId, spanId: requestSpanId(traceId), sampled: random < this.sampling.ratio * 2 ** SAMPLED_BITS };
  }

  /** @param traceparent what the caller sent */
  beginRequest(traceId: string, traceparent: unknown): { context: TraceContext; caller: TraceContext | null } {
    const caller = readTraceparent(traceparent);
    const context = this.requestOf(traceId);
    return { context: caller && this.sampling.followsCaller ? { ...context, sampled: caller.sampled } : context, caller };
  }

  endRequest(span: Omit<FinishedSpan, 'parentSpanId'>): void {
    if (span.context.sampled) this.write({ ...span, parentSpanId: null });
  }

  begin(
    name: string,
    parent: TraceContext,
    { kind, links = [], attributes, startedAt = spanTime(), spanId = newSpanId() }: SpanStart,
  ): Span {
    const context = { ...parent, spanId };
    if (!parent.sampled) return { context, end: () => undefined };
    const end = ({ failed = false, attributes: more }: SpanEnd = {}): void => {
      const known = links.filter((link) => link !== null && link !== undefined);
      const span = { name, kind, context, parentSpanId: parent.spanId, links: known, startedAt, endedAt: spanTime(), failed };
      this.write({ ...span, attributes: { ...attributes, ...more } });
    };
    return { context, end };
  }
}

/** Where the spans of a piece of work belong. If either is missing, no spans are made. */
export interface Traced {
  tracing: Tracing | null;
  parent: TraceContext | null | undefined;
}

/**
 * Does `work` within a span, where there is a trace to add it to. The span ends with it.
 * @param outcome how the span ends for a result
 */
export async function inSpan<Result>(
  {
    tracing,
    parent,
    name,
    outcome = () => ({}),
    ...start
  }: SpanStart &
    Traced & {
      name: string;
      outcome?: ((result: Result) => SpanEnd) | undefined;
    },
  work: (context: TraceContext | null) => Promise<Result>,
): Promise<Result> {
  if (!tracing || !parent) return work(null);
  const span = tracing.begin(name, parent, start);
  try {
    const result = await work(span.context);
    span.end(outcome(result));
    return result;
  } catch (error) {
    span.end({ failed: true });
    throw error;
  }
}

/** A separate trace for an outside party, whose records must not contain the trace id that events keep. */
export const foreignContext = (sampled: boolean): TraceContext => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: newSpanId(),
  sampled,
});

const newSpanId = (): string => randomBytes(8).toString('hex');
