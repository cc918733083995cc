import type { IncomingMessage } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { tellHolding } from '@lib/memory/holdings';
import { answerSlowBody } from './broken-request';
import { BODY_LIMIT_BYTES } from './json-body';
import { Problem } from './problems';

/** Bytes of memory for each byte of a body: with the text and the object that are made of it. */
const BODY_SHARE = 4;
const MOST_BYTES = 64 * 1024 * 1024;
/** A body may take so long to arrive, even if others wait for its room. */
const ARRIVES_WITHIN_MS = 5_000;

interface Held {
  request: IncomingMessage;
  bytes: number;
  since: number;
}

/**
 * Room for the bodies of requests that have no answer yet. A client sends them as slowly as it likes, and any number at a time, so one that
 * takes long gives its room to the next.
 */
export class BodyRoom {
  /** The oldest first. */
  private readonly held = new Set<Held>();
  private bytes = 0;

  constructor() {
    tellHolding(this, 'request bodies', MOST_BYTES, ({ held, bytes }) => ({ items: held.size, bytes }));
  }

  /** Takes room until the connection or the response has ended. @throws Problem if there is too little */
  take({ headers, raw: request }: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = BODY_SHARE * Math.min(declaredLength(headers), BODY_LIMIT_BYTES);
    if (bytes === 0) return;
    if (!this.hasRoom(bytes)) {
      throw new Problem('unavailable', 'Too many request bodies arrive at the same time: repeat the request.', [], { 'retry-after': '1' });
    }
    const held = { request, bytes, since: performance.now() };
    this.held.add(held);
    this.bytes += bytes;
    raw.once('close', () => this.release(held));
  }

  /** Makes room by ending those that have been arriving for too long. */
  private hasRoom(bytes: number): boolean {
    for (const held of this.held) {
      if (this.bytes + bytes <= MOST_BYTES || performance.now() - held.since < ARRIVES_WITHIN_MS) break;
      if (held.request.complete) continue;
      this.release(held);
      answerSlowBody(held.request.socket);
    }
    return this.bytes + bytes <= MOST_BYTES;
  }

  private release(held: Held): void {
    if (this.held.delete(held)) this.bytes -= held.bytes;
  }
}

/** A body that comes in pieces has any length up to the limit. */
function declaredLength(headers: FastifyRequest['headers']): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_LIMIT_BYTES;
  return Number(headers['content-length'] ?? 0);
}
