import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { answerSlowBody } from './broken-request';
import { FairRoom, type RoomItem } from './fair-room';
import { BODY_LIMIT_BYTES } from './json-body';
import { Problem } from './problems';

/** Bytes of memory for each byte of a body, with the text and the object that are made from it. */
const BODY_SHARE = 4;
/** A chunked body declares no length, so it counts with this one, and with the largest that is allowed once more has come. */
const CHUNKED_BYTES = 64 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
/** A body has this long to arrive, even if others wait for its room. */
const ARRIVES_WITHIN_MS = 5_000;
/** Whose bodies are never read. */
const BODYLESS = new Set(['GET', 'HEAD']);

interface Body extends RoomItem {
  request: IncomingMessage;
}

/** Room for the bodies of requests that have no answer yet. A client sends them as slowly as it likes, and any number at a time. */
export class BodyRoom {
  private readonly room = new FairRoom<Body>({
    name: 'request bodies',
    maxBytes: MAX_BYTES,
    forMs: ARRIVES_WITHIN_MS,
    mayEnd: ({ request }) => !request.complete,
    end: ({ request }) => answerSlowBody(request.socket),
  });
  private readonly chunked = new WeakMap<IncomingMessage, Body>();

  /** Takes room until the connection or the response has ended. @throws Problem if there is too little */
  take({ method, headers, caller, raw: request }: FastifyRequest, { raw }: FastifyReply): void {
    const isChunked = headers['transfer-encoding'] !== undefined;
    const length = isChunked ? CHUNKED_BYTES : Math.min(Number(headers['content-length'] ?? 0), BODY_LIMIT_BYTES);
    // Of a client that hung up while its key was looked up, no end would be heard any more, so its room would be lost.
    if (length === 0 || BODYLESS.has(method) || raw.destroyed) return;
    const body = { request, tenantId: caller?.tenantId ?? '', bytes: BODY_SHARE * length, since: performance.now() };
    if (!this.room.take(body)) throw noRoom();
    if (isChunked) this.chunked.set(request, body);
    raw.once('close', () => this.room.release(body));
  }

  /** A hook that makes the room of a chunked body follow what comes. */
  readonly measure = (
    { raw }: FastifyRequest,
    _reply: FastifyReply,
    payload: Readable,
    done: (error: null, payload: Readable) => void,
  ): void => {
    const body = this.chunked.get(raw);
    done(null, body ? this.measured(body, payload) : payload);
  };

  private measured(body: Body, payload: Readable): Readable {
    let length = 0;
    const measured = new Transform({
      transform: (chunk: Buffer, _encoding, next) => {
        length += chunk.length;
        const hasRoom = length <= CHUNKED_BYTES || this.room.resize(body, BODY_SHARE * BODY_LIMIT_BYTES);
        next(hasRoom ? null : noRoom(), chunk);
      },
      flush: (next) => {
        this.room.resize(body, BODY_SHARE * length);
        next();
      },
    });
    payload.once('error', (error) => measured.destroy(error));
    // Nobody reads on after a refusal, and so nobody else listens.
    measured.on('error', () => undefined);
    return payload.pipe(measured);
  }
}

const noRoom = (): Problem =>
  new Problem('unavailable', 'Too many request bodies arrive at the same time: repeat the request.', [], { 'retry-after': '1' });
