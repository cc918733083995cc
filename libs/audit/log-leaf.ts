import { leafHash } from './merkle';

/** The data from which a leaf of the log is made. */
export interface LoggedEvent {
  streamId: string;
  version: number;
  hash: Buffer;
  /** When the database stored the event, in UTC with microseconds; null for events of before it recorded that. */
  appendedAt: string | null;
}

/** The leaf is RFC 8785 JSON: `{"appendedAt":…,"hash":…,"streamId":…,"version":…}`, the hash in lower-case hexadecimal digits. */
export function leafOf({ streamId, version, hash, appendedAt }: LoggedEvent): Buffer {
  // Names in their order, whole numbers, and texts as PostgreSQL stores them: this is the canonical form.
  return leafHash(JSON.stringify({ appendedAt, hash: hash.toString('hex'), streamId, version }));
}
