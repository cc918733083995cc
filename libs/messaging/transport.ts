import type { TraceContext } from '@lib/domain/trace-context';
import type { Work, WorkQueue } from './subjects';

/** The default `max_payload` of nats-server. Every grant and the largest report fit into it. */
export const MIN_PAYLOAD_BYTES = 1024 * 1024;

/** One entry of the work queue in the hands of a consumer. Unless it is acknowledged it comes again. */
export interface Delivery {
  work: Work;
  /** 1 for the first delivery. */
  deliveries: number;
  /** The trace context of the dispatch, if it was sent. */
  trace?: TraceContext | null;
  /** How many entries of its queue waited behind it when it was delivered, if the queue told. */
  behind?: number;
  ack(): void;
  /** Hands it back, to come again after `milliseconds`. */
  retryAfter(milliseconds: number): void;
}

export interface Subscription {
  /** Takes no new entries and resolves once every running handler has ended. */
  stop(): Promise<void>;
}

/** The contents of a queue at a moment. */
export interface Backlog {
  queue: WorkQueue;
  /** Entries that have not been delivered yet. */
  pending: number;
  /** Entries that were delivered and not acknowledged, and those that were handed back. */
  unacknowledged: number;
}

/** `already_queued`: the same piece of work still waits. `not_dispatched`: any other reason; the agenda will try again. */
export type Dispatched = 'queued' | 'already_queued' | 'not_dispatched';

/**
 * How the roles talk to each other. Payloads are plain JSON: no `undefined`, no `Date`, no class instances. Work entries are wake-ups that
 * carry only ids and may be lost or come twice at any time. Research content travels in requests and replies, which no broker stores.
 */
export interface Transport {
  /** Never throws and never waits for the connection: work that is not dispatched stays on the agenda. */
  dispatch(work: Work, trace?: TraceContext | null): Promise<Dispatched>;
  /**
   * Calls `handle` for each entry of the queue, at most `slots` at a time; a slot is free again when the promise settles. A rejected
   * promise leaves the entry unacknowledged. Long work is not delivered to others while its handler runs. Creates the queue if it is
   * missing, also if it vanishes later.
   */
  consume(queue: WorkQueue, slots: number, handle: (delivery: Delivery) => Promise<void>): Promise<Subscription>;
  /** The backlog of the queues that this process consumes. Rejects if the broker does not tell. */
  backlog(): Promise<Backlog[]>;

  /**
   * Asks one of the processes that serve the subject. The answer may come in parts: `hear` is called with each of them but the last, which
   * resolves the promise. Rejects with `RequestFailed`, after which `hear` is not called any more.
   */
  request(subject: string, payload: unknown, timeoutMs: number, hear?: (part: unknown) => void): Promise<unknown>;
  /**
   * Answers requests. If several processes serve a subject, each request goes to `one` of them, or to `every` one, and then the first whole
   * answer counts. A thrown error is passed on as `RequestFailed`.
   */
  serve(subject: string, handle: RequestHandler, asked?: 'one' | 'every'): Promise<Subscription>;

  /** Reaches the subscribers of this moment. Nothing is kept for later ones. */
  publish(subject: string, payload: unknown): void;
  subscribe(subject: string, handle: (payload: unknown, subject: string) => void): Promise<Subscription>;

  /** Milliseconds since the connection has been up without a gap; null while it is down. */
  connectedForMs(): number | null;
  /** Why nothing can be sent or queued, for the log; null if all is well. */
  trouble(): string | null;
  /** Calls back each time the connection is back after a gap. */
  onReconnect(callback: () => void): void;
  /** Largest payload of a request or reply in bytes; infinite where nothing limits it. */
  maxPayloadBytes(): number;
  close(): Promise<void>;
}

/** Resolves with the answer or its last part, or with `NO_ANSWER`; `say` sends a part before that. */
export type RequestHandler = (payload: unknown, say: (part: unknown) => void) => Promise<unknown>;

/** For requests that every process gets: this one has no answer, another may have one. */
export const NO_ANSWER = Symbol('no answer');

/** Where a transport reports what an operator should know; never content. A pino logger fits. */
export interface TransportLogger {
  warn(fields: object, message: string): void;
}

/** The kind of an error, for a log line: its message could hold content. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** A request without an answer: nobody serves the subject, no answer came in time, the server threw, or the broker did not pass it on. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';

  constructor(
    readonly reason: 'no_responders' | 'timeout' | 'disconnected' | 'rejected' | 'not_permitted',
    message: string,
  ) {
    super(message);
  }
}
