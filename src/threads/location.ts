import type { FastifyReply } from 'fastify';

const THREADS = '/v1/threads';

/** Names what was created: the path below `/v1/threads`, behind the base path of the route that was called. */
export function setLocation(reply: FastifyReply, ...segments: string[]): void {
  const route = reply.request.routeOptions.url ?? THREADS;
  const basePath = route.slice(0, route.indexOf(THREADS));
  reply.header('location', [basePath + THREADS, ...segments].join('/'));
}
