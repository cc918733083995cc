import { HOUR_MS } from '@lib/domain/durations';
import { traceparentOf, type TraceContext } from '@lib/domain/trace-context';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  headers,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type MsgHdrs,
  type NatsConnection,
  type NatsError,
  type StreamConfig,
} from 'nats';
import type { NatsLink } from './nats-connection';
import { codeOf } from './nats-failures';
import type { NatsRequests } from './nats-requests';
import { consumerName, queueSubject, streamName, workPayload, workSubject, type Work, type WorkQueue } from './subjects';
import { RequestFailed, type Backlog, type Dispatched, type TransportLogger } from './transport';

/** The header in which a wake-up carries its W3C trace context. */
export const TRACE_HEADER = 'traceparent';

const NANOSECONDS_PER_MS = 1e6;
const TIMEOUT_MS = 5_000;
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

/** The stream does not take an entry, for a reason in the server's words. */
class RefusedByStream extends Error {
  override readonly name = 'RefusedByStream';
}

/** The JetStream work queue: makes the stream and its consumers wherever they are missing, and dispatches to it. */
export class NatsWorkQueue {
  readonly stream: string;
  private failing = false;
  private creatingStream: Promise<void> | null = null;

  constructor(
    private readonly link: NatsLink,
    private readonly requests: NatsRequests,
    /** Ends in a dot, or is empty. */
    private readonly subjectPrefix: string,
    private readonly settings: { ackWaitMs: number; streamReplicas: number },
    private readonly logger: TransportLogger | undefined,
  ) {
    this.stream = streamName(subjectPrefix);
  }

  async dispatch(work: Work, trace: TraceContext | null): Promise<Dispatched> {
    try {
      const connection = this.link.current();
      if (connection === null) return 'not_dispatched';
      const first = await this.publishOrMend(connection, work, trace);
      if (first !== 'stream_missing') return first;
      await this.ensureStream(connection);
      const second = await this.publish(connection, work, trace);
      return second === 'stream_missing' ? 'not_dispatched' : second;
    } catch (error) {
      this.complain(work, error);
      return 'not_dispatched';
    }
  }

  /** Makes the stream each time the connection comes up: others may not be allowed to. */
  keepStream(): void {
    const make = (connection: NatsConnection) => void this.ensureStream(connection).catch((error: unknown) => this.complain({}, error));
    this.link.onUp(make);
    const connection = this.link.current();
    if (connection) make(connection);
  }

  /** Makes the queue's durable consumer, and the stream where that is missing; returns the consumer's name. */
  async ensureConsumer(connection: NatsConnection, queue: WorkQueue): Promise<string> {
    try {
      return await this.makeConsumer(connection, queue);
    } catch (error) {
      if (apiErrorCode(error) !== STREAM_MISSING) throw error;
      await this.ensureStream(connection);
      return this.makeConsumer(connection, queue);
    }
  }

  /** As the queue's consumer counts it, which all processes that pull from the queue share. */
  async backlog(connection: NatsConnection, queue: WorkQueue): Promise<Backlog> {
    const manager = await managerOf(connection);
    const { num_pending: pending, num_ack_pending: unacknowledged } = await manager.consumers.info(this.stream, consumerName(queue));
    return { queue, pending, unacknowledged };
  }

  private async makeConsumer(connection: NatsConnection, queue: WorkQueue): Promise<string> {
    const name = consumerName(queue);
    const manager = await managerOf(connection);
    const changeable = { ack_wait: this.settings.ackWaitMs * NANOSECONDS_PER_MS, max_deliver: -1, max_ack_pending: -1 };
    try {
      await manager.consumers.add(this.stream, {
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
      await manager.consumers.update(this.stream, name, changeable);
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

  /** Warns once until dispatching works again, since hundreds may fail in a second. */
  private complain(work: Work | object, error: unknown): void {
    const code = error instanceof RequestFailed ? error.reason : codeOf(error);
    const said = error instanceof RefusedByStream ? error.message : undefined;
    if (!this.failing) this.logger?.warn({ reason: 'not_dispatched', ...work, code, said }, 'a work entry was not dispatched');
    this.failing = true;
  }

  /** Many dispatches meet a missing stream at once: one of them makes it. */
  private ensureStream(connection: NatsConnection): Promise<void> {
    this.creatingStream ??= this.createStream(connection).finally(() => {
      this.creatingStream = null;
    });
    return this.creatingStream;
  }

  private async createStream(connection: NatsConnection): Promise<void> {
    // The stream is then made by whoever may.
    if (!this.link.mayPublish(`$JS.API.STREAM.CREATE.${this.stream}`)) return;
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
      await manager.streams.add({ name: this.stream, ...fixed, ...wanted });
    } catch (error) {
      if (codeOf(error) === NOT_PERMITTED) return;
      const code = apiErrorCode(error);
      if (code !== STREAM_DIFFERS && code !== NO_ROOM) throw error;
      // Replicas and the room for all entries are the operator's; the rules of the queue are ours.
      await manager.streams.update(this.stream, wanted).catch((failure: unknown) => {
        throw code === NO_ROOM ? error : failure;
      });
    }
  }

  /** An operator may have changed the stream's rules, so they are put right, once until dispatching works again. */
  private async publishOrMend(connection: NatsConnection, work: Work, trace: TraceContext | null): Promise<Dispatched | 'stream_missing'> {
    try {
      return await this.publish(connection, work, trace);
    } catch (error) {
      if (this.failing || !(error instanceof RefusedByStream)) throw error;
      await this.ensureStream(connection);
      return this.publish(connection, work, trace);
    }
  }

  private async publish(connection: NatsConnection, work: Work, trace: TraceContext | null): Promise<Dispatched | 'stream_missing'> {
    try {
      const subject = workSubject(work);
      const data = Buffer.from(JSON.stringify(workPayload(work)));
      const request = { subject, address: this.subjectPrefix + subject, data, timeoutMs: TIMEOUT_MS };
      // No message id: within its window the server would swallow a dispatch that is needed again after an ack.
      const answer = await this.requests.send(connection, { ...request, headers: trace ? traceHeaders(trace) : undefined });
      const { error } = answer as { error?: { description: string } };
      this.failing &&= error !== undefined;
      if (!error) return 'queued';
      // A full stream has the same code: only the words differ.
      if (error.description === 'maximum messages per subject exceeded') return 'already_queued';
      throw new RefusedByStream(error.description);
    } catch (error) {
      if (error instanceof RequestFailed && error.reason === 'no_responders') return 'stream_missing';
      throw error;
    }
  }
}

function traceHeaders(trace: TraceContext): MsgHdrs {
  const made = headers();
  made.set(TRACE_HEADER, traceparentOf(trace));
  return made;
}

const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  connection.jetstreamManager({ checkAPI: false, timeout: TIMEOUT_MS });

const apiErrorCode = (error: unknown): number | undefined => (error as NatsError).api_error?.err_code;
