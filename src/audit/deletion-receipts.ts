import { parseCheckpoint } from '@lib/audit/checkpoint';
import {
  digestOfStreams,
  linesOfStreams,
  textHead,
  textOfReceipt,
  type ErasedStream,
  type RecordedDeletion,
} from '@lib/audit/deletion-receipt';
import { parseNote, signedNote, type SignerKey } from '@lib/audit/signed-note';
import type { StoredCheckpoint } from '@lib/store/log/checkpoints';
import { eventsOfDeleted, expectedReceipts, saveReceipt, type DeletedEvent } from '@lib/store/log/deletion-receipts';
import type { Pool } from '@lib/store/postgres/pool';

const ERASURES = new Set(['ThreadDeleted', 'ContentErased']);

/**
 * Signs a receipt for each deleted thread of which nothing is left and whose events this checkpoint has. Those that it does not have yet wait
 * for the next one.
 */
export async function signReceipts(
  pool: Pool,
  { origin, size, note }: Pick<StoredCheckpoint, 'origin' | 'size' | 'note'>,
  keys: readonly SignerKey[],
): Promise<void> {
  const { root } = parseCheckpoint(parseNote(note).text);
  for await (const { threadId, tenantId } of expectedReceipts(pool)) {
    const events = await eventsOfDeleted(pool, threadId);
    const streams = erasedStreams(events, size);
    const deletion = events.find(({ type }) => type === 'ThreadDeleted');
    if (streams === null || !deletion) continue;
    const { actor, occurredAt: deletedAt } = deletion;
    const text = textOfReceipt({
      ...{ threadId, tenantId, actor, deletedAt, signedAt: new Date().toISOString() },
      streams: digestOfStreams(streams),
      remains: { events: events.filter(({ index }) => isBefore(index, size)).length, content: false, key: false },
      checkpoint: textHead({ origin, size, root }),
    });
    await saveReceipt(pool, { threadId, size, note: signedNote(text, keys), streams: linesOfStreams(streams) });
  }
}

/** @returns null unless every stream was erased by what the log of this size has, and no content is left */
function erasedStreams(events: readonly DeletedEvent[], size: number): ErasedStream[] | null {
  if (events.some(({ hasContent }) => hasContent)) return null;
  const streams = erasuresIn(events);
  const isLogged = ({ streamId, erased }: ErasedStream): boolean =>
    events.some((event) => event.streamId === streamId && event.version === erased.version && isBefore(event.index, size));
  const whole = new Set(events.map(({ streamId }) => streamId)).size;
  return streams.length === whole && streams.every(isLogged) ? streams : null;
}

function erasuresIn(events: readonly DeletedEvent[]): ErasedStream[] {
  return events.flatMap(({ streamId, version, type, hash }, place) => {
    if (!ERASURES.has(type)) return [];
    const before = events[place - 1];
    return { streamId, erased: { version, hash }, head: { version: before?.version ?? 0, hash: before?.hash ?? '' } };
  });
}

/** The deletion as the events in the database tell it; null if the thread was not deleted. */
export async function recordedDeletion(pool: Pool, threadId: string): Promise<RecordedDeletion | null> {
  const events = await eventsOfDeleted(pool, threadId);
  const deletion = events.find(({ type }) => type === 'ThreadDeleted');
  if (!deletion) return null;
  const erased = new Map(erasuresIn(events).map((stream) => [stream.streamId, stream]));
  return { threadId, actor: deletion.actor, deletedAt: deletion.occurredAt, erased };
}

const isBefore = (index: number | null, size: number): boolean => index !== null && index < size;
