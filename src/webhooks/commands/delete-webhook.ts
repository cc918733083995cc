import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { RepeatableRequest } from '@lib/store/requests/keyed-requests';
import type { Store } from '@lib/store/store';
import type { WebhookDeletedView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';

/** Removes a webhook with its secrets; nothing more is delivered to it. */
export class DeleteWebhook extends Command<WebhookDeletedView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
    readonly request: RepeatableRequest | null,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhook)
export class DeleteWebhookHandler implements ICommandHandler<DeleteWebhook> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, webhookId: id, request }: DeleteWebhook): Promise<WebhookDeletedView> {
    const { webhooks, deliveries } = this.store;
    await (await webhooks.changes()).delete({ tenantId, id }, request);
    // Rows that an outage leaves behind hold only ids and times, and are removed with other old rows.
    await deliveries.removeOf(id).catch(() => undefined);
    return { deleted: true };
  }
}
