import type { TraceContext } from '@lib/domain/trace-context';
import { tellHolding, type Held } from '@lib/memory/holdings';
import type { Work } from './subjects';
import { nameOf, type Delivery, type Dispatched, type Subscription, type TransportLogger } from './transport';

/** Estimated size of an entry with its subject, its ids, its places in the queue and its timer. */
const ENTRY_BYTES = 1024;
/** Entries that do not fit stay on the agenda, as with a broker whose stream is full. */
const MAX_BYTES = 16 * 1024 * 1024;

const heldByEntries = ({ size }: ReadonlyMap<string, Entry>): Held => ({ items: size, bytes: size * ENTRY_BYTES });

interface Entry {
  subject: string;
  work: Work;
  trace: TraceContext | null;
  deliveries: number;
  /** Runs while the entry waits for its next delivery. */
  timer?: NodeJS.Timeout;
}

interface Consumer {
  freeSlots: number;
  handle: (delivery: Delivery) => Promise<void>;
  running: Set<Promise<void>>;
}

/** A work queue within this process, with the rules of the real one: one entry per subject, and an entry that is not acknowledged comes again. */
export class MemoryWorkQueue {
  private readonly entries = new Map<string, Entry>();
  private readonly ready = new Set<Entry>();
  private consumers: Consumer[] = [];

  constructor(
    private readonly ackWaitMs: number,
    private readonly logger: TransportLogger | undefined,
  ) {
    tellHolding(this.entries, 'work queues', MAX_BYTES, heldByEntries);
  }

  dispatch(subject: string, work: Work, trace: TraceContext | null): Dispatched {
    if (this.entries.has(subject)) return 'already_queued';
    if ((this.entries.size + 1) * ENTRY_BYTES > MAX_BYTES) return 'not_dispatched';
    const entry = { subject, work, trace, deliveries: 0 };
    this.entries.set(subject, entry);
    this.makeReady(entry);
    return 'queued';
  }

  consume(slots: number, handle: (delivery: Delivery) => Promise<void>): Subscription {
    const consumer: Consumer = { freeSlots: slots, handle, running: new Set() };
    this.consumers.push(consumer);
    this.handOut();
    return { stop: () => this.stop(consumer) };
  }

  /** Null if nobody consumes the queue. */
  backlog(): { pending: number; unacknowledged: number } | null {
    if (this.consumers.length === 0) return null;
    return { pending: this.ready.size, unacknowledged: this.entries.size - this.ready.size };
  }

  async close(): Promise<void> {
    await Promise.all(this.consumers.map((consumer) => this.stop(consumer)));
    for (const { timer } of this.entries.values()) clearTimeout(timer);
    this.entries.clear();
    this.ready.clear();
  }

  private async stop(consumer: Consumer): Promise<void> {
    this.consumers = this.consumers.filter((other) => other !== consumer);
    await Promise.all(consumer.running);
  }

  private makeReady(entry: Entry): void {
    this.ready.add(entry);
    this.handOut();
  }

  private handOut(): void {
    for (const entry of this.ready) {
      const consumer = this.consumers.find(({ freeSlots }) => freeSlots > 0);
      if (!consumer) return;
      // Moves it to the end of the line: consumers of one queue take turns.
      this.consumers = [...this.consumers.filter((other) => other !== consumer), consumer];
      this.ready.delete(entry);
      const run = this.deliver(entry, consumer).then(() => {
        consumer.running.delete(run);
        consumer.freeSlots += 1;
        this.handOut();
      });
      consumer.freeSlots -= 1;
      consumer.running.add(run);
    }
  }

  private async deliver(entry: Entry, consumer: Consumer): Promise<void> {
    entry.deliveries += 1;
    const redeliverAt = performance.now() + this.ackWaitMs;
    let settled = false;
    const once = (settle: () => void) => () => {
      if (!settled) settle();
      settled = true;
    };
    const delivery: Delivery = {
      work: entry.work,
      trace: entry.trace,
      deliveries: entry.deliveries,
      behind: this.ready.size,
      ack: once(() => this.remove(entry)),
      retryAfter: (milliseconds) => once(() => this.readyAfter(entry, milliseconds))(),
    };
    // A handler starts after the dispatcher has gone on, as it would behind a wire.
    await Promise.resolve();
    try {
      await consumer.handle(delivery);
    } catch (error) {
      this.logger?.warn(
        { reason: 'work_handler_failed', ...entry.work, error: nameOf(error) },
        'a work entry was not handled and will come again',
      );
    }
    once(() => this.readyAfter(entry, redeliverAt - performance.now()))();
  }

  private readyAfter(entry: Entry, milliseconds: number): void {
    entry.timer = setTimeout(() => this.makeReady(entry), Math.max(0, milliseconds));
  }

  private remove(entry: Entry): void {
    this.ready.delete(entry);
    if (this.entries.get(entry.subject) === entry) this.entries.delete(entry.subject);
  }
}
