import { Inject, Injectable } from '@nestjs/common';

import type { FirstEffect } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import type { WebhookCreatedView, WebhookSecretView } from '@lib/store/views/webhook.view';
import { STORE } from '../api/tokens';
import { webhookCreatedView, webhookSecretView } from './webhook-answers';

/**
 * Returns a secret again to a client that repeats the request which created it.
 * @throws DomainError if the webhook was deleted or the secret replaced meanwhile
 */
@Injectable()
export class FirstWebhookAnswers {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async created(tenantId: string, { streamId, version }: FirstEffect): Promise<WebhookCreatedView> {
    const { webhook, secret } = await this.store.webhooks.secret(tenantId, streamId, version);
    return webhookCreatedView(webhook, secret);
  }

  async rotated(tenantId: string, { streamId, version }: FirstEffect): Promise<WebhookSecretView> {
    const { webhook, secret } = await this.store.webhooks.secret(tenantId, streamId, version);
    return webhookSecretView(webhook, secret);
  }
}
