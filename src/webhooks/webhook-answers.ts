import type { WebhookCreatedView, WebhookDeliveryView, WebhookSecretView, WebhookView } from '@lib/store/views/webhook.view';
import type { StoredDelivery } from '@lib/store/webhooks/deliveries';
import type { WebhookSecret } from '@lib/store/webhooks/sealed-webhook';
import type { StoredWebhook } from '@lib/store/webhooks/webhooks';

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
  const { eventId: id, type, threadId, jobId, status, attempts, responseStatus } = delivery;
  // One answer for both, or a tenant could ask which names internal name servers know. The log (`webhook_failed`) tells them apart.
  const error = delivery.error === 'name_not_found' ? 'address_refused' : delivery.error;
  const times = { occurredAt: delivery.occurredAt.toISOString(), attemptedAt: timeOf(delivery.attemptedAt) };
  return { id, type, threadId, jobId, status, attempts, responseStatus, error, ...times, nextAttemptAt: timeOf(delivery.dueAt) };
}

const previousExpiry = ([, previous]: readonly WebhookSecret[]): string | null => previous?.expiresAt ?? null;
const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null;
