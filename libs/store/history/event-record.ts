import { createHash, hash } from 'node:crypto';
import type { EventMeta } from '@lib/domain/event';
import type { StoredEvent } from './aggregates';
import { canonicalJson } from './canonical-json';
import { SCHEMA_VERSIONS } from './upcasters';

/** The part of an event that is not content, and so survives an erasure. */
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
export interface EventRecord extends Skeleton, Canonical {
  sealed: Buffer | null;
  sealedSha256: Buffer | null;
  prevHash: Buffer;
  hash: Buffer;
}

/** The hash that the first event of a stream is chained to. */
export const CHAIN_START = Buffer.alloc(32);

interface Canonical {
  /** The facts and the meta as the hash covers them. */
  canonicalFacts: string;
  canonicalMeta: string;
}

export function recordOf(skeleton: Omit<Skeleton, 'schemaVersion'>, prevHash: Buffer | null, sealed: Buffer | null): EventRecord {
  const complete = { ...skeleton, schemaVersion: SCHEMA_VERSIONS[skeleton.type as StoredEvent['type']] };
  return chained({ ...complete, ...canonicalOf(complete) }, prevHash, sealed);
}

/** Chains an event whose facts and meta are already canonical JSON. */
export function chained<Event extends Omit<Skeleton, 'facts' | 'meta'> & Canonical>(
  event: Event,
  prevHash: Buffer | null,
  sealed: Buffer | null,
): Event & Pick<EventRecord, 'sealed' | 'sealedSha256' | 'prevHash' | 'hash'> {
  const previous = prevHash ?? CHAIN_START;
  const sealedSha256 = sealed && hash('sha256', sealed, 'buffer');
  return { ...event, sealed, sealedSha256, prevHash: previous, hash: chainHash(previous, event, sealedSha256, event) };
}

/**
 * `SHA-256(previous hash || RFC 8785 JSON of the skeleton || SHA-256 of the sealed bytes)`. It commits to the digest of the
 * ciphertext, not to the text, so the chain still verifies after the ciphertext is erased.
 */
function chainHash(
  prevHash: Buffer,
  skeleton: Omit<Skeleton, 'facts' | 'meta'>,
  sealedSha256: Buffer | null,
  canonical: Canonical,
): Buffer {
  const { id, streamId, version, type, schemaVersion } = skeleton;
  // Names in the order of RFC 8785.
  const text =
    `{"facts":${canonical.canonicalFacts},"id":${canonicalJson(id)},"meta":${canonical.canonicalMeta},"schemaVersion":${schemaVersion},` +
    `"streamId":${canonicalJson(streamId)},"type":${canonicalJson(type)},"version":${version}}`;
  const digest = createHash('sha256').update(prevHash).update(text);
  return (sealedSha256 ? digest.update(sealedSha256) : digest).digest();
}

/** Created once, for both the hash and the row. */
const canonicalOf = ({ facts, meta }: Pick<Skeleton, 'facts' | 'meta'>): Canonical => ({
  canonicalFacts: canonicalJson(facts),
  canonicalMeta: canonicalJson(meta),
});
