import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import type { WebhookCreatedView } from '@lib/store/views/webhook.view';
import { killPoint } from '../../runtime/kill-point';
import { STORE } from '../../api/tokens';
import { ADDRESS_RULES, type AddressRules } from '../address-rules';
import { webhookCreatedView } from '../webhook-answers';
import { withDeliverableUrl } from '../webhook-url';
import type { CreateWebhookBody } from '../webhooks.dto';

/** Adds a webhook to a tenant. */
export class CreateWebhook extends Command<WebhookCreatedView> {
  constructor(
    readonly tenantId: string,
    readonly body: CreateWebhookBody,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(CreateWebhook)
export class CreateWebhookHandler implements ICommandHandler<CreateWebhook> {
  constructor(
    @Inject(STORE) private readonly store: Store,
    @Inject(ADDRESS_RULES) private readonly rules: AddressRules,
  ) {}

  async execute({ tenantId, body, request }: CreateWebhook): Promise<WebhookCreatedView> {
    const deliverable = withDeliverableUrl(body, this.rules);
    const { webhooks } = this.store;
    const id = await (await webhooks.changes()).create(tenantId, deliverable, request);
    killPoint('webhook.after-commit');
    const { webhook, secret } = await webhooks.secret(tenantId, id, 1);
    return webhookCreatedView(webhook, secret);
  }
}
