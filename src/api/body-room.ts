import type { IncomingMessage } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { tellHolding } from '@lib/memory/holdings';
import { Tally } from '@lib/memory/tally';
import { answerSlowBody } from './broken-request';
import { BODY_LIMIT_BYTES } from './json-body';
import { Problem } from './problems';

/** Bytes of memory for each byte of a body, with the text and the object that are made from it. */
const BODY_SHARE = 4;
const MAX_BYTES = 64 * 1024 * 1024;
/** The room of one tenant, so that its clients leave room to the others, however often they begin anew. */
const MAX_OF_TENANT = MAX_BYTES / 2;
/** A body may take so long to arrive, even if others wait for its room. */
const ARRIVES_WITHIN_MS = 5_000;

interface Held {
  request: IncomingMessage;
  /** Empty for whoever needs no key. */
  tenantId: string;
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
  private readonly bytes = new Tally();

  constructor() {
    tellHolding(this, 'request bodies', MAX_BYTES, ({ held, bytes }) => ({ items: held.size, bytes: bytes.total }));
  }

  /** Takes room until the connection or the response has ended. @throws Problem if there is too little */
  take({ headers, caller, raw: request }: FastifyRequest, { raw }: FastifyReply): void {
    const bytes = BODY_SHARE * Math.min(declaredLength(headers), BODY_LIMIT_BYTES);
    if (bytes === 0) return;
    const tenantId = caller?.tenantId ?? '';
    if (!this.hasRoom(tenantId, bytes)) {
      throw new Problem('unavailable', 'Too many request bodies arrive at the same time: repeat the request.', [], { 'retry-after': '1' });
    }
    const held = { request, tenantId, bytes, since: performance.now() };
    this.held.add(held);
    this.bytes.add(tenantId, bytes);
    raw.once('close', () => this.release(held));
  }

  /** Makes room by ending bodies that have been arriving for too long: those of the same tenant if its room is full, any if all room is. */
  private hasRoom(tenantId: string, bytes: number): boolean {
    const ofTenant = (): boolean => this.bytes.of(tenantId) + bytes <= MAX_OF_TENANT;
    const ofAll = (): boolean => this.bytes.total + bytes <= MAX_BYTES;
    return this.endSlow(ofTenant, (held) => held.tenantId === tenantId) && this.endSlow(ofAll, () => true);
  }

  /** @returns whether there is room */
  private endSlow(hasRoom: () => boolean, isMeant: (held: Held) => boolean): boolean {
    for (const held of this.held) {
      if (hasRoom() || performance.now() - held.since < ARRIVES_WITHIN_MS) break;
      if (held.request.complete || !isMeant(held)) continue;
      this.release(held);
      answerSlowBody(held.request.socket);
    }
    return hasRoom();
  }

  private release(held: Held): void {
    if (this.held.delete(held)) this.bytes.add(held.tenantId, -held.bytes);
  }
}

/** A body that comes in pieces has any length up to the limit. */
function declaredLength(headers: FastifyRequest['headers']): number {
  if (headers['transfer-encoding'] !== undefined) return BODY_LIMIT_BYTES;
  return Number(headers['content-length'] ?? 0);
}
