import { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

import { bindTenants } from '@lib/batching/named-tenants';
import { tellHolding } from '@lib/memory/holdings';
import { Tally } from '@lib/memory/tally';
import type { ThreadRead } from '@lib/store/views/reader';
import type { Caller } from '../access/caller';
import { setTag } from '../api/conditional';
import { linkToNext } from '../api/next-page';
import { Problem } from '../api/problems';

type Pieces = NonNullable<ThreadRead['pieces']>;

/** Answers up to this length are sent at once. */
const SHORT_UNITS = 64 * 1024;
/** Long answers that a process sends at the same time. One tenant may use half of these places. */
const PLACES = 128;
/** Memory of an answer while its client does not read: a piece that was read from the database, and one that is being sent. */
const PLACE_BYTES = 512 * 1024;
/** A client that has read nothing for this long is disconnected, because it only holds memory. It may ask again. */
const TAKEN_WITHIN_MS = 60_000;

/** Sends answers that may be long as fast as their client reads, with only a few pieces in memory. */
@Injectable()
export class StreamedAnswers {
  private readonly taken = new Tally();

  constructor() {
    tellHolding(this, 'long answers', PLACES * PLACE_BYTES, ({ taken: { total } }) => ({ items: total, bytes: total * PLACE_BYTES }));
  }

  /**
   * Until the answer exceeds the length of a short one, a failure still becomes an error response.
   * @returns null if the client has the answer
   * @throws Problem unavailable if too many long answers are being sent
   */
  async send(reply: FastifyReply, { tenantId }: Caller, { tag, next, pieces }: ThreadRead): Promise<Buffer | Readable | null> {
    const answer = pieces && (await this.answerOf(pieces, tenantId));
    // The headers are set only now, because an error response belongs to no version of the thread and has no next page.
    setTag(reply, tag);
    if (next !== null) reply.header('link', linkToNext(reply, next));
    if (answer) reply.type('application/json; charset=utf-8');
    return answer;
  }

  private async answerOf(pieces: Pieces, tenantId: string): Promise<Buffer | Readable> {
    let begun = '';
    while (begun.length <= SHORT_UNITS) {
      const { done, value } = await pieces.next();
      if (done) return Buffer.from(begun);
      begun += value;
    }
    const leave = this.enter(tenantId);
    // The rest is read later, as the client takes it, outside of the request's own calls.
    pieces.next = bindTenants(pieces.next.bind(pieces));
    const stream = Readable.from(
      piecesInTime(begun, pieces, () => stream.destroy()),
      { objectMode: false, highWaterMark: 1 },
    );
    stream.once('close', leave);
    return stream;
  }

  private enter(tenantId: string): () => void {
    if (this.taken.of(tenantId) >= PLACES / 2 || this.taken.total >= PLACES)
      throw new Problem('unavailable', 'Too many long answers are being sent at the moment: repeat the request, or ask for pages.', [], {
        'retry-after': '5',
      });
    this.taken.add(tenantId, 1);
    return () => this.taken.add(tenantId, -1);
  }
}

/** @param tooLate called if a piece is not taken in time */
async function* piecesInTime(begun: string, pieces: Pieces, tooLate: () => void): AsyncGenerator<string, void, undefined> {
  const patience = setTimeout(tooLate, TAKEN_WITHIN_MS);
  try {
    yield begun;
    for await (const piece of pieces) {
      patience.refresh();
      if (piece !== '') yield piece;
    }
  } finally {
    clearTimeout(patience);
    await pieces.return();
  }
}
