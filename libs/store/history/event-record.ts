import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import type { EventMeta } from '@lib/domain/event';
import type { StoredEvent } from './aggregates';
import { SCHEMA_VERSIONS } from './upcasters';

/** What stands in the history beside the sealed content: nothing of it is content, so it survives an erasure. */
export interface Skeleton {
  id: string;
  streamId: string;
  version: number;
  type: string;
  schemaVersion: number;
  facts: object;
  meta: EventMeta;
}

/** An event as it is appended: chained to the one before it in its stream. */
export interface EventRecord extends Skeleton {
  sealed: Buffer | null;
  sealedSha256: Buffer | null;
  prevHash: Buffer;
  hash: Buffer;
}

/** What the first event of a stream is chained to. */
export const CHAIN_START = Buffer.alloc(32);

/**
 * `SHA-256(previous hash || RFC 8785 JSON of the skeleton || SHA-256 of the sealed bytes)`. It commits to the digest of the
 * ciphertext, not to the text, so the chain still verifies after the ciphertext is erased.
 */
export function chainHash(
  prevHash: Buffer,
  { id, streamId, version, type, schemaVersion, facts, meta }: Skeleton,
  sealedSha256: Buffer | null,
): Buffer {
  const canonical = canonicalize({ id, streamId, version, type, schemaVersion, facts, meta });
  if (canonical === undefined) throw new Error(`the event ${id} has no canonical JSON`);
  const digest = createHash('sha256').update(prevHash).update(canonical);
  return (sealedSha256 ? digest.update(sealedSha256) : digest).digest();
}

export function recordOf(skeleton: Omit<Skeleton, 'schemaVersion'>, prevHash: Buffer | null, sealed: Buffer | null): EventRecord {
  const schemaVersion = SCHEMA_VERSIONS[skeleton.type as StoredEvent['type']];
  const sealedSha256 = sealed && createHash('sha256').update(sealed).digest();
  const previous = prevHash ?? CHAIN_START;
  const complete = { ...skeleton, schemaVersion };
  return { ...complete, sealed, sealedSha256, prevHash: previous, hash: chainHash(previous, complete, sealedSha256) };
}
