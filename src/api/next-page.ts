import type { FastifyReply } from 'fastify';

/** For the header `Link`: the same address, and where to go on. */
export function linkToNext({ request }: FastifyReply, cursor: string): string {
  const [path = '', query = ''] = request.url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  return `<${path}?${parameters.toString()}>; rel="next"`;
}
