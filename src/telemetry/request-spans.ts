import type { FastifyReply, FastifyRequest } from 'fastify';
import { readTraceparent } from '@lib/domain/trace-context';
import type { TraceRequests } from '../api/request-log';
import { spanTime, type Tracing } from './tracing';

/** The first span of each trace: a request of a known caller. Others cannot fill the collector. */
export const traceRequests = (tracing: Tracing): TraceRequests => ({
  begin({ caller, headers }) {
    if (!caller) return;
    caller.trace = tracing.beginRequest(caller.correlationId, readTraceparent(headers.traceparent));
    caller.traceId = caller.trace.traceId;
  },
  end(request: FastifyRequest, reply: FastifyReply) {
    const { caller, method, headers } = request;
    if (!caller?.trace) return;
    const route = request.routeOptions.url ?? 'none';
    const endedAt = spanTime();
    const from = readTraceparent(headers.traceparent);
    tracing.endRequest({
      name: `${method} ${route}`,
      kind: 'server',
      context: caller.trace,
      links: from ? [from] : [],
      startedAt: endedAt - reply.elapsedTime,
      endedAt,
      attributes: { 'http.request.method': method, 'http.route': route, 'http.response.status_code': reply.statusCode },
      failed: reply.statusCode >= 500,
    });
  },
});
