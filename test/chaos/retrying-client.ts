import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Unanswered, type Client } from '../support/client';
import type { Observations, TimedAnswer } from './observations';

const POLL_MS = 300;
/** Longer than every outage, every deadline of a job and everything that follows from them. */
export const PATIENCE_MS = 170_000;

interface Asked {
  body?: object;
  /** By default that of the customer's own tenant. */
  apiKey?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A change that was asked for, so that it can be asked for again. */
export interface Change {
  method: 'POST' | 'DELETE';
  path: string;
  wanted: number[];
  body?: object;
  apiKey?: string;
  key: string;
}

/** Repeats whatever is not answered, through another api, and every change under the key that it had first. */
export class RetryingClient {
  constructor(private readonly tools: { client: Client; observations: Observations; signal: AbortSignal }) {}

  /**
   * Asks until it is answered as wanted. An outage (503), a conflict (409) or silence may come first.
   * The answer counts as sent for when it was first asked for: what went unanswered may have been done nonetheless.
   */
  async call(method: string, path: string, wanted: number[], { body, apiKey, headers }: Asked = {}): Promise<TimedAnswer> {
    const { client, observations, signal } = this.tools;
    const sentAt = Date.now();
    for (const began = performance.now(); ;) {
      try {
        const answer = await observations.request(() => client.call(method, path, body, apiKey, headers));
        if (wanted.includes(answer.status)) return { ...answer, sentAt };
        const mayPass = answer.status === 503 ? answer.headers.has('retry-after') : answer.status === 409;
        if (!mayPass) {
          observations.violation(
            `${method} ${path} was answered with ${answer.status}: ${String(answer.body.code)}, request ${String(answer.body.requestId)}`,
          );
          // What broke once may work now, and the job is still looked for.
          if (answer.status < 500) throw new Error(`${method} ${path} was answered with ${answer.status}`);
        }
      } catch (error) {
        if (!(error instanceof Unanswered)) throw error;
      }
      if (performance.now() - began > PATIENCE_MS)
        throw new Error(`${method} ${path} has not got its answer after ${PATIENCE_MS / 1000} s`);
      await delay(POLL_MS, undefined, { signal });
    }
  }

  async change(method: Change['method'], path: string, wanted: number[], more: Pick<Change, 'body' | 'apiKey'> = {}) {
    const change: Change = { method, path, wanted, key: randomUUID(), ...more };
    return { change, answer: await this.repeat(change) };
  }

  repeat({ method, path, wanted, body, apiKey, key }: Change): Promise<TimedAnswer> {
    return this.call(method, path, wanted, { body, apiKey, headers: { 'idempotency-key': key } });
  }

  /** As a change that was answered with this before: whoever is asked, how often and at once with whatever else, the answer is the same. */
  async repeatAtOnce(change: Change, times: number, before: TimedAnswer | null): Promise<TimedAnswer> {
    const { observations } = this.tools;
    const answers = await Promise.all(Array.from({ length: times }, () => this.repeat(change)));
    const [first = before] = before ? [before, ...answers] : answers;
    if (!first) throw new Error('a change has to be asked for');
    const what = `${change.method} ${change.path} under ${change.key}`;
    if (answers.some(({ status, body }) => status !== first.status || !isDeepStrictEqual(body, first.body)))
      observations.violation(`${what} was answered in different ways`);
    const firsts = answers.filter(({ headers }) => headers.get('idempotent-replayed') !== 'true').length;
    if (firsts > (before ? 0 : 1)) observations.violation(`${what} was done ${firsts} times${before ? ' more' : ''}`);
    observations.repeated(times - (before ? 0 : 1));
    return first;
  }
}
