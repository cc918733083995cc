import { tellHolding, type Held } from '@lib/memory/holdings';
import { namedTenants } from './named-tenants';

/** Why a request was not sent, or why its answer is no longer waited for. */
export type Refusal = 'full' | 'late' | 'unwanted';

export interface LineLimits<Request> {
  /** Most requests in one batch. */
  maxItems: number;
  /** Together with `sizeOf`: a batch holds at most this many bytes, but always at least one request. */
  maxBytes?: number;
  sizeOf?: (request: Request) => number;
  /** The most that may wait for a batch, 16 MiB by default: beyond it, requests are refused as `full`. */
  maxWaiting?: { items: number; bytes: number };
  /** The name of the waiting requests in `holdings`. */
  name?: string;
  /** A time on the monotonic clock: a request without an answer by then is refused as `late`. If it still waits for its batch, it is never sent. */
  answerBy?: (request: Request) => number;
  /** Asked when the request's turn comes: a request that nobody waits for any more is not sent. */
  isWanted?: (request: Request) => boolean;
  /** Makes the error for a refused request. */
  refuse?: (reason: Refusal) => Error;
}

export interface Waiting<Request, Reply> {
  request: Request;
  /** The tenants that the request is for. */
  tenants: readonly string[] | undefined;
  bytes: number;
  answerBy: number;
  resolve: (reply: Reply | PromiseLike<Reply>) => void;
  reject: (error: unknown) => void;
}

const MAX_WAITING = { items: Infinity, bytes: 16 * 1024 * 1024 };
/** Of a request that holds only ids, with its waiting caller. */
const REQUEST_BYTES = 512;

/** The most that the refusal of a late request may be delayed. */
const LOOK_MS = 100;

/** Requests that wait for their batch or for its answer. Each gets exactly one answer. */
export class WaitingLine<Request, Reply> {
  private line: Waiting<Request, Reply>[] = [];
  private bytes = 0;
  private readonly maxWaiting: { items: number; bytes: number };
  private readonly unanswered = new Set<Waiting<Request, Reply>>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly limits: LineLimits<Request>) {
    this.maxWaiting = limits.maxWaiting ?? MAX_WAITING;
    const { items, bytes } = this.maxWaiting;
    // Where only their number is bounded, so is their size.
    const maxBytes = limits.sizeOf ? bytes : Math.min(bytes, items * REQUEST_BYTES);
    tellHolding(this, limits.name ?? 'requests that wait', maxBytes, WaitingLine.heldBy);
  }

  private static heldBy<Request, Reply>({ line, bytes }: WaitingLine<Request, Reply>): Held {
    return { items: line.length, bytes };
  }

  /** @returns false if the request was refused */
  join(request: Request, resolve: (reply: Reply | PromiseLike<Reply>) => void, reject: (error: unknown) => void): boolean {
    const { sizeOf, answerBy } = this.limits;
    const bytes = sizeOf?.(request) ?? REQUEST_BYTES;
    if (this.line.length > 0 && (this.line.length >= this.maxWaiting.items || this.bytes + bytes > this.maxWaiting.bytes)) {
      reject(this.refusal('full'));
      return false;
    }
    const waiting = { request, tenants: namedTenants(), bytes, answerBy: answerBy?.(request) ?? Infinity, resolve, reject };
    this.line.push(waiting);
    this.bytes += bytes;
    this.unanswered.add(waiting);
    if (answerBy) this.timer ??= this.look();
    return true;
  }

  /** The next batch; empty if nothing waits. */
  next(): Waiting<Request, Reply>[] {
    const { maxItems, maxBytes = Infinity, isWanted } = this.limits;
    const batch: Waiting<Request, Reply>[] = [];
    let bytes = 0;
    let place = 0;
    for (; place < this.line.length && batch.length < maxItems; place += 1) {
      const one = this.line[place] as Waiting<Request, Reply>;
      if (!this.unanswered.has(one)) continue;
      if (isWanted && !isWanted(one.request)) {
        this.reject(one, this.refusal('unwanted'));
        continue;
      }
      if (batch.length > 0 && bytes + one.bytes > maxBytes) break;
      bytes += one.bytes;
      batch.push(one);
    }
    for (const { bytes: left } of this.line.splice(0, place)) this.bytes -= left;
    return batch;
  }

  resolve(one: Waiting<Request, Reply>, reply: Reply | PromiseLike<Reply>): void {
    if (this.unanswered.delete(one)) one.resolve(reply);
  }

  reject(one: Waiting<Request, Reply>, error: unknown): void {
    if (this.unanswered.delete(one)) one.reject(error);
  }

  private refusal(reason: Refusal): Error {
    return this.limits.refuse?.(reason) ?? new Error(`a request was not sent: ${reason}`);
  }

  /** The timer that refuses late requests, running while any is unanswered. */
  private look(): NodeJS.Timeout {
    return setTimeout(() => {
      const now = performance.now();
      for (const one of this.unanswered) if (one.answerBy <= now) this.reject(one, this.refusal('late'));
      this.line = this.line.filter((one) => this.unanswered.has(one));
      this.bytes = this.line.reduce((total, { bytes }) => total + bytes, 0);
      this.timer = this.unanswered.size > 0 ? this.look() : null;
    }, LOOK_MS).unref();
  }
}
