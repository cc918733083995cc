import type { FastifyReply, FastifyRequest } from 'fastify';

import { tellHolding } from '@lib/memory/holdings';
import { Tally } from '@lib/memory/tally';
import { problemBody } from './problem.filter';

/** What is no longer than this a connection takes at once, or holds without harm. */
const SHORT_BYTES = 64 * 1024;
const MAX_BYTES = 128 * 1024 * 1024;
/** The room of one tenant, so that its clients leave room to the others. */
const MAX_OF_TENANT = MAX_BYTES / 2;
/** An answer may take so long to be taken, even if others wait for its room. */
const TAKEN_WITHIN_MS = 10_000;
/** Headers of the answer that is not sent. */
const OF_ANSWER = ['etag', 'content-encoding', 'content-length', 'link', 'vary'] as const;

const FULL = {
  code: 'unavailable',
  detail: 'Too many long answers wait for their clients to take them: repeat the request.',
} as const;

interface Held {
  reply: FastifyReply;
  /** Empty for whoever needs no key. */
  tenantId: string;
  payload: Buffer | string;
  since: number;
}

/**
 * Room for long answers that their clients have not taken yet. A client takes an answer as slowly as it likes, and any number at a time, so one
 * that takes long gives its room to the next. Those who are sent the same bytes share their room.
 */
export class AnswerRoom {
  /** The oldest first. */
  private readonly held = new Set<Held>();
  /** How many are sent the same bytes. Two equal texts are in memory twice. */
  private readonly sharers = new Map<Buffer | Held, number>();
  private readonly bytes = new Tally();

  constructor() {
    tellHolding(this, 'answers', MAX_BYTES, ({ held, bytes }) => ({ items: held.size, bytes: bytes.total }));
  }

  /** A hook for the bytes that will be sent. */
  readonly admit = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    if ((!Buffer.isBuffer(payload) && typeof payload !== 'string') || payload.length <= SHORT_BYTES) return done(null, payload);
    if (this.take(request.caller?.tenantId ?? '', reply, payload)) return done(null, payload);
    for (const name of OF_ANSWER) reply.removeHeader(name);
    const problem = problemBody(FULL, request.id, request.url);
    reply.code(problem.status).header('retry-after', '1').type('application/problem+json');
    done(null, JSON.stringify(problem));
  };

  /** @returns whether there was room; it is taken until the connection or the answer has ended */
  private take(tenantId: string, reply: FastifyReply, payload: Buffer | string): boolean {
    const held = { reply, tenantId, payload, since: performance.now() };
    const sharers = this.sharers.get(keyOf(held)) ?? 0;
    const bytes = sharers > 0 ? 0 : Buffer.byteLength(payload);
    if (sharers === 0 && !this.hasRoom(tenantId, bytes)) return false;
    this.held.add(held);
    this.sharers.set(keyOf(held), sharers + 1);
    this.bytes.add(tenantId, bytes);
    reply.raw.once('close', () => this.release(held));
    return true;
  }

  /** Makes room by ending answers that are not taken: those of the same tenant if its room is full, any if all room is. */
  private hasRoom(tenantId: string, bytes: number): boolean {
    const ofTenant = (): boolean => this.bytes.of(tenantId) + bytes <= MAX_OF_TENANT;
    const ofAll = (): boolean => this.bytes.total + bytes <= MAX_BYTES;
    return this.endSlow(ofTenant, (held) => held.tenantId === tenantId) && this.endSlow(ofAll, () => true);
  }

  /** @returns whether there is room */
  private endSlow(hasRoom: () => boolean, isMeant: (held: Held) => boolean): boolean {
    for (const held of this.held) {
      if (hasRoom() || performance.now() - held.since < TAKEN_WITHIN_MS) break;
      if (!isMeant(held)) continue;
      this.release(held);
      // The client sees that it has not got all of it.
      held.reply.raw.destroy();
    }
    return hasRoom();
  }

  private release(held: Held): void {
    if (!this.held.delete(held)) return;
    const sharers = (this.sharers.get(keyOf(held)) ?? 1) - 1;
    if (sharers > 0) return void this.sharers.set(keyOf(held), sharers);
    this.sharers.delete(keyOf(held));
    this.bytes.add(held.tenantId, -Buffer.byteLength(held.payload));
  }
}

const keyOf = (held: Held): Buffer | Held => (Buffer.isBuffer(held.payload) ? held.payload : held);
