/** A position in a trace, as defined by W3C trace context. */
export interface TraceContext {
  /** 32 hexadecimal digits, not all of them zero. */
  traceId: string;
  /** 16 hexadecimal digits, not all of them zero. */
  spanId: string;
  /** Whether the trace's spans are exported. */
  sampled: boolean;
}

/** Version 00. Ids that consist of zeros only are invalid. */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** @returns null for anything but a `traceparent` of version 00 */
export function readTraceparent(given: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = (typeof given === 'string' && TRACEPARENT.exec(given)) || [];
  return traceId && spanId ? { traceId, spanId, sampled: (parseInt(flags ?? '', 16) & 1) === 1 } : null;
}

export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string => `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/**
 * The id of the request span that begins one of our own traces. It is the second half of the trace id, so that every process can derive it from the
 * id that events record.
 */
export const requestSpanId = (traceId: string): string => traceId.slice(16);
