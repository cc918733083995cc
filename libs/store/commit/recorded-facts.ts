import type { KeyObject } from 'node:crypto';
import type { Digest } from '@lib/domain/digest';
import { keyedDigest } from '../sealing/keyed-digests';

/** Facts recorded with each event beside its own: where it belongs and what led to it. Null in histories of earlier builds. */
export interface RecordedFacts {
  tenantId: string | null;
  /** 32 hexadecimal digits, created by us for the request that led to the event, however long ago and through however many processes. */
  traceId: string | null;
  /** The version of the event that it reacts to; null if that event is in another stream (see `meta.causationId`). */
  causeVersion: number | null;
  /** Keyed digest of the plain content, as JSON; only of events with content. */
  contentDigest?: string;
  /** Keyed digest of the client's address; only if a request led to it directly, in a deployment that says which proxies it trusts. */
  clientDigest?: string;
}

/** The place is part of the name, so that equal contents have different digests. */
export const contentDigest = (key: KeyObject, place: string, content: Buffer): string => keyedDigest(key, `content ${place}`, content);

/** An address is personal data, and facts outlive an erasure. Nobody can compare this digest with an address once the thread's key is gone. */
export const clientDigest = (key: KeyObject, address: string): string => keyedDigest(key, 'client address', address);

/** @param key null if the thread was deleted: then no digests are recorded */
export const digestWith =
  (key: KeyObject | null): Digest =>
  (name, text) =>
    key && keyedDigest(key, name, text);
