import type { Digest } from '@lib/domain/digest';
import { causeOf } from '@lib/domain/job/cause';
import { decideJob } from '@lib/domain/job/decide';
import type { JobCommand } from '@lib/domain/job/commands';
import type { JobEvent } from '@lib/domain/job/events';
import { evolveJob, initialJob, type JobState } from '@lib/domain/job/state';
import { evolveTenant, initialTenant, TENANT_STREAM, type TenantEvent, type TenantState } from '@lib/domain/tenant';
import { decideThread, evolveThread, initialThread, type ThreadCommand, type ThreadEvent, type ThreadState } from '@lib/domain/thread';

/** Commands of the write path: on threads and jobs. */
export type StreamCommand =
  { kind: 'thread'; streamId: string; command: ThreadCommand } | { kind: 'job'; streamId: string; command: JobCommand };

export type StoredEvent = ThreadEvent | JobEvent | TenantEvent;

/** Every stream is a thread, a job or a tenant; the prefix of its id says which. */
export type StreamState =
  { kind: 'thread'; state: ThreadState } | { kind: 'job'; state: JobState } | { kind: 'tenant'; state: TenantState };

/** A folded stream: its state, and the hash that the next event is chained to. */
export type Stream = StreamState & {
  streamId: string;
  version: number;
  /** Hash of the last event; null before the first. */
  hash: Buffer | null;
  /** When the last event occurred. The times of a stream never run backwards. */
  at: string;
  /** The trace id of the request that began a job; null for a thread, which only requests write to. */
  traceId: string | null;
};

export function emptyStream(streamId: string): Stream {
  const start = { streamId, version: 0, hash: null, at: '', traceId: null };
  if (streamId.startsWith(TENANT_STREAM)) return { ...start, kind: 'tenant', state: initialTenant };
  return streamId.startsWith('thr_') ? { ...start, kind: 'thread', state: initialThread } : { ...start, kind: 'job', state: initialJob };
}

/** Events, and the version of the event that they react to; null if that one is in another stream. */
export interface Decision {
  events: StoredEvent[];
  causeVersion: number | null;
}

export function decide(stream: Stream, { kind, command }: StreamCommand, at: string, digest: Digest): Decision {
  if (stream.kind === 'thread' && kind === 'thread')
    return { events: decideThread(command, stream.state, stream.streamId), causeVersion: null };
  if (stream.kind === 'job' && kind === 'job') {
    const events = decideJob(command, stream.state, at, digest);
    return { events, causeVersion: events.length > 0 ? causeOf(command, stream.state) : null };
  }
  throw new Error(`the command ${command.type} does not belong to the stream ${stream.streamId}`);
}

/** Folds one event; `hash` is that event's own. */
export function evolve(stream: Stream, event: StoredEvent, at: string, hash: Buffer | null): Stream {
  const next = { streamId: stream.streamId, version: stream.version + 1, hash, at, traceId: stream.traceId };
  if (event.type === 'JobRequested') next.traceId = (event.facts as { traceId?: string | null }).traceId ?? null;
  if (stream.kind === 'tenant') return { ...next, kind: 'tenant', state: evolveTenant(stream.state, event as TenantEvent, at) };
  return stream.kind === 'thread'
    ? { ...next, kind: 'thread', state: evolveThread(stream.state, event as ThreadEvent, at) }
    : { ...next, kind: 'job', state: evolveJob(stream.state, event as JobEvent, at) };
}

/** The thread whose key seals the content of this stream; a tenant's stream, which has no content, gives its own id. */
export const threadIdOf = (stream: Stream): string => (stream.kind === 'job' ? stream.state.threadId : stream.streamId);

/** The tenant of a stream after its first event. */
export const tenantIdOf = (stream: Stream): string => stream.state.tenantId;

/** @throws Error if there is no stream, or it is no job's */
export function jobStateIn(stream: Stream | undefined): JobState {
  if (stream?.kind !== 'job') throw new Error(`${stream?.streamId ?? 'a stream that is missing'} is no job`);
  return stream.state;
}

/** @throws Error if there is no stream, or it is no tenant's */
export function tenantStateIn(stream: Stream | undefined): TenantState {
  if (stream?.kind !== 'tenant') throw new Error(`${stream?.streamId ?? 'a stream that is missing'} is no tenant`);
  return stream.state;
}

/** @throws Error if there is no stream, or it is no thread's */
export function threadStateIn(stream: Stream | undefined): ThreadState {
  if (stream?.kind !== 'thread') throw new Error(`${stream?.streamId ?? 'a stream that is missing'} is no thread`);
  return stream.state;
}
