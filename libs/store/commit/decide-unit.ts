import type { KeyObject } from 'node:crypto';
import { DomainError } from '@lib/domain/errors';
import { newId } from '../new-id';
import { eventPlace, seal, Unsealable } from '../sealing/seal';
import type { ReadKeys } from '../sealing/thread-keys';
import { decide, evolve, threadIdOf, type Stream, type StreamCommand } from '../history/aggregates';
import { recordOf } from '../history/event-record';
import type { AppendedEvent, Unit } from './unit';

/** A unit on its way through a batch. What was made for it once stays the same when the batch is tried again. */
export interface PendingUnit {
  unit: Unit;
  /** A conflict on an event of these ids is our own commit, whose answer was lost. */
  eventIds: string[];
  /** Its thread is gone, as the database said. */
  threadDeleted?: true;
  /** On the monotonic clock. */
  answerBy: number;
  /** A try of it broke off without an answer: its events may be stored by now, and others after them. */
  mayBeStored?: true;
}

export interface Decided {
  unit: Unit;
  /** All streams of a unit belong to one thread. */
  threadId: string;
  threadDeleted: boolean;
  appended: AppendedEvent[];
  /** The unit's streams after its events. */
  streams: Map<string, Stream>;
}

/**
 * Decides a unit's commands in order, each on the state that the one before left, and seals and chains the events.
 * @throws DomainError if a command is refused, or if content would be written for a thread whose key is gone; Unsealable if that key was changed
 */
export function decideUnit(
  pending: PendingUnit,
  streamOf: (streamId: string) => Stream,
  { keys, changed }: ReadKeys,
  now: string,
): Decided {
  const { unit, eventIds } = pending;
  const streams = new Map<string, Stream>();
  const appended: AppendedEvent[] = [];
  for (const command of commandsOf(pending)) {
    let stream = streams.get(command.streamId) ?? streamOf(command.streamId);
    const at = stream.at > now ? stream.at : now;
    for (const { type, facts, content } of decide(stream, command, at)) {
      const id = (eventIds[appended.length] ??= newId('evt'));
      const causationId = appended[0]?.record.id ?? null;
      const meta = { occurredAt: at, ...unit.meta, causationId };
      const place = { streamId: stream.streamId, version: stream.version + 1, type };
      const text = content ? JSON.stringify(content) : '';
      const sealing = sealingThread(command, stream);
      const sealed = content ? sealContent(place, text, keys.get(sealing) ?? changed.get(sealing)) : null;
      const record = recordOf({ id, ...place, facts, meta }, stream.hash, sealed);
      stream = evolve(stream, { type, facts, content } as Parameters<typeof evolve>[1], at, record.hash);
      appended.push({ record, content: content ?? null, contentText: text });
    }
    streams.set(command.streamId, stream);
  }
  const [threadId = '', ...others] = new Set([...streams.values()].map(threadIdOf));
  if (others.length > 0) throw new Error('a unit writes to the streams of one thread');
  return { unit, threadId, threadDeleted: isOfDeletedThread(pending), appended, streams };
}

export const isOfDeletedThread = ({ unit, threadDeleted }: PendingUnit): boolean => threadDeleted === true || unit.threadDeleted === true;

/** A job of a deleted thread ends before whatever else would be decided about it: then nothing of it is granted, and only costs still count. */
const commandsOf = (pending: PendingUnit): readonly StreamCommand[] =>
  isOfDeletedThread(pending)
    ? pending.unit.commands.flatMap((command): StreamCommand[] =>
        command.kind === 'thread' || command.command.type === 'RequestJob'
          ? [command]
          : [{ kind: 'job', streamId: command.streamId, command: { type: 'EraseContent' } }, command],
      )
    : pending.unit.commands;

/** The thread whose key seals what this command writes; a job's first event is sealed before its state knows the thread. */
export const sealingThread = ({ command }: StreamCommand, stream: Stream): string =>
  command.type === 'RequestJob' ? command.threadId : threadIdOf(stream);

function sealContent(
  { streamId, version, type }: { streamId: string; version: number; type: string },
  text: string,
  key: KeyObject | Unsealable | undefined,
): Buffer {
  if (key instanceof Unsealable) throw key;
  if (!key) throw new DomainError('thread_not_found');
  return seal(key, eventPlace(streamId, version, type), text);
}
