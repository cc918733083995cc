import { leafHash } from './merkle';

/** The data from which a leaf of the log is made. */
export interface LoggedEvent {
  streamId: string;
  version: number;
  hash: Buffer;
  /** When the database stored the event, in UTC with microseconds; null for events from before this was recorded. */
  appendedAt: string | null;
}

/** The leaf is RFC 8785 JSON: `{"appendedAt":…,"hash":…,"streamId":…,"version":…}`, the hash in lower-case hexadecimal digits. */
export function leafOf({ streamId, version, hash, appendedAt }: LoggedEvent): Buffer {
  // Already canonical: sorted names, whole numbers, and well-formed strings from PostgreSQL.
  return leafHash(JSON.stringify({ appendedAt, hash: hash.toString('hex'), streamId, version }));
}
