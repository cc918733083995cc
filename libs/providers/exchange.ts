import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';

/** What the last answer of a provider's API said besides its body; nulls if there was none. */
export interface Exchange {
  /** Sent with each call; absent if nothing is traced. */
  readonly traceparent?: string | undefined;
  /** The HTTP status. */
  status: number | null;
  /** The id that the provider gave the request. */
  requestId: string | null;
}

/** The headers in which providers send the request id. */
const ID_HEADERS = ['x-request-id', 'request-id'];
const MAX_ID_LENGTH = 200;

const observed = new AsyncLocalStorage<Exchange>();

/** Runs `work` and records in `exchange` the answer to each call; the last answer stays. */
export const observing = <Result>(exchange: Exchange, work: () => Promise<Result>): Promise<Result> => observed.run(exchange, work);

/** Headers that each call sends besides those of its API. */
export function exchangeHeaders(): Record<string, string> {
  const traceparent = observed.getStore()?.traceparent;
  return traceparent === undefined ? {} : { traceparent };
}

/** Must be called for every answer of an API. */
export function noteAnswer(status: number, headers: Readonly<Record<string, unknown>>): void {
  const exchange = observed.getStore();
  if (!exchange) return;
  const given = ID_HEADERS.map((name) => headers[name]).find((id) => typeof id === 'string' && /^[\x21-\x7e]+$/.test(id));
  exchange.status = status;
  exchange.requestId = typeof given === 'string' ? given.slice(0, MAX_ID_LENGTH) : null;
}

/** Hexadecimal SHA-256 of a prompt. */
export const promptDigest = (prompt: string): string => createHash('sha256').update(prompt).digest('hex');
