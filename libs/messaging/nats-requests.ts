import type { Msg, MsgHdrs, NatsConnection, NatsError } from 'nats';
import type { NatsLink } from './nats-connection';
import { codeOf } from './nats-failures';
import { tellHolding, type Held } from '@lib/memory/holdings';
import { RequestFailed } from './transport';

/** Marks a reply whose payload is the message of an error that the serving side threw. */
export const ERROR_HEADER = 'Research-Error';
/** Marks a reply that others follow. */
export const PART_HEADER = 'Research-Part';

export interface NatsRequest {
  subject: string;
  /** The subject with the deployment's prefix. */
  address: string;
  data: Buffer;
  timeoutMs: number;
  headers?: MsgHdrs | undefined;
  hear?: ((part: unknown) => void) | undefined;
}

/** A request that was sent. Its payload is not kept. */
interface Open extends Pick<NatsRequest, 'subject' | 'address' | 'hear'> {
  resolve: (answer: unknown) => void;
  reject: (failure: RequestFailed) => void;
  timer: NodeJS.Timeout;
}

/** Estimated size of a request without an answer: its place, its timer and its caller. */
const OPEN_BYTES = 1024;
const MAX_BYTES = 16 * 1024 * 1024;

const NOT_PERMITTED = 'the permissions of this NATS user do not allow it';

const heldByRequests = ({ size }: ReadonlyMap<string, Open>): Held => ({ items: size, bytes: size * OPEN_BYTES });

/**
 * Requests whose answers may come in parts, all to one inbox. The client's own requests do not support parts, and create an error with its stack for
 * each answer.
 */
export class NatsRequests {
  private readonly open = new Map<string, Open>();
  private inbox: string | null = null;
  private sent = 0;

  constructor(private readonly link: NatsLink) {
    link.onRefused((address) => this.refuse(address));
    tellHolding(this.open, 'requests under way', MAX_BYTES, heldByRequests);
  }

  send(connection: NatsConnection, request: NatsRequest): Promise<unknown> {
    const { subject, address, data, timeoutMs, headers, hear } = request;
    return new Promise((resolve, reject) => {
      if ((this.open.size + 1) * OPEN_BYTES > MAX_BYTES) {
        return reject(new RequestFailed('disconnected', `request ${subject}: ${this.open.size} others have no answer yet`));
      }
      const id = String((this.sent += 1));
      const timer = setTimeout(() => this.fail(id, 'timeout', `no answer within ${timeoutMs} ms`), timeoutMs);
      this.open.set(id, { subject, address, hear, resolve, reject, timer });
      if (!this.link.mayPublish(address)) return this.fail(id, 'not_permitted', NOT_PERMITTED);
      try {
        this.inbox ??= this.listen(connection);
        connection.publish(address, data, { reply: `${this.inbox}.${id}`, ...(headers && { headers }) });
      } catch (error) {
        this.fail(id, 'disconnected', `the connection failed (${codeOf(error)}) before ${subject} was sent`);
      }
    });
  }

  /** Fails all open requests, since no answers will come any more. */
  close(): void {
    for (const id of this.open.keys()) this.fail(id, 'disconnected', 'the transport is closed');
  }

  /** The client itself subscribes again after a gap. */
  private listen(connection: NatsConnection): string {
    const inbox = this.link.newInbox();
    connection.subscribe(`${inbox}.*`, { callback: (error, message) => (error ? this.deaf(error) : this.receive(message)) });
    return inbox;
  }

  /** The client has ended the subscription: the next request begins another. */
  private deaf(error: NatsError): void {
    this.inbox = null;
    for (const id of this.open.keys()) this.fail(id, 'not_permitted', `no answers may be heard (${error.code})`);
  }

  private refuse(address: string): void {
    for (const [id, open] of this.open) if (open.address === address) this.fail(id, 'not_permitted', NOT_PERMITTED);
  }

  private receive(message: Msg): void {
    const id = message.subject.slice(message.subject.lastIndexOf('.') + 1);
    const request = this.open.get(id);
    // An answer that comes too late, or the second one where every process was asked.
    if (!request) return;
    const { headers } = message;
    if (headers?.code === 503) return this.fail(id, 'no_responders', 'nobody serves it');
    let answer: unknown;
    try {
      answer = message.json();
    } catch {
      return this.fail(id, 'rejected', 'the answer is not JSON');
    }
    if (headers?.has(PART_HEADER)) return request.hear?.(answer);
    if (headers?.has(ERROR_HEADER)) return this.fail(id, 'rejected', String(answer));
    this.take(id)?.resolve(answer);
  }

  private fail(id: string, reason: RequestFailed['reason'], why: string): void {
    const request = this.take(id);
    request?.reject(new RequestFailed(reason, `request ${request.subject}: ${why}`));
  }

  private take(id: string): Open | undefined {
    const request = this.open.get(id);
    clearTimeout(request?.timer);
    this.open.delete(id);
    return request;
  }
}
