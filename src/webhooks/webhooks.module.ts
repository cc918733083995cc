import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';

import { BodyPipe } from '../api/body.pipe';
import { Idempotency } from '../api/idempotency';
import { CreateWebhookHandler } from './commands/create-webhook';
import { DeleteWebhookHandler } from './commands/delete-webhook';
import { RedeliverHandler } from './commands/redeliver';
import { RotateSecretHandler } from './commands/rotate-secret';
import { SendTestEventHandler } from './commands/send-test-event';
import { UpdateWebhookHandler } from './commands/update-webhook';
import { DeliveriesController } from './deliveries.controller';
import { GetDeliveryHandler } from './queries/get-delivery';
import { GetWebhookHandler } from './queries/get-webhook';
import { ListDeliveriesHandler } from './queries/list-deliveries';
import { ListWebhooksHandler } from './queries/list-webhooks';
import { FirstWebhookAnswers } from './first-webhook-answers';
import { WebhooksController } from './webhooks.controller';

const COMMAND_HANDLERS = [
  CreateWebhookHandler,
  UpdateWebhookHandler,
  DeleteWebhookHandler,
  RotateSecretHandler,
  SendTestEventHandler,
  RedeliverHandler,
];
const QUERY_HANDLERS = [ListWebhooksHandler, GetWebhookHandler, GetDeliveryHandler, ListDeliveriesHandler];

/** The webhooks of a tenant, and what is delivered to them. */
@Module({})
export class WebhooksModule {
  /** @param parts what the handlers and the pipe inject: `STORE`, `ADDRESS_RULES` and `RESOLVE_PROVIDER` */
  static register(parts: Provider[]): DynamicModule {
    return {
      module: WebhooksModule,
      imports: [CqrsModule.forRoot()],
      controllers: [WebhooksController, DeliveriesController],
      providers: [...COMMAND_HANDLERS, ...QUERY_HANDLERS, BodyPipe, Idempotency, FirstWebhookAnswers, ...parts],
    };
  }
}
