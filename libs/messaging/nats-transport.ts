import { messageOfError } from '@lib/domain/message-of-error';
import type { TraceContext } from '@lib/domain/trace-context';
import { headers } from 'nats';
import { MalformedMessage } from './fields';
import { NatsLink } from './nats-connection';
import type { NatsAddress } from './nats-options';
import { NatsConsumer } from './nats-consumer';
import { listen, type MessageHandler } from './nats-listener';
import { NatsReplies } from './nats-replies';
import { ERROR_HEADER, NatsRequests, PART_HEADER } from './nats-requests';
import { NatsWorkQueue } from './nats-work-queue';
import { NatsWorkStream } from './nats-work-stream';
import { INBOX, inboxPrefix, SAGA_GROUP, type Work, type WorkQueue } from './subjects';
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

export interface NatsTransportOptions extends Omit<NatsAddress, 'inbox'> {
  /** Letters, digits, `-` and `_`; deployments with different prefixes on one server do not see each other. Empty for none. */
  prefix: string;
  /** The name by which the broker knows this party: its replies come below a subject of this name. */
  party?: string;
  /** Makes the work stream as soon as there is a connection, not only when it is found missing. */
  keepsStream?: boolean;
  /** Servers of a cluster that keep the work stream, where this process makes it; 1 by default. */
  streamReplicas?: number;
  /** An entry that is neither acknowledged nor handed back comes again after this time, even if its handler still runs; unless it is long work. */
  ackWaitMs?: number;
  logger?: TransportLogger;
}

/**
 * A transport over NATS: JetStream for work entries, core NATS for everything else. It resolves after one attempt to connect, even if that failed;
 * until the connection is up, everything that needs it fails and says so.
 * @throws Error when the prefix or the address is not usable, or the server is too old.
 */
export const connectNats = async (options: NatsTransportOptions): Promise<Transport> => {
  if (!/^[\w-]*$/.test(options.prefix)) {
    throw new Error(`The NATS prefix ${JSON.stringify(options.prefix)} is not usable: letters, digits, "-" and "_" only.`);
  }
  const { prefix, party = 'any' } = options;
  const inbox = inboxPrefix(prefix === '' ? '' : `${prefix}.`, party);
  return new NatsTransport(await NatsLink.open({ ...options, inbox }, options.logger), options);
};

class NatsTransport implements Transport {
  private readonly subjectPrefix: string;
  private readonly ackWaitMs: number;
  private readonly workStream: NatsWorkStream;
  private readonly workQueue: NatsWorkQueue;
  private readonly requests: NatsRequests;
  private readonly replies: NatsReplies;
  private readonly subscriptions = new Set<Subscription>();
  private readonly consumers = new Set<NatsConsumer>();

  constructor(
    private readonly link: NatsLink,
    private readonly options: NatsTransportOptions,
  ) {
    this.subjectPrefix = options.prefix === '' ? '' : `${options.prefix}.`;
    this.requests = new NatsRequests(link);
    this.replies = new NatsReplies(link);
    const { ackWaitMs = 10_000, streamReplicas = 1, logger } = options;
    this.ackWaitMs = ackWaitMs;
    this.workStream = new NatsWorkStream(link, this.subjectPrefix, { ackWaitMs, streamReplicas });
    this.workQueue = new NatsWorkQueue(link, this.requests, this.workStream, this.subjectPrefix, logger);
    if (options.keepsStream) this.workQueue.keepStream();
  }

  dispatch(work: Work, trace?: TraceContext | null): Promise<Dispatched> {
    return this.workQueue.dispatch(work, trace ?? null);
  }

  async consume(queue: WorkQueue, slots: number, handle: (delivery: Delivery) => Promise<void>): Promise<Subscription> {
    const options = { queue, slots, handle, ackWaitMs: this.ackWaitMs, subjectPrefix: this.subjectPrefix };
    const consumer = new NatsConsumer(this.link, this.workStream, options, this.options.logger);
    this.consumers.add(consumer);
    await consumer.reopen();
    return this.remember(() => {
      this.consumers.delete(consumer);
      return consumer.stop();
    });
  }

