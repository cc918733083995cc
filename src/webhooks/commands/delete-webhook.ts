import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import type { WebhookDeletedView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';

/** Removes a webhook with its secrets; nothing more is delivered to it. */
export class DeleteWebhook extends Command<WebhookDeletedView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(DeleteWebhook)
export class DeleteWebhookHandler implements ICommandHandler<DeleteWebhook> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, webhookId: id, request }: DeleteWebhook): Promise<WebhookDeletedView> {
    const { webhooks, deliveries } = this.store;
    // First piece by piece what has ended, since there may be very many; the transaction deletes the rest.
    await deliveries.removeEnded({ tenantId, id });
    await (await webhooks.changes()).delete({ tenantId, id }, request);
    return { deleted: true };
  }
}
