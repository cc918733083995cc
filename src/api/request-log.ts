import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** One line for each request: its route and ids, never its query, content or key. */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { threadId, jobId } = (request.params ?? {}) as { threadId?: string; jobId?: string };
  const { tenantId, keyId } = request.caller ?? {};
  const line = {
    requestId: request.id,
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

/** A parameter that is no identifier is not logged, since it may hold anything. */
function identifier(text: string | undefined): string | undefined {
  return text !== undefined && /^\w{30}$/.test(text) ? text : undefined;
}
