import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import type { WebhookDeliveryView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';
import { deliveryView } from '../webhook-answers';

/** Has an event delivered to a webhook again. */
export class Redeliver extends Command<WebhookDeliveryView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
    readonly deliveryId: string,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(Redeliver)
export class RedeliverHandler implements ICommandHandler<Redeliver> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, webhookId: id, deliveryId, request }: Redeliver): Promise<WebhookDeliveryView> {
    const { webhooks } = this.store;
    await (await webhooks.changes()).redeliver({ tenantId, id }, deliveryId, request);
    return deliveryView(await webhooks.delivery(tenantId, id, deliveryId));
  }
}
