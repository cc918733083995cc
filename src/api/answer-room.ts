import type { FastifyReply, FastifyRequest } from 'fastify';

import { FairRoom, type RoomItem } from './fair-room';
import { makesAnotherOne, problemBody } from './problem.filter';

/** Up to this length, an answer fits into the connection's own buffers, or costs too little to be counted. */
const SHORT_BYTES = 64 * 1024;
const MAX_BYTES = 128 * 1024 * 1024;
/** A client has this long to take its answer, even if others wait for the room. */
const TAKEN_WITHIN_MS = 10_000;
/** Headers of the original answer, which are removed when it is refused. */
const OF_ANSWER = ['etag', 'content-encoding', 'content-length', 'link', 'vary'] as const;

const FULL = {
  code: 'unavailable',
  detail: 'Too many long answers wait for their clients to take them: repeat the request.',
} as const;

/** A request is answered once it was carried out. */
const MAY_BE_DONE = {
  ...FULL,
  detail:
    'Too many long answers wait for their clients to take them. What was asked may have been done: see whether it was before you repeat the ' +
    'request. With an Idempotency-Key a request can be repeated without looking.',
} as const;

/** The bytes of an answer, counted once for all clients of a tenant that are sent the same. */
interface Answer extends RoomItem {
  payload: Buffer | string;
  /** Since when each has been taking it. */
  takers: Map<FastifyReply, number>;
}

/** Room for long answers that their clients have not taken yet. A client takes an answer as slowly as it likes, and any number at a time. */
export class AnswerRoom {
  /** Shared only if it is the same buffer. Two equal texts are in memory twice, so texts are never shared. */
  private readonly shared = new Map<Buffer | string, Answer>();
  private readonly room = new FairRoom<Answer>({
    name: 'answers',
    maxBytes: MAX_BYTES,
    forMs: TAKEN_WITHIN_MS,
    mayEnd: ({ takers }) => [...takers.values()].every((since) => performance.now() - since >= TAKEN_WITHIN_MS),
    end: (answer) => {
      this.forget(answer);
      // The client sees that it has not got all of it.
      for (const reply of answer.takers.keys()) reply.raw.destroy();
    },
  });

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
    const problem = problemBody(makesAnotherOne(request) ? MAY_BE_DONE : FULL, request.id, request.url);
    reply.code(problem.status).header('retry-after', '1').type('application/problem+json');
    done(null, JSON.stringify(problem));
  };

  /** @returns whether there was room; it is taken until the connection or the answer has ended */
  private take(tenantId: string, reply: FastifyReply, payload: Buffer | string): boolean {
    // Its client hung up already: nobody takes the answer, and no end would be heard that gives the room back.
    if (reply.raw.destroyed) return true;
    const since = performance.now();
    const known = Buffer.isBuffer(payload) ? this.shared.get(payload) : undefined;
    const isKnown = known?.tenantId === tenantId;
    const answer: Answer = isKnown ? known : { tenantId, bytes: Buffer.byteLength(payload), since, payload, takers: new Map() };
    if (!isKnown && !this.room.take(answer)) return false;
    if (Buffer.isBuffer(payload)) this.shared.set(payload, answer);
    answer.takers.set(reply, since);
    reply.raw.once('close', () => {
      answer.takers.delete(reply);
      if (answer.takers.size > 0) return;
      this.room.release(answer);
      this.forget(answer);
    });
    return true;
  }

  private forget(answer: Answer): void {
    if (this.shared.get(answer.payload) === answer) this.shared.delete(answer.payload);
  }
}
