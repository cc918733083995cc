import type { Pool } from 'pg';
import { byteaArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';
import { withStoreErrors } from '../postgres/store-unavailable';
import type { KeyRing } from '../sealing/key-ring';

/** Under one master key. */
export interface RequestDigests {
  /** Digest of everything but the body that makes two requests the same one. */
  digest: Buffer;
  bodyDigest: Buffer;
}

/** A request with an `Idempotency-Key`, which its client may repeat. */
export interface IdempotentRequest extends RequestDigests {
  /** The digests under the other master keys. They are recorded too, for processes that do not know the newest key yet. */
  others?: readonly RequestDigests[];
}

/** The request as recorded with its effect. */
export interface RecordedRequest extends IdempotentRequest {
  /** The thread or job that shows what the request did. */
  streamId: string;
}

/** The effect of a recorded request: the event of that version of the stream, or the stream as it then was. */
export interface FirstEffect {
  bodyDigest: Buffer;
  streamId: string;
  version: number;
}

/** The request has been executed before; its effect can be looked up. */
export class RequestRepeated extends Error {
  override readonly name = 'RequestRepeated';
}

/** Another process is about to do the same request, and has not ended in time. */
export class RequestUnderWay extends Error {
  override readonly name = 'RequestUnderWay';
}

const FIND = {
  name: 'keyed_request',
  text: 'select body_digest, stream_id, version from find_keyed_requests($1::bytea[])',
};

const REMOVE_EXPIRED = {
  name: 'keyed_request_expired',
  text: `delete from keyed_request where digest in (
    select digest from keyed_request where expires_at <= statement_timestamp() order by expires_at limit $1::int4 for update skip locked)`,
};

/** Recorded requests, for 24 hours. The write path records them; here they are found and removed. */
export class IdempotentRequests {
  constructor(
    private readonly pool: Pool,
    private readonly ring: KeyRing,
  ) {}

  /** @param identity everything but the body that makes two requests the same one */
  digestsOf(identity: string, body: string): IdempotentRequest {
    const bodies = this.ring.digestsOf(body);
    const [first, ...others] = this.ring.digestsOf(identity).map((digest, place) => ({ digest, bodyDigest: bodies[place] as Buffer }));
    return { ...(first as RequestDigests), others };
  }

  /** @param digests of one request, under each master key */
  async find(...digests: Buffer[]): Promise<FirstEffect | null> {
    const [row] = await rowsOf<{ body_digest: Buffer; stream_id: string; version: number }>(this.pool, {
      ...FIND,
      values: [byteaArray(digests)],
    });
    return row ? { bodyDigest: row.body_digest, streamId: row.stream_id, version: row.version } : null;
  }

  /** @returns how many were removed, at most `limit` */
  async removeExpired(limit: number): Promise<number> {
    return (await withStoreErrors(() => this.pool.query({ ...REMOVE_EXPIRED, values: [limit] }))).rowCount ?? 0;
  }
}
