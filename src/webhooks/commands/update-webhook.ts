import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { Store } from '@lib/store/store';
import type { WebhookView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';
import { ADDRESS_RULES, type AddressRules } from '../address-rules';
import { webhookView } from '../webhook-answers';
import { withDeliverableUrl } from '../webhook-url';
import type { UpdateWebhookBody } from '../webhooks.dto';

/** Changes the properties of a webhook that its owner sets. */
export class UpdateWebhook extends Command<WebhookView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
    readonly body: UpdateWebhookBody,
  ) {
    super();
  }
}

@CommandHandler(UpdateWebhook)
export class UpdateWebhookHandler implements ICommandHandler<UpdateWebhook> {
  constructor(
    @Inject(STORE) private readonly store: Store,
    @Inject(ADDRESS_RULES) private readonly rules: AddressRules,
  ) {}

  async execute({ tenantId, webhookId: id, body }: UpdateWebhook): Promise<WebhookView> {
    const deliverable = withDeliverableUrl(body, this.rules);
    const { webhooks } = this.store;
    await (await webhooks.changes()).update({ tenantId, id }, deliverable);
    return webhookView(await webhooks.get(tenantId, id));
  }
}
