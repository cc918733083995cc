import { randomBytes } from 'node:crypto';
import { readTraceparent, requestSpanId, type TraceContext } from '@lib/domain/trace-context';
import type { TraceSampling } from '@lib/settings/trace-settings';

export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer';
/** Names, counts and ids of our own: never what people or providers wrote, and never a tenant. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface FinishedSpan {
  name: string;
  kind: SpanKind;
  context: TraceContext;
  /** Null for the request that began the trace. */
  parentSpanId: string | null;
  /** What led to it from beyond a queue, or from another trace. */
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
  /** In place of now. */
  startedAt?: number;
  /** In place of a random one. */
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

/** Of the 56 bits of a trace id that are random in every one, as many as a number holds. */
const SAMPLED_BITS = 52;

/**
 * Spans of what this process does. A job's trace is the one whose id its events record, and its first span is that of the request, so a process
 * that knows the job's history alone still adds to the right place: also hours later, and after everything that was queued is gone. For the same
 * reason whether a trace is exported follows from its id, unless the caller's own trace says so.
 */
export class Tracing {
  constructor(
    private readonly write: (span: FinishedSpan) => void,
    private readonly sampling: TraceSampling,
  ) {}

  /** The request of a trace, where nobody says more of it. */
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

/** Where spans of a piece of work belong; without either of them there are none. */
export interface Traced {
  tracing: Tracing | null;
  parent: TraceContext | null | undefined;
}

/**
 * Does `work` within a span, where there is a trace to add it to. The span ends with it.
 * @param outcome what a result says of itself
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

/** For somebody else, whose records must not lead to the trace id that events keep: a trace of its own. */
export const foreignContext = (sampled: boolean): TraceContext => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: newSpanId(),
  sampled,
});

const newSpanId = (): string => randomBytes(8).toString('hex');
