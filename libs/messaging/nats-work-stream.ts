import { HOUR_MS } from '@lib/domain/durations';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type NatsConnection,
  type NatsError,
  type StreamConfig,
} from 'nats';
import type { NatsLink } from './nats-connection';
import { codeOf } from './nats-failures';
import { consumerName, queueSubject, streamName, type WorkQueue } from './subjects';
import type { Backlog } from './transport';

/** How long the server may take to answer a request about the stream. */
export const STREAM_TIMEOUT_MS = 5_000;

const NANOSECONDS_PER_MS = 1e6;
const MAX_AGE_MS = HOUR_MS;
const MAX_BYTES = 128 * 1024 * 1024;
/** More open pulls than all workers of a queue ever have together; a server holds them in memory only. */
const MAX_WAITING_PULLS = 8_192;

/** The server's codes for a stream and a consumer that exist with another configuration. */
const STREAM_DIFFERS = 10058;
const CONSUMER_DIFFERS = 10148;
const STREAM_MISSING = 10059;
/** The client's code where the server does not let this user publish. */
const NOT_PERMITTED = 'PERMISSIONS_VIOLATION';
/** Also for a stream that exists: its bytes are counted a second time before anybody looks. */
const NO_ROOM = 10047;

/** For an operator whose stream takes no entry: whatever was changed in it, a new one has our rules. */
export const streamRemedy = (name: string): string =>
  `Look at its limits (nats stream info ${name}), or remove it (nats stream rm ${name}): it is made anew, and every waiting job is dispatched again.`;

/** The JetStream stream that holds the work entries, and the consumers that read it. Makes them wherever they are missing. */
export class NatsWorkStream {
  readonly name: string;
  private creating: Promise<void> | null = null;

  constructor(
    private readonly link: NatsLink,
    /** Ends in a dot, or is empty. */
    private readonly subjectPrefix: string,
    private readonly settings: { ackWaitMs: number; streamReplicas: number },
  ) {
    this.name = streamName(subjectPrefix);
  }

  /** Makes the stream if it is missing, and puts its rules right if they differ. Callers at the same time share one attempt. */
  ensure(connection: NatsConnection): Promise<void> {
    this.creating ??= this.create(connection).finally(() => {
      this.creating = null;
    });
    return this.creating;
  }

  private async create(connection: NatsConnection): Promise<void> {
    // The stream is then made by whoever may.
    if (!this.link.mayPublish(`$JS.API.STREAM.CREATE.${this.name}`)) return;
    const wanted = {
      subjects: [`${this.subjectPrefix}work.>`],
      max_msgs: -1,
      max_msg_size: -1,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
      max_age: MAX_AGE_MS * NANOSECONDS_PER_MS,
    } satisfies Partial<StreamConfig>;
    const manager = await managerOf(connection);
    try {
      const fixed = {
        retention: RetentionPolicy.Workqueue,
        storage: StorageType.File,
        max_bytes: MAX_BYTES,
        num_replicas: this.settings.streamReplicas,
      };
      await manager.streams.add({ name: this.name, ...fixed, ...wanted });
    } catch (error) {
      if (codeOf(error) === NOT_PERMITTED) return;
      const code = apiErrorCode(error);
      if (code !== STREAM_DIFFERS && code !== NO_ROOM) throw error;
      // Replicas and the room for all entries are the operator's; the rules of the queue are ours.
      await manager.streams.update(this.name, wanted).catch((failure: unknown) => {
        throw code === NO_ROOM ? error : failure;
      });
    }
  }

  /** Makes the queue's durable consumer, and the stream where that is missing; returns the consumer's name. */
  async ensureConsumer(connection: NatsConnection, queue: WorkQueue): Promise<string> {
    try {
      return await this.makeConsumer(connection, queue);
    } catch (error) {
      if (apiErrorCode(error) !== STREAM_MISSING) throw error;
      await this.ensure(connection);
      return this.makeConsumer(connection, queue);
    }
  }

  /** As the queue's consumer counts it, which all processes that pull from the queue share. */
  async backlog(connection: NatsConnection, queue: WorkQueue): Promise<Backlog> {
    const manager = await managerOf(connection);
    const { num_pending: pending, num_ack_pending: unacknowledged } = await manager.consumers.info(this.name, consumerName(queue));
    return { queue, pending, unacknowledged };
  }

  private async makeConsumer(connection: NatsConnection, queue: WorkQueue): Promise<string> {
    const name = consumerName(queue);
    const manager = await managerOf(connection);
    const changeable = { ack_wait: this.settings.ackWaitMs * NANOSECONDS_PER_MS, max_deliver: -1, max_ack_pending: -1 };
    try {
      await manager.consumers.add(this.name, {
        durable_name: name,
        filter_subject: this.subjectPrefix + queueSubject(queue),
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        max_waiting: MAX_WAITING_PULLS,
        mem_storage: this.mayForget(connection),
        ...changeable,
      });
    } catch (error) {
      if (apiErrorCode(error) !== CONSUMER_DIFFERS) throw error;
      await manager.consumers.update(this.name, name, changeable);
    }
    return name;
  }

  /**
   * A consumer's state is kept in memory. It is worth nothing: without it, entries that are not acknowledged come again, and on disk each
   * change would replace a file. In a cluster, however, servers that forgot it wait for all that keep it: after a restart of two of three,
   * nothing would be delivered.
   */
  private mayForget(connection: NatsConnection): boolean {
    return this.settings.streamReplicas === 1 && connection.info?.cluster === undefined;
  }
}

const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  connection.jetstreamManager({ checkAPI: false, timeout: STREAM_TIMEOUT_MS });

const apiErrorCode = (error: unknown): number | undefined => (error as NatsError).api_error?.err_code;
