import { HOUR_MS, MINUTE_MS, SECOND_MS } from './durations';

/** The events that a webhook can subscribe to. */
export const WEBHOOK_EVENT_TYPES = ['job.completed', 'job.failed', 'job.cancelled', 'thread.deleted'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENT_TYPES)[number];

/** Sent on request, whatever the webhook subscribes to, so that its owner can test it. */
export const TEST_EVENT_TYPE = 'webhook.test';

export const DELIVERY_TYPES = [...WEBHOOK_EVENT_TYPES, TEST_EVENT_TYPE] as const;
export type DeliveryType = (typeof DELIVERY_TYPES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * Why an attempt failed. `status`: the answer was not a 2xx; `name_not_found`: the name has no address; `name_not_resolved`: no name server could
 * tell; `not_called`: our process could open no connection; `interrupted`: the attempt's end was not seen.
 */
export const DELIVERY_ERRORS = [
  'status',
  'gone',
  'redirect',
  'timeout',
  'name_not_found',
  'name_not_resolved',
  'address_refused',
  'tls',
  'connection',
  'not_called',
  'interrupted',
  'webhook_disabled',
  'corrupt_content',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** Why a webhook is disabled: its owner asked for it, it answered 410, or it failed for a week. */
export const DISABLED_REASONS = ['by_request', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Delays from each failed attempt to the next one. */
const RETRY_DELAYS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 14 * HOUR_MS] as const;
/** Up to a tenth more or less, so that deliveries that failed together are not all retried at the same moment. */
const JITTER = 0.1;

/** A delivery of which this many takings in a row recorded nothing is attempted once more, and then given up: after 8.5 to 10.6 hours. */
export const MAX_UNSEEN = 12;

/** A webhook that has failed for this long, without a success in between, is disabled. */
export const MAX_FAILING_MS = 7 * 24 * HOUR_MS;

/**
 * How long to wait after an attempt failed; null if it was the last one.
 * @param failures attempts that failed, this one included
 * @param chance from 0 to 1
 * @param askedMs the shortest wait that the receiver asks for
 */
export function retryDelayMs(failures: number, chance: number, askedMs = 0): number | null {
  const delayMs = RETRY_DELAYS_MS[failures - 1];
  return delayMs === undefined ? null : Math.max(Math.round(delayMs * (1 - JITTER + 2 * JITTER * chance)), askedMs);
}
