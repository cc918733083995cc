import type { Msg, NatsConnection, Subscription as NatsSubscription } from 'nats';
import type { NatsLink } from './nats-connection';
import { codeOf } from './nats-failures';
import { holdEntry, nakFor } from './nats-delivery';
import type { NatsWorkStream } from './nats-work-stream';
import { readWork, takesLong, type Work, type WorkQueue } from './subjects';
import { nameOf, RequestFailed, type Backlog, type Delivery, type Subscription, type TransportLogger } from './transport';

/**
 * All pulls of a round end at the same moment, so that a pull which the server lost is noticed soon afterwards. A round must not be longer,
 * since until its end the server also sends entries to a process that stands still, and each of those comes again only after its ack_wait.
 */
const ROUND_MS = 5_000;
/** How much later than that the server's word that a pull is over may come. */
const ROUND_GRACE_MS = 2_000;
/** The same on a slow connection, in round trips. */
const ROUND_GRACE_TRIPS = 2;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/** How long an entry that only a newer build can read is left alone: this process may be the next to get it. */
const LEFT_MS = 2_000;

export interface ConsumerOptions {
  queue: WorkQueue;
  slots: number;
  ackWaitMs: number;
  /** Ends in a dot, or is empty. */
  subjectPrefix: string;
  handle: (delivery: Delivery) => Promise<void>;
}

/**
 * Pulls entries of one queue. It never asks the server for more entries than it has free slots, since the ack_wait of an entry that waits
 * here would run out. Every failure ends in `reopen`: a new inbox, the consumer made again, a new pull.
 */
export class NatsConsumer implements Subscription {
  /** Entries that the server may send at any moment. */
  private requested = 0;
  private running = 0;
  private inbox: NatsSubscription | null = null;
  private pullSubject = '';
  private roundEndsAt = 0;
  private graceMs = ROUND_GRACE_MS;
  private roundTimer: NodeJS.Timeout | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private retryMs = FIRST_RETRY_MS;
  private pullScheduled = false;
  private opening = 0;
  private stopped = false;
  private becameIdle: (() => void) | undefined;
  private readonly forgetLink: () => void;

  constructor(
    private readonly link: NatsLink,
    private readonly stream: NatsWorkStream,
    private readonly options: ConsumerOptions,
    private readonly logger: TransportLogger | undefined,
  ) {
    this.forgetLink = link.onUp(() => void this.reopen());
  }

  /** Starts over on the present connection, if there is one. */
  async reopen(): Promise<void> {
    const connection = this.link.current();
    this.abandonPulls();
    if (this.stopped || connection === null) return;
    const attempt = ++this.opening;
    const askedAt = performance.now();
    try {
      const consumer = await this.stream.ensureConsumer(connection, this.options.queue);
      // Another attempt has begun meanwhile, or nobody wants entries any more.
      if (attempt !== this.opening || this.stopped) return;
      // If each round of a slow connection were given up, its entries would come to an inbox that nobody reads, and again only after their ack_wait.
      this.graceMs = Math.max(ROUND_GRACE_MS, (performance.now() - askedAt) * ROUND_GRACE_TRIPS);
      this.pullSubject = `$JS.API.CONSUMER.MSG.NEXT.${this.stream.name}.${consumer}`;
      this.inbox = connection.subscribe(this.link.newInbox(), { callback: (error, message) => this.receive(error, message) });
      this.pull(connection);
    } catch (error) {
      if (attempt === this.opening) this.retryLater(codeOf(error));
    }
  }

  async backlog(): Promise<Backlog> {
    const connection = this.link.current();
    if (connection === null) throw new RequestFailed('disconnected', 'NATS is not connected');
    return this.stream.backlog(connection, this.options.queue);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.forgetLink();
    clearTimeout(this.roundTimer);
    clearTimeout(this.retryTimer);
    // Entries that are on their way already are handed back as they arrive.
    await this.link.endSubscription(this.inbox);
    if (this.running > 0) await new Promise<void>((resolve) => (this.becameIdle = resolve));
  }

  private abandonPulls(): void {
    clearTimeout(this.roundTimer);
    clearTimeout(this.retryTimer);
    this.inbox?.unsubscribe();
    this.inbox = null;
    this.requested = 0;
  }

