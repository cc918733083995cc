import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { WebhookListView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';
import { webhookView } from '../webhook-answers';

/** All webhooks of a tenant. */
export class ListWebhooks extends Query<WebhookListView> {
  constructor(readonly tenantId: string) {
    super();
  }
}

@QueryHandler(ListWebhooks)
export class ListWebhooksHandler implements IQueryHandler<ListWebhooks> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId }: ListWebhooks): Promise<WebhookListView> {
    const { items, unreadable: webhooksUnreadable } = await this.store.webhooks.list(tenantId);
    return { webhooks: items.map(webhookView), webhooksUnreadable };
  }
}
