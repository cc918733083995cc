import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { WebhookDeliveryListView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';
import { deliveryView } from '../webhook-answers';

/** The past and pending deliveries of a webhook; they are kept for 30 days. */
export class ListDeliveries extends Query<WebhookDeliveryListView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
    readonly page: { before: string | null; limit: number },
  ) {
    super();
  }
}

@QueryHandler(ListDeliveries)
export class ListDeliveriesHandler implements IQueryHandler<ListDeliveries> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, webhookId, page }: ListDeliveries): Promise<WebhookDeliveryListView> {
    const { limit } = page;
    const found = await this.store.webhooks.deliveries(tenantId, webhookId, { ...page, limit: limit + 1 });
    const shown = found.slice(0, limit);
    return { deliveries: shown.map(deliveryView), nextCursor: found.length > limit ? (shown.at(-1)?.eventId ?? null) : null };
  }
}
