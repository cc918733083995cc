import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { readTraceparent } from '@lib/domain/trace-context';

/** Told of each request once it is answered; must not throw. */
export type MeasureRequest = (request: FastifyRequest, reply: FastifyReply) => void;

/** Begins and ends the trace of each request; must not throw. */
export interface TraceRequests {
  /** Once its caller is known. */
  begin(request: FastifyRequest): void;
  end(request: FastifyRequest, reply: FastifyReply): void;
}

/** One line for each request: its route and ids, never its query, content or key. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { threadId, jobId } = (request.params ?? {}) as { threadId?: string; jobId?: string };
  const { tenantId, keyId, address, correlationId, traceId } = request.caller ?? {};
  const { traceparent } = request.headers;
  const line = {
    requestId: request.id,
    // The id that the events record, if the client sent an id of its own.
    correlationId: correlationId === request.id ? undefined : correlationId,
    traceId,
    // The `traceparent` that the caller sent.
    traceparent: readTraceparent(traceparent) ? traceparent : undefined,
    method: request.method,
    route: request.routeOptions.url ?? null,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    tenantId,
    keyId,
    address: address ?? undefined,
    threadId: identifier(threadId),
    jobId: identifier(jobId),
  };
  logger.info(line, 'request');
}

/** A parameter that is no identifier is not logged, since it may hold anything. */
function identifier(text: string | undefined): string | undefined {
  return text !== undefined && /^\w{30}$/.test(text) ? text : undefined;
}
