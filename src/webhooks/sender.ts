import { Webhook as Signer } from 'standardwebhooks';
import { Client } from 'undici';
import { retryAfterMs } from '@lib/domain/retry-after';
import { isTlsCode } from '@lib/domain/tls-codes';
import type { DeliveryError } from '@lib/domain/webhook';
import { lackOf } from '@lib/providers/own-failures';
import type { Attempted, TakenDelivery, WebhookEvent } from '@lib/store/webhooks/deliveries';
import { liveSecrets, type SealedWebhook } from '@lib/store/webhooks/sealed-webhook';
import type { AddressRules } from './address-rules';
import { createResolver, guardedConnector, type Resolve } from './guarded-connector';
import { destinationFault } from './webhook-url';

export interface SendSettings {
  rules: AddressRules;
  /** From the look-up of the name to the head of the answer. */
  timeoutMs: number;
  resolve?: Resolve;
}

const REDIRECTS = /^3\d\d$/;
const SUCCESSES = /^2\d\d$/;
const GONE = 410;
/** Statuses with which a receiver may say when to try again. */
const LATER = new Set([429, 503]);

/**
 * An event, the moment of the attempt, and what is said of the trace that its delivery begins. Receivers refuse a call that was dated by a wrong
 * clock.
 */
export interface SentEvent extends WebhookEvent, Pick<TakenDelivery, 'attemptedAt'> {
  traceparent?: string | undefined;
}

export interface Sent extends Attempted {
  /** What this process lacked, so that it could not call at all. */
  lack?: string;
}

/** Sends a signed event to its webhook. Of the answer, only the status and `Retry-After` are read. */
export class Sender {
  private readonly resolve: Resolve;

  constructor(private readonly settings: SendSettings) {
    this.resolve = settings.resolve ?? createResolver();
  }

  /** @param stop abandons the attempt when it aborts */
  async send({ url: text, secrets }: SealedWebhook, event: SentEvent, stop: AbortSignal): Promise<Sent> {
    const { rules, timeoutMs } = this.settings;
    const url = URL.parse(text);
    // The URL was allowed when it was set, but the settings may have changed since.
    if (!url || destinationFault(url, rules)) return { responseStatus: null, error: 'address_refused' };
    const connect = guardedConnector(rules, this.resolve, timeoutMs);
    // A connection for this attempt alone: whatever the receiver does to it, no other delivery is affected, and it is closed at the end.
    const client = new Client(url.origin, { connect, pipelining: 0, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
    const body = JSON.stringify(messageOf(event));
    const signing = liveSecrets(secrets, event.attemptedAt).map((secret) => secret.text);
    const headers = {
      ...headersOf(event, body, signing),
      ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
    };
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
      const answer = await client.request({ method: 'POST', path: url.pathname + url.search, headers, body, signal });
      const { statusCode: status } = answer;
      answer.body.on('error', () => undefined).destroy();
      const askedMs = LATER.has(status) ? retryAfterMs(String(answer.headers['retry-after']), event.attemptedAt.getTime()) : undefined;
      return { responseStatus: status, error: errorOfStatus(status), askedMs };
    } catch (error) {
      const lack = lackOf(error);
      if (lack !== null) return { responseStatus: null, error: 'not_called', lack };
      return { responseStatus: null, error: errorOf(error) };
    } finally {
      await client.destroy();
    }
  }
}

/** Minimal: the receiver fetches the rest with a key. The order of fields is fixed, so that every attempt signs the same bytes. */
function messageOf({ type, threadId, jobId, occurredAt }: WebhookEvent): object {
  const status = jobId === null ? {} : { status: type.slice('job.'.length) };
  const data = { ...(threadId !== null && { threadId }), ...(jobId !== null && { jobId }), ...status };
  return { type, timestamp: occurredAt.toISOString(), data };
}

function headersOf(
  { eventId, attemptedAt }: Pick<TakenDelivery, 'eventId' | 'attemptedAt'>,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'research-threads-webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(attemptedAt.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(eventId, attemptedAt, body)).join(' '),
  };
}

function errorOfStatus(status: number): DeliveryError | null {
  if (SUCCESSES.test(String(status))) return null;
  if (status === GONE) return 'gone';
  return REDIRECTS.test(String(status)) ? 'redirect' : 'status';
}

/** Classifies by names and codes, not `instanceof`: under jest, errors of Node's own modules come from another realm. */
function errorOf(error: unknown): DeliveryError {
  const { name = '', code = '' } = (error ?? {}) as { name?: string; code?: string };
  if (name === 'AddressRefused') return 'address_refused';
  if (name === 'NameNotFound') return 'name_not_found';
  if (name === 'NameNotResolved') return 'name_not_resolved';
  if (name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  return isTlsCode(code) ? 'tls' : 'connection';
}
