import type { FastifyReply, FastifyRequest } from 'fastify';

import type { AllowedMethods } from './allowed-methods';

/** How long a browser may cache the answer to a preflight. */
const REMEMBERED_SECONDS = '600';
const REQUEST_HEADERS = [
  ...['accept', 'authorization', 'content-type', 'idempotency-key', 'if-none-match', 'last-event-id', 'prefer', 'traceparent'],
  ...['x-request-id', 'mcp-method', 'mcp-name', 'mcp-protocol-version'],
].join(', ');
/** Response headers that pages may read, besides those that they always may. */
const RESPONSE_HEADERS = [
  ...[
    'etag',
    'idempotent-replayed',
    'link',
    'location',
    'preference-applied',
    'limit-warning',
    'ratelimit',
    'ratelimit-policy',
    'retry-after',
    'x-request-id',
  ],
  ...['deprecation', 'sunset'],
].join(', ');

/**
 * Lets pages of these origins read the answer. The page's own code sends the key and the browser adds nothing, so credentials are not allowed.
 * @returns whether the request comes from such a page
 */
export function allowOrigin({ headers: { origin } }: FastifyRequest, reply: FastifyReply, origins: readonly string[]): boolean {
  if (origins.length === 0) return false;
  reply.header('vary', 'Origin');
  if (origin === undefined || !origins.includes(origin)) return false;
  reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', RESPONSE_HEADERS);
  return true;
}

/** A browser asks whether it may send the request; it cannot send the key with that. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

export function answerPreflight({ url }: FastifyRequest, reply: FastifyReply, allowedMethods: AllowedMethods): FastifyReply {
  return reply
    .code(204)
    .header('access-control-allow-methods', allowedMethods(url).join(', '))
    .header('access-control-allow-headers', REQUEST_HEADERS)
    .header('access-control-max-age', REMEMBERED_SECONDS)
    .send();
}
