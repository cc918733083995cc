import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import type { WebhookDeliveryView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';
import { deliveryView } from '../webhook-answers';

/** Queues a test event for a webhook. */
export class SendTestEvent extends Command<WebhookDeliveryView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(SendTestEvent)
export class SendTestEventHandler implements ICommandHandler<SendTestEvent> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, webhookId: id, request }: SendTestEvent): Promise<WebhookDeliveryView> {
    const { webhooks } = this.store;
    const eventId = await (await webhooks.changes()).sendTest({ tenantId, id }, request);
    return deliveryView(await webhooks.delivery(tenantId, id, eventId));
  }
}
