import type { FastifyReply, FastifyRequest } from 'fastify';

import { tellHolding } from '@lib/memory/holdings';
import { BODY_LIMIT_BYTES } from './json-body';
import { Problem } from './problems';

/** What a body takes for each of its bytes, with the text and the object that are made of it. */
const BODY_SHARE = 4;
const MOST_BYTES = 64 * 1024 * 1024;

/** Room for the bodies of requests that have no answer yet. A client sends them as slowly as it likes, and any number at a time. */
export class BodyRoom {
  private items = 0;
  private bytes = 0;

  constructor() {
    tellHolding(this, 'request bodies', MOST_BYTES, ({ items, bytes }) => ({ items, bytes }));
  }

  /** Takes room until the connection or the response has ended. @throws Problem if there is too little */
  take({ headers }: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = BODY_SHARE * Math.min(declaredLength(headers), BODY_LIMIT_BYTES);
    if (bytes === 0) return;
    if (this.bytes + bytes > MOST_BYTES) {
      throw new Problem('unavailable', 'Too many request bodies arrive at the same time: repeat the request.', [], { 'retry-after': '1' });
    }
    this.items += 1;
    this.bytes += bytes;
    raw.once('close', () => {
      this.items -= 1;
      this.bytes -= bytes;
    });
  }
}

/** A body that comes in pieces has any length up to the limit. */
function declaredLength(headers: FastifyRequest['headers']): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_LIMIT_BYTES;
  return Number(headers['content-length'] ?? 0);
}