  async backlog(): Promise<Backlog[]> {
    const asked = await Promise.allSettled([...this.consumers].map((consumer) => consumer.backlog()));
    const told = asked.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    const refused: unknown[] = asked.filter((answer) => answer.status === 'rejected').map(({ reason }): unknown => reason);
    if (told.length === 0 && refused.length > 0) throw refused[0];
    for (const error of refused)
      this.options.logger?.warn({ reason: 'queue_not_counted', err: error }, 'the broker did not tell what waits in one of the queues');
    return told;
  }

  async request(subject: string, payload: unknown, timeoutMs: number, hear?: (part: unknown) => void): Promise<unknown> {
    const connection = this.link.current();
    if (connection === null) throw new RequestFailed('disconnected', `request ${subject}: NATS is not connected`);
    const data = this.encode(subject, payload);
    return this.requests.send(connection, { subject, address: this.subjectPrefix + subject, data, timeoutMs, hear });
  }

  serve(subject: string, handle: RequestHandler, asked: 'one' | 'every' = 'one'): Promise<Subscription> {
    return this.listen(subject, asked === 'one' ? SAGA_GROUP : undefined, async (message, pause) => {
      // The asker chooses the subject of the answer. We answer only into inboxes: otherwise an asker could make us publish to subjects that it may
      // not publish to.
      if (!message.reply?.startsWith(`${INBOX}.`)) throw new MalformedMessage('the answer is not wanted in an inbox');
      if (!(await this.replies.mayAnswer(message.reply))) return pause();
      try {
        const payload: unknown = message.json();
        const answer = await handle(payload, (part) => message.respond(this.encode(subject, part), { headers: marked(PART_HEADER, '1') }));
        if (answer !== NO_ANSWER) message.respond(this.encode(subject, answer));
      } catch (error) {
        const text = JSON.stringify(messageOfError(error));
        message.respond(text, { headers: marked(ERROR_HEADER, nameOf(error)) });
      }
    });
  }

  publish(subject: string, payload: unknown): void {
    const address = this.subjectPrefix + subject;
    if (this.link.mayPublish(address)) this.link.current()?.publish(address, JSON.stringify(payload));
  }

  subscribe(subject: string, handle: (payload: unknown, subject: string) => void): Promise<Subscription> {
    return this.listen(subject, undefined, async (message) => {
      handle(message.json(), message.subject.slice(this.subjectPrefix.length));
    });
  }

  connectedForMs(): number | null {
    return this.link.connectedForMs();
  }

  trouble(): string | null {
    const failure = this.link.trouble();
    return failure && `${failure.what}. ${failure.remedy}`;
  }

  onReconnect(callback: () => void): void {
    this.link.onUp(() => callback());
  }

  maxPayloadBytes(): number {
    return this.link.maxPayloadBytes();
  }

  async close(): Promise<void> {
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    this.requests.close();
    await this.link.close();
  }

  private async listen(subject: string, queue: string | undefined, handle: MessageHandler): Promise<Subscription> {
    const listened = { address: this.subjectPrefix + subject, ...(queue !== undefined && { queue }) };
    const { stop } = await listen(this.link, listened, handle, this.options.logger);
    return this.remember(stop);
  }

  private remember(stop: () => Promise<void>): Subscription {
    const subscription = {
      stop: async () => {
        this.subscriptions.delete(subscription);
        await stop();
      },
    };
    this.subscriptions.add(subscription);
    return subscription;
  }

  private encode(subject: string, payload: unknown): Buffer {
    const data = Buffer.from(JSON.stringify(payload ?? null));
    const limit = this.maxPayloadBytes();
    if (data.length <= limit) return data;
    throw new RequestFailed('rejected', `${subject}: ${data.length} bytes are more than the ${limit} that the NATS server takes`);
  }
}

const marked = (name: string, value: string) => {
  const marks = headers();
  marks.set(name, value);
  return marks;
};
