import { hash } from 'node:crypto';
import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { emptyOfHead, markTagOf, withoutCoding } from './compression';

/** The entity tags that the client names in `If-None-Match`, without their quotes, whatever coding they are of. */
export const knownTags = (request: FastifyRequest): string[] => namedTags(request).map(withoutCoding);

function namedTags({ headers }: FastifyRequest): string[] {
  const tags = headers['if-none-match']?.matchAll(/(?:W\/)?"([^"]*)"/g) ?? [];
  return [...tags].map(([, tag = '']) => tag);
}

/** The version of which the client has the answer; `tagOf` makes the tag of the answer at a version. */
export function knownVersion(request: FastifyRequest, tagOf: (version: number) => string): number | undefined {
  if (request.headers['if-none-match'] === undefined) return undefined;
  const tags = knownTags(request);
  const versions = tags.map((tag) => Number.parseInt(tag, 10));
  return versions.find((version) => version < 2 ** 31 && tags.includes(tagOf(version)));
}

export function setTag(reply: FastifyReply, tag: string): void {
  reply.header('etag', `"${tag}"`);
}

/** Makes the answer to a GET empty if the client has it already. What has no tag of its own gets one from its bytes. */
export function answerConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  // The headers are all that is sent, so nothing more is read.
  if (request.method === 'HEAD' && payload instanceof Readable) payload.destroy();
  if (!isGet || reply.statusCode !== 200 || !request.caller) return done(null, payload);
  if (!reply.hasHeader('etag')) {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload);
    setTag(reply, hash('sha256', payload, 'base64url'));
  }
  const given = request.headers['if-none-match'];
  if (given === undefined) return done(null, payload);
  const tag = reply.getHeader('etag');
  const known = namedTags(request).find((named) => `"${withoutCoding(named)}"` === tag);
  if (given.trim() !== '*' && known === undefined) return done(null, payload);
  if (known !== undefined) setTag(reply, known);
  else markTagOf(request, reply, payload);
  if (payload instanceof Readable) payload.destroy();
  reply.code(304).removeHeader('content-type').removeHeader('content-length');
  done(null, request.method === 'HEAD' ? emptyOfHead() : null);
}
