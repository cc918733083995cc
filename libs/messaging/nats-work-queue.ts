import { traceparentOf, type TraceContext } from '@lib/domain/trace-context';
import { Repeats } from '@lib/memory/repeats';
import { headers, type MsgHdrs, type NatsConnection } from 'nats';
import type { NatsLink } from './nats-connection';
import { codeOf } from './nats-failures';
import type { NatsRequests } from './nats-requests';
import { STREAM_TIMEOUT_MS, streamRemedy, type NatsWorkStream } from './nats-work-stream';
import { workPayload, workSubject, type Work } from './subjects';
import { RequestFailed, type Dispatched, type TransportLogger } from './transport';

/** The header in which a wake-up carries its W3C trace context. */
export const TRACE_HEADER = 'traceparent';

/** The stream does not take an entry, for a reason in the server's words. */
class RefusedByStream extends Error {
  override readonly name = 'RefusedByStream';
}

/** Dispatches work entries to the stream. */
export class NatsWorkQueue {
  private failing = false;
  private readonly repeats = new Repeats();

  constructor(
    private readonly link: NatsLink,
    private readonly requests: NatsRequests,
    private readonly stream: NatsWorkStream,
    /** Ends in a dot, or is empty. */
    private readonly subjectPrefix: string,
    private readonly logger: TransportLogger | undefined,
  ) {}

  async dispatch(work: Work, trace: TraceContext | null): Promise<Dispatched> {
    try {
      const connection = this.link.current();
      if (connection === null) return 'not_dispatched';
      const first = await this.publishOrMend(connection, work, trace);
      if (first !== 'stream_missing') return first;
      await this.stream.ensure(connection);
      const second = await this.publish(connection, work, trace);
      return second === 'stream_missing' ? 'not_dispatched' : second;
    } catch (error) {
      this.complain(work, error);
      return 'not_dispatched';
    }
  }

  /** Makes the stream each time the connection comes up: other processes may lack the permission. */
  keepStream(): void {
    const make = (connection: NatsConnection) => void this.stream.ensure(connection).catch((error: unknown) => this.complain({}, error));
    this.link.onUp(make);
    const connection = this.link.current();
    if (connection) make(connection);
  }

  /** Warns at once and then every minute, since hundreds may fail in a second. */
  private complain(work: Work | object, error: unknown): void {
    this.failing = true;
    const code = error instanceof RequestFailed ? error.reason : codeOf(error);
    const told = this.repeats.failed(code);
    if (told === null) return;
    const said = error instanceof RefusedByStream ? { said: error.message, remedy: streamRemedy(this.stream.name) } : {};
    this.logger?.warn({ reason: 'not_dispatched', ...told, ...work, code, ...said }, 'a work entry was not dispatched');
  }

  /** An operator may have changed the stream's rules, so they are put right, once until dispatching works again. */
  private async publishOrMend(connection: NatsConnection, work: Work, trace: TraceContext | null): Promise<Dispatched | 'stream_missing'> {
    try {
      return await this.publish(connection, work, trace);
    } catch (error) {
      if (this.failing || !(error instanceof RefusedByStream)) throw error;
      await this.stream.ensure(connection);
      return this.publish(connection, work, trace);
    }
  }

  private async publish(connection: NatsConnection, work: Work, trace: TraceContext | null): Promise<Dispatched | 'stream_missing'> {
    try {
      const subject = workSubject(work);
      const data = Buffer.from(JSON.stringify(workPayload(work)));
      const request = { subject, address: this.subjectPrefix + subject, data, timeoutMs: STREAM_TIMEOUT_MS };
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
