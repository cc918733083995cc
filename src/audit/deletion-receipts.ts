import type { Logger } from 'pino';
import { parseCheckpoint } from '@lib/audit/format/checkpoint';
import {
  digestOfStreams,
  linesOfStreams,
  textHead,
  textOfReceipt,
  type ErasedStream,
  type RecordedDeletion,
} from '@lib/audit/format/deletion-receipt';
import { parseNote, signedNote, type SignerKey } from '@lib/audit/format/signed-note';
import type { StoredCheckpoint } from '@lib/store/log/checkpoints';
import { expectedReceipts, saveReceipt, streamsOfDeleted, type DeletedStream, type Erasure } from '@lib/store/log/deletion-receipts';
import { databaseTime } from '@lib/store/postgres/database-time';
import type { Pool } from '@lib/store/postgres/pool';

type Signed = Pick<StoredCheckpoint, 'origin' | 'size' | 'note'>;

interface Signing {
  keys: readonly SignerKey[];
  logger: Pick<Logger, 'warn'>;
  /** When it aborts, threads that were not looked at yet are left to the next checkpoint. */
  signal: AbortSignal | undefined;
}

/**
 * Signs a receipt for each deleted thread of which nothing is left and whose events this checkpoint has. Those that it does not have yet wait
 * for the next one, and so does one that cannot be read.
 */
export async function signReceipts(pool: Pool, checkpoint: Signed, { keys, logger, signal }: Signing): Promise<void> {
  for await (const { threadId, tenantId } of expectedReceipts(pool)) {
    if (signal?.aborted) return;
    try {
      await signReceipt(pool, { threadId, tenantId }, checkpoint, keys);
    } catch (error) {
      // One thread must not keep all others.
      logger.warn(
        { reason: 'receipt_not_signed', threadId, err: error },
        'a receipt of a deletion could not be signed; it is tried again with the next checkpoint',
      );
    }
  }
}

async function signReceipt(
  pool: Pool,
  { threadId, tenantId }: { threadId: string; tenantId: string },
  { origin, size, note }: Signed,
  keys: readonly SignerKey[],
): Promise<void> {
  const whole = await erasedWholly(pool, threadId, size);
  if (whole === null) return;
  const { erased, events, deletion } = whole;
  const { actor, occurredAt: deletedAt } = deletion;
  const signedAt = (await databaseTime(pool)).toISOString();
  const text = textOfReceipt({
    ...{ threadId, tenantId, actor, deletedAt, signedAt },
    streams: digestOfStreams(erased),
    remains: { events, content: false, key: false },
    checkpoint: textHead({ origin, size, root: parseCheckpoint(parseNote(note).text).root }),
  });
  await saveReceipt(pool, { threadId, size, note: signedNote(text, keys), streams: linesOfStreams(erased) });
}

/** @returns null unless the log of this size has the erasure of the thread and of each of its jobs, and nothing is left of them */
export async function erasedWholly(
  pool: Pool,
  threadId: string,
  size: number,
): Promise<{ erased: ErasedStream[]; events: number; deletion: Erasure } | null> {
  const erased: ErasedStream[] = [];
  let events = 0;
  let deletion: Erasure | undefined;
  for await (const stream of streamsOfDeleted(pool, threadId, size)) {
    const whole = erasedIn(stream);
    if (whole === null) return null;
    erased.push(whole);
    events += stream.logged;
    deletion ??= deletionIn(stream);
  }
  return deletion ? { erased, events, deletion } : null;
}

/** @returns null unless the stream was erased by what the log has, once, and no content is left */
function erasedIn(stream: DeletedStream): ErasedStream | null {
  const [erased, again] = erasuresIn(stream);
  if (!erased || again || stream.hasContent || !stream.erasures.every(({ isLogged }) => isLogged)) return null;
  return erased;
}

const erasuresIn = ({ streamId, erasures }: DeletedStream): ErasedStream[] =>
  erasures.map(({ version, hash, head }) => ({ streamId, erased: { version, hash }, head }));

const deletionIn = ({ erasures }: DeletedStream): Erasure | undefined => erasures.find(({ type }) => type === 'ThreadDeleted');

/** The deletion as the events in the database tell it; null if the thread was not deleted. */
export async function recordedDeletion(pool: Pool, threadId: string): Promise<RecordedDeletion | null> {
  const erased = new Map<string, ErasedStream>();
  let deletion: Erasure | undefined;
  // That the log has them was checked when the receipt was signed.
  for await (const stream of streamsOfDeleted(pool, threadId, 0)) {
    deletion ??= deletionIn(stream);
    for (const one of erasuresIn(stream)) erased.set(one.streamId, one);
  }
  return deletion ? { threadId, actor: deletion.actor, deletedAt: deletion.occurredAt, erased } : null;
}
