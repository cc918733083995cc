import { parseCheckpoint, type Head } from '@lib/audit/format/checkpoint';
import { parseNote, signersOf, type VerifierKey } from '@lib/audit/format/signed-note';
import { checkpointKeys } from '@lib/store/log/checkpoints';
import type { Pool } from '@lib/store/postgres/pool';

/** What was told to the world of a log, with the note that says it. */
export interface Published {
  head: Head;
  note: string;
}

/** @throws Error if it is no checkpoint */
export function publishedBy(note: string): Published {
  return { head: parseCheckpoint(parseNote(note).text), note };
}

/**
 * A note that a key of ours signed; null for any other.
 * @param keysFor our keys of today for a log; those of before are in the database
 */
export async function publishedByUs(pool: Pool, keysFor: (origin: string) => VerifierKey[], note: string): Promise<Published | null> {
  try {
    const published = publishedBy(note);
    const stored = (await checkpointKeys(pool)).map(({ name, publicKey }) => ({ name, publicKey, type: 1 as const }));
    const signers = signersOf(parseNote(note), [...keysFor(published.head.origin), ...stored]);
    return signers && signers.length > 0 ? published : null;
  } catch {
    return null;
  }
}
