import type { FastifyReply } from 'fastify';

/** For the header `Link`: the same address, and where to go on. */
export function linkToNext({ request }: FastifyReply, cursor: string): string {
  const { url } = request;
  // A question mark in the query itself is part of what the client asks for.
  const end = url.includes('?') ? url.indexOf('?') : url.length;
  const parameters = new URLSearchParams(url.slice(end + 1));
  parameters.set('cursor', cursor);
  return `<${url.slice(0, end)}?${parameters.toString()}>; rel="next"`;
}
