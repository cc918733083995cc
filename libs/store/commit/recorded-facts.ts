import type { KeyObject } from 'node:crypto';
import type { Digest } from '@lib/domain/digest';
import { keyedDigest } from '../sealing/keyed-digests';

/** What each event records of where it belongs and what led to it, beside its own facts. Null in histories of earlier builds. */
export interface RecordedFacts {
  tenantId: string | null;
  /** 32 hexadecimal digits, made by us for the request that led to it, however long ago and through however many processes. */
  traceId: string | null;
  /** The version in its stream of the event that it reacts to; null if it is none of this stream (see `meta.causationId`). */
  causeVersion: number | null;
  /** Keyed digest of the plain content, as JSON; only of events with content. */
  contentDigest?: string;
  /** Keyed digest of the client's address; only of what a request asks for, where the deployment says whom it believes. */
  clientDigest?: string;
}

/** Named by its place too, so that equal contents have digests that do not show it. */
export const contentDigest = (key: KeyObject, place: string, content: Buffer): string => keyedDigest(key, `content ${place}`, content);

/** The address itself is personal data, and what is recorded stays: its digest can be made anew only for as long as the thread has its key. */
export const clientDigest = (key: KeyObject, address: string): string => keyedDigest(key, 'client address', address);

/** @param key none where the thread was deleted: of what is recorded then there are no digests */
export const digestWith =
  (key: KeyObject | null): Digest =>
  (name, text) =>
    key && keyedDigest(key, name, text);
