import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Version 00 of the W3C trace context; ids of zeros only are invalid. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Told of each request once it is answered; must not throw. */
export type MeasureRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** One line for each request: its route and ids, never its query, content or key. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { threadId, jobId } = (request.params ?? {}) as { threadId?: string; jobId?: string };
  const { tenantId, keyId, correlationId } = request.caller ?? {};
  const line = {
    requestId: request.id,
    // What its events say, where the client has an id of its own.
    correlationId: correlationId === request.id ? undefined : correlationId,
    traceparent: traceContext(request.headers.traceparent),
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    tenantId,
    keyId,
    threadId: identifier(threadId),
    jobId: identifier(jobId),
  };
  logger.info(line, 'request');
}

const traceContext = (given: unknown): string | undefined => (typeof given === 'string' && TRACEPARENT.test(given) ? given : undefined);

/** A parameter that is no identifier is not logged, since it may hold anything. */
function identifier(text: string | undefined): string | undefined {
  return text !== undefined && /^\w{30}$/.test(text) ? text : undefined;
}
