import { messageOfError } from '@lib/domain/message-of-error';
import type { TraceContext } from '@lib/domain/trace-context';
import { MemoryWorkQueue } from './memory-work-queue';
import { matchesSubject, queueSubject, workSubject, type Work, type WorkQueue } from './subjects';
import {
  nameOf,
  NO_ANSWER,
  RequestFailed,
  type Backlog,
  type Delivery,
  type Dispatched,
  type RequestHandler,
  type Subscription,
  type Transport,
  type TransportLogger,
} from './transport';

export interface MemoryTransportOptions {
  /** An entry whose handler ended without `ack` or `retryAfter` is delivered again after this time. */
  ackWaitMs?: number;
  logger?: TransportLogger;
}

/**
 * A transport between roles in one process: the embedded default. Payloads are handed over as they are, without a copy, so neither
 * side may change one afterwards. Everything queued is gone with the process; the agenda brings it back.
 */
export const createMemoryTransport = (options: MemoryTransportOptions = {}): Transport => new MemoryTransport(options);

interface Server {
  handle: RequestHandler;
  asked: 'one' | 'every';
  running: Set<Promise<unknown>>;
}

interface Listener {
  pattern: string;
  handle: (payload: unknown, subject: string) => void;
}

class MemoryTransport implements Transport {
  private readonly queues = new Map<string, { queue: WorkQueue; entries: MemoryWorkQueue }>();
  private readonly servers = new Map<string, Server[]>();
  private readonly listeners = new Set<Listener>();
  private readonly startedAt = performance.now();
  private closed = false;

  constructor(private readonly options: MemoryTransportOptions) {}

  async dispatch(work: Work, trace: TraceContext | null = null): Promise<Dispatched> {
    return this.closed ? 'not_dispatched' : this.queueOf(work).dispatch(workSubject(work), work, trace);
  }

  async consume(queue: WorkQueue, slots: number, handle: (delivery: Delivery) => Promise<void>): Promise<Subscription> {
    return this.queueOf(queue).consume(slots, handle);
  }

  async backlog(): Promise<Backlog[]> {
    return [...this.queues.values()].flatMap(({ queue, entries }) => {
      const counts = entries.backlog();
      return counts ? [{ queue, ...counts }] : [];
    });
  }

  async request(subject: string, payload: unknown, timeoutMs: number, hear: (part: unknown) => void = () => undefined): Promise<unknown> {
    if (this.closed) throw new RequestFailed('disconnected', `request ${subject}: the transport is closed`);
    const asked = this.nextServers(subject);
    if (asked.length === 0) throw new RequestFailed('no_responders', `request ${subject}: nobody serves it`);
    return new Promise((accept, reject) => {
      let settled = false;
      const settle = (how: () => void): void => {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        how();
      };
      const late = (): void => reject(new RequestFailed('timeout', `request ${subject}: no answer within ${timeoutMs} ms`));
      const timer = setTimeout(() => settle(late), timeoutMs);
      const say = (part: unknown): void => (settled ? undefined : hear(part));
      for (const server of asked) {
        const answer = answerOf(subject, server.handle, payload, say);
        server.running.add(answer);
        void answer
          .then(
            (given) => (given === NO_ANSWER ? undefined : settle(() => accept(given))),
            (failure: Error) => settle(() => reject(failure)),
          )
          .then(() => server.running.delete(answer));
      }
    });
  }

  async serve(subject: string, handle: RequestHandler, asked: 'one' | 'every' = 'one'): Promise<Subscription> {
    const server: Server = { handle, asked, running: new Set() };
    const serving = this.servers.get(subject) ?? [];
    this.servers.set(subject, serving);
    serving.push(server);
    return {
      stop: async () => {
        if (serving.includes(server)) serving.splice(serving.indexOf(server), 1);
        await Promise.allSettled(server.running);
      },
    };
  }

  publish(subject: string, payload: unknown): void {
    for (const listener of this.listeners) {
      if (matchesSubject(listener.pattern, subject)) queueMicrotask(() => this.tell(listener, payload, subject));
    }
  }

  async subscribe(pattern: string, handle: Listener['handle']): Promise<Subscription> {
    const listener = { pattern, handle };
    this.listeners.add(listener);
    return { stop: async () => void this.listeners.delete(listener) };
  }

  connectedForMs(): number | null {
    return this.closed ? null : performance.now() - this.startedAt;
  }

  trouble(): string | null {
    return this.closed ? 'the transport is closed' : null;
  }

  /** Never called: there is no connection that could break. */
  onReconnect(): void {}

  maxPayloadBytes(): number {
    return Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.listeners.clear();
    const answers = [...this.servers.values()].flat().flatMap(({ running }) => [...running]);
    this.servers.clear();
    await Promise.allSettled([...answers, ...[...this.queues.values()].map(({ entries }) => entries.close())]);
  }

  /** The servers that get a request: the next one of those that share requests, and all that get every request. */
  private nextServers(subject: string): Server[] {
    const serving = this.servers.get(subject) ?? [];
    const next = serving.find(({ asked }) => asked === 'one');
    // Moves it to the end of the line: servers of one subject take turns.
    if (next) serving.push(...serving.splice(serving.indexOf(next), 1));
    return serving.filter((server) => server === next || server.asked === 'every');
  }

  private queueOf(work: Work | WorkQueue): MemoryWorkQueue {
    const subject = queueSubject(work);
    const existing = this.queues.get(subject);
    if (existing) return existing.entries;
    const entries = new MemoryWorkQueue(this.options.ackWaitMs ?? 10_000, this.options.logger);
    const queue = 'provider' in work ? { kind: work.kind, provider: work.provider } : { kind: work.kind };
    this.queues.set(subject, { queue, entries });
    return entries;
  }

  private tell(listener: Listener, payload: unknown, subject: string): void {
    if (!this.listeners.has(listener)) return;
    try {
      listener.handle(payload, subject);
    } catch (error) {
      this.options.logger?.warn({ reason: 'listener_failed', subject, error: nameOf(error) }, 'a listener threw');
    }
  }
}

const answerOf = async (subject: string, handle: RequestHandler, payload: unknown, say: (part: unknown) => void): Promise<unknown> => {
  // A handler starts after its caller has gone on, as it would behind a wire.
  await Promise.resolve();
  try {
    return await handle(payload, say);
  } catch (error) {
    throw new RequestFailed('rejected', `request ${subject}: ${messageOfError(error)}`);
  }
};
