import type { FastifyReply } from 'fastify';

const API = '/v1/';

/** Names what was created: the path below `/v1`, behind the base path of the route that was called. */
export function setLocation(reply: FastifyReply, ...segments: string[]): void {
  const route = reply.request.routeOptions.url ?? API;
  // The last one, since the base path may have one too.
  const basePath = route.slice(0, route.lastIndexOf(API));
  reply.header('location', basePath + API + segments.join('/'));
}
