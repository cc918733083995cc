import type { KeyObject } from 'node:crypto';
import { DomainError } from '@lib/domain/errors';
import { newId } from '../new-id';
import type { NewThreadKey } from '../sealing/key-ring';
import { eventPlace, seal, Unsealable } from '../sealing/seal';
import type { ReadKeys } from '../sealing/thread-keys';
import { decide, evolve, tenantIdOf, threadIdOf, type Stream, type StreamCommand, type StoredEvent } from '../history/aggregates';
import { recordOf } from '../history/event-record';
import { clientDigest, contentDigest, digestWith, type RecordedFacts } from './recorded-facts';
import type { AppendedEvent, Unit } from './unit';

/** A unit in a batch, with what stays the same when it is tried again. */
export interface PendingUnit {
  unit: Unit;
  /** The ids of its events. If one of them is already stored, it was our own commit, whose answer was lost. */
  eventIds: string[];
  /** The key of the thread that it creates: what is sealed under it in any try can be opened with the key that is stored. */
  newKey?: NewThreadKey;
  /** The database reported that its thread is deleted. */
  threadDeleted?: true;
  /** By the monotonic clock. */
  answerBy: number;
  /** A try ended without an answer: its events may be stored, with events of others after them. */
  mayBeStored?: true;
  /** How often a limit refused it although the room may have been taken by jobs that their balance does not cover. */
  roomlessTries?: number;
}

export interface DecidedUnit {
  unit: Unit;
  /** All streams of a unit belong to one thread. */
  threadId: string;
  threadDeleted: boolean;
  appended: AppendedEvent[];
  /** The unit's streams after its events. */
  streams: Map<string, Stream>;
}

/**
 * Decides a unit's commands in order, each on the state left by the one before it. Seals and chains the events.
 * @throws DomainError if a command is refused, or if content would be written for a thread whose key is gone; Unsealable if that key was changed
 */
export function decideUnit(
  pending: PendingUnit,
  streamOf: (streamId: string) => Stream,
  { keys, changed }: ReadKeys,
  now: string,
): DecidedUnit {
  const { unit, eventIds } = pending;
  const streams = new Map<string, Stream>();
  const appended: AppendedEvent[] = [];
  for (const command of commandsOf(pending)) {
    let stream = streams.get(command.streamId) ?? streamOf(command.streamId);
    const at = stream.at > now ? stream.at : now;
    const sealing = sealingThread(command, stream);
    const key = keys.get(sealing) ?? changed.get(sealing);
    const decision = decide(stream, command, at, digestWith(key instanceof Unsealable || !key ? null : key));
    // The first event of a command is the cause of the rest of them.
    let { causeVersion } = decision;
    for (const [place, event] of decision.events.entries()) {
      const id = (eventIds[appended.length] ??= newId('evt'));
      const one = recorded(event, stream, { at, id, causeVersion, key, unit, causationId: appended[0]?.record.id ?? null });
      // Uses the recorded facts, so that the state equals the one that a replay would fold.
      stream = evolve(stream, { ...event, facts: one.record.facts } as StoredEvent, at, one.record.hash);
      if (place === 0) causeVersion = one.record.version;
      appended.push(one);
    }
    streams.set(command.streamId, stream);
  }
  const [threadId = '', ...others] = new Set([...streams.values()].map(threadIdOf));
  if (others.length > 0) throw new Error('a unit writes to the streams of one thread');
  return { unit, threadId, threadDeleted: isOfDeletedThread(pending), appended, streams };
}

export const isOfDeletedThread = ({ unit, threadDeleted }: PendingUnit): boolean => threadDeleted === true || unit.threadDeleted === true;

/** If the thread is deleted, its job is ended before anything else is decided, so that nothing more is granted and only costs still count. */
const commandsOf = (pending: PendingUnit): readonly StreamCommand[] =>
  isOfDeletedThread(pending)
    ? pending.unit.commands.flatMap((command): StreamCommand[] =>
        command.kind === 'thread' || command.command.type === 'RequestJob'
          ? [command]
          : [{ kind: 'job', streamId: command.streamId, command: { type: 'EraseContent' } }, command],
      )
    : pending.unit.commands;

/** The thread whose key seals what this command writes. The state of a job knows its thread only after its first event. */
export const sealingThread = ({ command }: StreamCommand, stream: Stream): string =>
  command.type === 'RequestJob' ? command.threadId : threadIdOf(stream);

interface Recording {
  unit: Unit;
  id: string;
  at: string;
  causationId: string | null;
  causeVersion: number | null;
  key: KeyObject | Unsealable | undefined;
}

/** The event as stored: with the facts that every event gets, its content sealed, and chained to the one before it. */
function recorded(
  { type, facts, content, contentJson }: StoredEvent,
  stream: Stream,
  { unit, id, at, causationId, causeVersion, key }: Recording,
) {
  const { actor, correlationId } = unit.meta;
  const place = { streamId: stream.streamId, version: stream.version + 1, type };
  const meta = { occurredAt: at, actor, correlationId, traceparent: null, causationId };
  const contentText = contentJson ?? (content ? JSON.stringify(content) : '');
  const sealed = contentText !== '' ? sealContent(place, contentText, key) : null;
  const { tenantId = tenantIdOf(stream) } = facts as { tenantId?: string };
  const { traceId, clientAddress } = unit.meta;
  const client = clientAddress && key && !(key instanceof Unsealable) ? { clientDigest: clientDigest(key, clientAddress) } : null;
  const own: RecordedFacts = { tenantId, traceId: traceId ?? stream.traceId, causeVersion, ...sealed?.digest, ...client };
  const record = recordOf({ id, ...place, facts: { ...facts, ...own }, meta }, stream.hash, sealed && sealed.bytes);
  return { record, contentText, trace: unit.meta.trace };
}

function sealContent(
  { streamId, version, type }: { streamId: string; version: number; type: string },
  text: string,
  key: KeyObject | Unsealable | undefined,
): { bytes: Buffer; digest: Pick<RecordedFacts, 'contentDigest'> } {
  if (key instanceof Unsealable) throw key;
  if (!key) throw new DomainError('thread_not_found', `The thread of ${streamId} was deleted.`);
  const place = eventPlace(streamId, version, type);
  const content = Buffer.from(text);
  return { bytes: seal(key, place, content), digest: { contentDigest: contentDigest(key, place, content) } };
}
