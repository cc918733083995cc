import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import type { WebhookSecretView } from '@lib/store/views/webhook.view';
import { STORE } from '../../api/tokens';
import { webhookSecretView } from '../webhook-answers';

/** Gives a webhook a new secret; the current one also stays valid for now. */
export class RotateSecret extends Command<WebhookSecretView> {
  constructor(
    readonly tenantId: string,
    readonly webhookId: string,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(RotateSecret)
export class RotateSecretHandler implements ICommandHandler<RotateSecret> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, webhookId: id, request }: RotateSecret): Promise<WebhookSecretView> {
    const { webhooks } = this.store;
    const number = await (await webhooks.changes()).rotateSecret({ tenantId, id }, request);
    const { webhook, secret } = await webhooks.secret(tenantId, id, number);
    return webhookSecretView(webhook, secret);
  }
}
