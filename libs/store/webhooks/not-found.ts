import { DomainError } from '@lib/domain/errors';

/** Also for another tenant's webhook. */
export const webhookNotFound = (webhookId: string): DomainError =>
  new DomainError('webhook_not_found', `The webhook ${webhookId} does not exist: GET /v1/webhooks lists those that do.`);

export const deliveryNotFound = (webhookId: string, eventId: string): DomainError =>
  new DomainError(
    'delivery_not_found',
    `The webhook ${webhookId} has no delivery ${eventId}: GET /v1/webhooks/${webhookId}/deliveries lists those of the last 30 days.`,
  );
