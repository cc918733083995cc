import type { WebhookCreatedView, WebhookDeliveryView, WebhookSecretView, WebhookView } from '@lib/store/views/webhook.view';
import type { StoredDelivery } from '@lib/store/webhooks/deliveries';
import type { WebhookSecret } from '@lib/store/webhooks/sealed-webhook';
import type { StoredWebhook } from '@lib/store/webhooks/webhooks';
import { invalidRequest } from '../api/problems';
import type { AddressRules } from './address-rules';
import { normalized, urlFault } from './webhook-url';

/** Injection token of the `AddressRules`. */
export const ADDRESS_RULES = Symbol('address rules');

/**
 * The body with its URL in the form used for delivery.
 * @throws Problem invalid_request if nothing can be delivered there
 */
export function withDeliverableUrl<Body extends { url?: string }>(body: Body, rules: AddressRules): Body {
  if (body.url === undefined) return body;
  const found = urlFault(body.url, rules);
  if (found) throw invalidRequest([{ pointer: '/url', code: found.code, message: `url ${found.message}` }]);
  return { ...body, url: normalized(body.url) };
}

export function webhookView(webhook: StoredWebhook): WebhookView {
  const { id, url, eventTypes, description, enabled, disabledReason } = webhook;
  const shown = { id, url, eventTypes, description, enabled, disabledReason };
  return {
    ...shown,
    disabledAt: timeOf(webhook.disabledAt),
    failingSince: timeOf(webhook.failingSince),
    previousSecretExpiresAt: previousExpiry(webhook.secrets),
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}

export const webhookCreatedView = (webhook: StoredWebhook, { text: secret }: WebhookSecret): WebhookCreatedView => ({
  ...webhookView(webhook),
  secret,
});

export const webhookSecretView = ({ secrets }: StoredWebhook, { text: secret }: WebhookSecret): WebhookSecretView => ({
  secret,
  previousSecretExpiresAt: previousExpiry(secrets),
});

export function deliveryView(delivery: StoredDelivery): WebhookDeliveryView {
  const { eventId: id, type, threadId, jobId, status, attempts, responseStatus, error } = delivery;
  const times = { occurredAt: delivery.occurredAt.toISOString(), attemptedAt: timeOf(delivery.attemptedAt) };
  return { id, type, threadId, jobId, status, attempts, responseStatus, error, ...times, nextAttemptAt: timeOf(delivery.dueAt) };
}

const previousExpiry = ([, previous]: readonly WebhookSecret[]): string | null => previous?.expiresAt ?? null;
const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null;