  private retryLater(reason: string): void {
    if (this.stopped) return;
    this.logger?.warn(
      { reason: 'queue_unavailable', ...this.options.queue, code: reason },
      `no work can be pulled; next try in ${this.retryMs} ms`,
    );
    this.abandonPulls();
    this.retryTimer = setTimeout(() => void this.reopen(), this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, LAST_RETRY_MS);
  }

  /**
   * Pulls again once less than half of the free slots are covered by pulls, so that most entries cost no pull. Slots that become free in
   * the same turn of the event loop share a pull.
   */
  private schedulePull(): void {
    const free = this.options.slots - this.running;
    if (this.pullScheduled || this.requested * 2 > free) return;
    this.pullScheduled = true;
    setImmediate(() => {
      this.pullScheduled = false;
      const connection = this.link.current();
      if (connection && this.inbox) this.pull(connection);
    });
  }

  private pull(connection: NatsConnection): void {
    const wanted = this.options.slots - this.running - this.requested;
    if (this.stopped || wanted <= 0) return;
    if (this.requested === 0) this.beginRound();
    const expires = Math.floor((this.roundEndsAt - performance.now()) * 1e6);
    // The round is over in a moment: its end brings the next pull.
    if (expires < 1e6) return;
    this.requested += wanted;
    connection.publish(this.pullSubject, JSON.stringify({ batch: wanted, expires }), { reply: this.inbox?.getSubject() });
  }

  private beginRound(): void {
    this.roundEndsAt = performance.now() + ROUND_MS;
    clearTimeout(this.roundTimer);
    this.roundTimer = setTimeout(() => {
      if (this.requested > 0) this.retryLater('pull_lost');
    }, ROUND_MS + this.graceMs);
  }

  private receive(error: Error | null, message: Msg): void {
    if (error) return this.retryLater(codeOf(error));
    if (message.headers && message.headers.code > 0) return this.receiveStatus(message.headers.code, message);
    this.requested = Math.max(0, this.requested - 1);
    this.retryMs = FIRST_RETRY_MS;
    if (this.stopped || this.running >= this.options.slots) return void message.respond('-NAK');
    const work = readWork(message.subject.slice(this.options.subjectPrefix.length), message.string());
    if ('unreadable' in work) {
      this.refuse(message, work);
      return this.schedulePull();
    }
    this.schedulePull();
    void this.run(message, work);
  }

  private refuse(message: Msg, { unreadable: why, isNewer = false }: { unreadable: string; isNewer?: boolean }): void {
    const subject = this.options.queue.kind;
    if (isNewer) this.logger?.warn({ reason: 'newer_message', subject, why }, 'a message on the work queue is left to a newer build');
    else this.logger?.warn({ reason: 'poison_message', subject, why }, 'a message on the work queue was dropped');
    message.respond(isNewer ? nakFor(LEFT_MS) : '+TERM');
  }

  /** 408: a pull ran out before all of its entries had come. After any other status the queue is opened anew. */
  private receiveStatus(code: number, message: Msg): void {
    const left = Number(message.headers?.get('Nats-Pending-Messages') || Number.NaN);
    if (code !== 408 || Number.isNaN(left)) return this.retryLater(`${code} ${message.headers?.description ?? ''}`.trim());
    this.retryMs = FIRST_RETRY_MS;
    this.requested = Math.max(0, this.requested - left);
    this.schedulePull();
  }

  private async run(message: Msg, work: Work): Promise<void> {
    this.running += 1;
    const { queue, ackWaitMs, handle } = this.options;
    const held = holdEntry(message, work, (words) => this.settle(message, words), takesLong(queue) ? ackWaitMs : null);
    try {
      await handle(held.delivery);
    } catch (error) {
      this.logger?.warn(
        { reason: 'work_handler_failed', ...work, error: nameOf(error) },
        'a work entry was not handled and will come again',
      );
    }
    held.release();
    this.running -= 1;
    if (this.running === 0) this.becameIdle?.();
    this.schedulePull();
  }

  /** Not awaited: an acknowledgement that is lost costs a redelivery. */
  private settle(message: Msg, answer: string): void {
    if (this.link.current()) message.respond(answer);
  }
}
