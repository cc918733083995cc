import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { weightsOf } from './weights';

/** Below it a client gains little. */
const LARGE_BYTES = 8 * 1024;
const COMPRESSIBLE = /^(application\/(json|javascript)|text\/(?!event-stream))/;
const compress = promisify(gzip);

/**
 * Compresses large answers to GET for clients that accept it, with a tag of their own. Answers to POST stay as they are: some show a secret, beside
 * what the client sent, and the length of such an answer must tell nothing (BREACH).
 */
export async function compressLarge(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (!isLargeText(request, reply, payload)) return payload;
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  if (!acceptsGzip(request.headers['accept-encoding'])) return payload;
  markTag(reply);
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  // What breaks off on one side ends the other.
  return payload instanceof Readable ? pipeline(payload, createGzip(), () => undefined) : compress(payload);
}

function isLargeText({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer | Readable {
  if (method !== 'GET' || reply.statusCode !== 200 || !COMPRESSIBLE.test(String(reply.getHeader('content-type')))) return false;
  // What comes in pieces is large.
  if (payload instanceof Readable) return true;
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length >= LARGE_BYTES;
}

/** Gives an answer that will not be sent the tag that it would have had. */
export function markTagOf(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  if (isLargeText(request, reply, payload) && acceptsGzip(request.headers['accept-encoding'])) markTag(reply);
}

/** Marks the tag of a compressed answer: a strong tag stands for the bytes as they are sent. */
const GZIP_SUFFIX = '-gzip';

function markTag(reply: FastifyReply): void {
  const tag = reply.getHeader('etag');
  if (typeof tag === 'string') reply.header('etag', tag.replace(/"$/, `${GZIP_SUFFIX}"`));
}

export const withoutCoding = (tag: string): string => (tag.endsWith(GZIP_SUFFIX) ? tag.slice(0, -GZIP_SUFFIX.length) : tag);

function acceptsGzip(accepted: string | string[] | undefined): boolean {
  const weights = weightsOf([accepted ?? []].flat().join(','));
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
