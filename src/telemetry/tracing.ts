import { randomBytes } from 'node:crypto';
import { requestSpanId, type TraceContext } from '@lib/domain/trace-context';
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
/** Where the trace id, a UUID, has the digit of its version: always 4, so the digit is free to say what the caller's own trace has decided. */
const DECISION_AT = 12;
const DECISIONS: Readonly<Record<string, boolean>> = { 0: false, 1: true };

/**
 * Spans of what this process does. A job's events record the id of its trace, and the id of its first span (the request) follows from that. So a
 * process that knows only the job's history adds spans in the right place, even hours later and after all queues were lost. For the same reason the
 * id says whether a trace is exported, also where the caller's own trace has decided it: a trace is exported whole or not at all.
 */
export class Tracing {
  constructor(
    private readonly write: (span: FinishedSpan) => void,
    private readonly sampling: TraceSampling,
  ) {}

  /** The request's span of a trace, if nothing more specific is known. */
  requestOf(traceId: string): TraceContext {
    const random = parseInt(traceId.slice(-SAMPLED_BITS / 4), 16);
    const sampled = DECISIONS[traceId.charAt(DECISION_AT)] ?? random < this.sampling.ratio * 2 ** SAMPLED_BITS;
    return { traceId, spanId: requestSpanId(traceId), sampled };
  }

  /**
   * @param requestId a UUID
   * @param caller the caller's own trace, if it sent one
   */
  beginRequest(requestId: string, caller: TraceContext | null): TraceContext {
    const traceId = requestId.replaceAll('-', '');
    if (!caller || !this.sampling.followsCaller) return this.requestOf(traceId);
    const decision = caller.sampled ? '1' : '0';
    return this.requestOf(`${traceId.slice(0, DECISION_AT)}${decision}${traceId.slice(DECISION_AT + 1)}`);
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
