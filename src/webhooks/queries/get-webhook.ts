import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { WebhookView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';
import { webhookView } from '../webhook-answers';

/** A webhook without its secrets. */
export class GetWebhook extends Query<WebhookView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
  ) {
    super();
  }
}

@QueryHandler(GetWebhook)
export class GetWebhookHandler implements IQueryHandler<GetWebhook> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, webhookId }: GetWebhook): Promise<WebhookView> {
    return webhookView(await this.store.webhooks.get(tenantId, webhookId));
  }
}
