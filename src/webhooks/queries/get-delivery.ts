import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { WebhookDeliveryView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';
import { deliveryView } from '../webhook-answers';

export class GetDelivery extends Query<WebhookDeliveryView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
    readonly deliveryId: string,
  ) {
    super();
  }
}

@QueryHandler(GetDelivery)
export class GetDeliveryHandler implements IQueryHandler<GetDelivery> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, webhookId, deliveryId }: GetDelivery): Promise<WebhookDeliveryView> {
    return deliveryView(await this.store.webhooks.delivery(tenantId, webhookId, deliveryId));
  }
}
