import type { FastifyInstance, FastifyReply } from 'fastify';

/** Every answer whose body says where the next page begins says so by the header `Link` too, for clients that follow links. */
export function linkPages(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_request, reply, body: unknown, done) => {
    const cursor = (body as { nextCursor?: unknown } | null)?.nextCursor;
    if (typeof cursor === 'string') reply.header('link', linkToNext(reply, cursor));
    done(null, body);
  });
}

/** For the header `Link`: the same address, and where to go on. A cursor and an offset exclude each other. */
export function linkToNext({ request }: FastifyReply, cursor: string): string {
  const { url } = request;
  // A question mark in the query itself is part of what the client asks for.
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const parameters = new URLSearchParams(url.slice(end + 1));
  parameters.delete('offset');
  parameters.set('cursor', cursor);
  return `<${url.slice(0, end)}?${parameters.toString()}>; rel="next"`;
}
