import canonicalize from 'canonicalize';
import { hash } from 'node:crypto';
import type { AuditedEvent, Fault } from './audited-event';

const NOTHING = Buffer.alloc(0);

/**
 * Follows the chain of one stream by the documented formula: `SHA-256(previous hash || RFC 8785 JSON of the skeleton || SHA-256 of the sealed
 * bytes)`. It shares no code with what writes events.
 */
export class Chain {
  private version = 0;
  private hash: Buffer = Buffer.alloc(32);
  private occurredAt = '';
  /** Version of the first event whose sealed content is gone. */
  private emptied: number | null = null;
  /** Version of the first event whose sealed content is there. */
  private sealed: number | null = null;

  constructor(private readonly streamId: string) {}

  /** @returns what is wrong with this event; after a fault nothing more can be said about the stream */
  take(event: AuditedEvent): Fault | null {
    const expected = this.version + 1;
    const { version, prevHash, sealed, sealedSha256, meta } = event;
    const fault = (field: string, what: string): Fault => ({ streamId: this.streamId, version: Math.min(version, expected), field, what });
    if (version < expected) return fault('version', `event ${version} comes again, or not in its place`);
    if (version !== expected) return fault('version', `event ${expected} is missing, or not in its place: event ${version} comes here`);
    if (!prevHash.equals(this.hash)) return fault('prev_hash', 'is not the hash of the event before');
    if (!event.hash.equals(hashOf(event))) {
      return fault('hash', 'is not that of this event: it, or a column that it covers, was changed');
    }
    if (sealed !== null && sealedSha256 === null) return fault('sealed', 'there is content of which no digest was recorded');
    if (sealed !== null && !digest(sealed).equals(sealedSha256 ?? NOTHING))
      return fault('sealed', 'is not the content whose digest was recorded');
    const occurredAt = String(meta.occurredAt);
    if (occurredAt < this.occurredAt)
      return fault('meta.occurredAt', `${occurredAt} lies before that of the event before, ${this.occurredAt}`);
    if (sealed !== null) this.sealed ??= version;
    else if (sealedSha256 !== null) this.emptied ??= version;
    Object.assign(this, { version, hash: event.hash, occurredAt });
    return null;
  }

  /** @param erased whether the history says that its content was erased */
  end(erased: boolean): Fault | null {
    if (erased || this.emptied === null) return null;
    return {
      streamId: this.streamId,
      version: this.emptied,
      field: 'sealed',
      what: 'the content is gone, and no event says that it was erased',
    };
  }

  /** The first event that still has its content; null if none has. */
  firstSealed(): number | null {
    return this.sealed;
  }
}

function hashOf({ id, streamId, version, type, schemaVersion, facts, meta, prevHash, sealedSha256 }: AuditedEvent): Buffer {
  const skeleton = canonicalize({ id, streamId, version, type, schemaVersion, facts, meta }) ?? '';
  return digest(Buffer.concat([prevHash, Buffer.from(skeleton), sealedSha256 ?? NOTHING]));
}

const digest = (bytes: Buffer): Buffer => hash('sha256', bytes, 'buffer');
