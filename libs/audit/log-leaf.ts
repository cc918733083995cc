import { leafHash } from './merkle';

/** What a leaf of the log is made of. */
export interface LoggedEvent {
  streamId: string;
  version: number;
  hash: Buffer;
  /** When the database stored the event, in UTC with microseconds; null for events from before this was recorded. */
  appendedAt: string | null;
}

/** The leaf is RFC 8785 JSON: `{"appendedAt":…,"hash":…,"streamId":…,"version":…}`, the hash in lower-case hexadecimal digits. */
export function leafOf({ streamId, version, hash, appendedAt }: LoggedEvent): Buffer {
  // This is already canonical: the names are sorted, the numbers whole, and the strings well-formed, since PostgreSQL stores no others.
  return leafHash(JSON.stringify({ appendedAt, hash: hash.toString('hex'), streamId, version }));
}
