import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { weightsOf } from './weights';

/** Below it a client gains little. */
const LARGE_BYTES = 8 * 1024;
const COMPRESSIBLE = /^(application\/(json|javascript)|text\/(?!event-stream))/;

/**
 * Compresses large answers to GET for clients that accept it, with a tag of their own, which HEAD names too. Answers to POST stay as they are: some show a secret, beside
 * what the client sent, and the length of such an answer must tell nothing (BREACH).
 */
export function compressLarge(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  if (!isLargeText(request, reply, payload)) return done(null, payload);
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  if (!acceptsGzip(request.headers['accept-encoding'])) return done(null, payload);
  markTag(reply);
  reply.header('content-encoding', 'gzip').removeHeader('content-length');
  if (request.method === 'HEAD') return done(null, emptyOfHead());
  // An error on one side ends the other side too.
  if (payload instanceof Readable)
    done(
      null,
      pipeline(payload, createGzip(), () => undefined),
    );
  else if (typeof payload === 'string') gzip(payload, done);
  else
    compressOnce(payload).then(
      (bytes) => done(null, bytes),
      (error: Error) => done(error),
    );
}

/** The payload of an answer to HEAD whose length is not told: Fastify tells that of a text or a buffer, and fails on null. */
export const emptyOfHead = (): Readable => Readable.from([]);

const compressed = new WeakMap<Buffer, Promise<Buffer>>();
/** Long enough for all clients that one change wakes. This memory is not in `holdings`, so it is kept no longer. */
const KEPT_MS = 1_000;

const unchanging = new WeakSet<Buffer>();

/** Marks what the service sends for as long as it runs: it is compressed once, and stays so. */
export function asUnchanging(payload: Buffer): Buffer {
  unchanging.add(payload);
  return payload;
}

/** All clients that one change wakes are sent the same bytes. To compress them again for each of ten thousand clients would take half a minute. */
function compressOnce(payload: Buffer): Promise<Buffer> {
  const known = compressed.get(payload);
  if (known) return known;
  const compressing = promisify(gzip)(payload);
  compressed.set(payload, compressing);
  compressing.catch(() => compressed.delete(payload));
  if (unchanging.has(payload)) return compressing;
  const sent = new WeakRef(payload);
  setTimeout(() => {
    const bytes = sent.deref();
    if (bytes) compressed.delete(bytes);
  }, KEPT_MS).unref();
  return compressing;
}

function isLargeText({ method }: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string | Buffer | Readable {
  if ((method !== 'GET' && method !== 'HEAD') || reply.statusCode !== 200 || !isLarge(payload)) return false;
  return COMPRESSIBLE.test(String(reply.getHeader('content-type')));
}

/** What comes in pieces is large. */
const isLarge = (payload: unknown): boolean =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length >= LARGE_BYTES : payload instanceof Readable;

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
