import type { MeasureRequest } from '../api/request-log';
import type { Metrics } from './metrics';

/**
 * Measures how long clients wait because the service is slow. Event streams and long polls are left out, because their clients ask to wait, unless
 * they failed: errors must be counted.
 */
export const measureRequests =
  ({ requests }: Metrics): MeasureRequest =>
  (request, reply) => {
    const asked =
      reply.getHeader('preference-applied') !== undefined || String(reply.getHeader('content-type')).startsWith('text/event-stream');
    if (asked && reply.statusCode < 500) return;
    const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: String(reply.statusCode) };
    requests.observe(labels, reply.elapsedTime / 1000);
  };
