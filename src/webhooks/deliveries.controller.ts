import { Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiParam, ApiQuery, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { WebhookDeliveryListView, WebhookDeliveryView } from '@lib/store/views/webhook.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiChangeProblems, ApiRouteProblems } from '../api/api-problems';
import { ApiIdempotencyKey } from '../api/idempotency-key';
import { optionalId } from '../api/optional-parameters';
import { QueryValues, type Query as QueryParameters } from '../api/query-values';
import { readLimit } from '../api/page';
import { Idempotency } from '../api/idempotency';
import { ANSWERED, LIMIT, PAGED } from '../api/route-documents';
import { Redeliver } from './commands/redeliver';
import { SendTestEvent } from './commands/send-test-event';
import { GetDelivery } from './queries/get-delivery';
import { ListDeliveries } from './queries/list-deliveries';
import { DELIVERY_ID, WEBHOOK_ID } from './route-documents';

const ON_ITS_WAY = { type: WebhookDeliveryView, description: 'The event is on its way.', ...ANSWERED };

/** What is delivered to webhooks. */
@ApiTags('webhooks')
@ApiBearerAuth('bearerAuth')
@Controller('v1/webhooks/:webhookId')
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly idempotency: Idempotency,
  ) {}

  @Get('deliveries')
  @RouteConfig({ query: ['limit', 'cursor'] })
  @ApiOperation({
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description:
      'Lists what was, is and will be delivered to the webhook, newest event first. What has ended is kept for 30 days, or until its thread is deleted.',
  })
  @ApiParam(WEBHOOK_ID)
  // The document lists parameters from the last decorator to the first.
  @ApiQuery(optionalId('cursor', '`nextCursor` of the page before.', 'evt'))
  @ApiQuery(LIMIT)
  @ApiOkResponse({ type: WebhookDeliveryListView, description: 'One page of deliveries.', headers: { Link: PAGED.Link } })
  @ApiRouteProblems('webhook_not_found')
  listWebhookDeliveries(
    @AuthenticatedCaller() { tenantId }: Caller,
    @Param('webhookId') webhookId: string,
    @Query() query: QueryParameters,
  ): Promise<WebhookDeliveryListView> {
    const values = new QueryValues(query);
    const limit = readLimit(values);
    const before = values.id('cursor', 'evt') ?? null;
    values.check();
    return this.queries.execute(new ListDeliveries(tenantId, webhookId, { before, limit }));
  }

  @Post('deliveries/:deliveryId/redeliver')
  @RouteConfig({ takesNoBody: true })
  @HttpCode(202)
  @ApiOperation({
    operationId: 'redeliverWebhookEvent',
    summary: 'Deliver an event again',
    description: 'Has the event delivered at once, whatever became of it, with all of its attempts and the same `webhook-id`.',
  })
  @ApiParam(DELIVERY_ID)
  @ApiParam(WEBHOOK_ID)
  @ApiAcceptedResponse(ON_ITS_WAY)
  @ApiIdempotencyKey()
  @ApiChangeProblems('webhook_not_found', 'delivery_not_found', 'webhook_disabled')
  redeliverWebhookEvent(
    @AuthenticatedCaller() { tenantId }: Caller,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookDeliveryView> {
    return this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new Redeliver(tenantId, webhookId, deliveryId, request)),
      again: ({ streamId }) => this.queries.execute(new GetDelivery(tenantId, webhookId, streamId)),
    });
  }

  @Post('test')
  @RouteConfig({ takesNoBody: true })
  @HttpCode(202)
  @ApiOperation({
    operationId: 'testWebhook',
    summary: 'Send a test event',
    description: 'Puts an event of the type `webhook.test` on its way, whatever types the webhook asks for.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiAcceptedResponse(ON_ITS_WAY)
  @ApiIdempotencyKey()
  @ApiChangeProblems('webhook_not_found', 'delivery_not_found', 'webhook_disabled')
  testWebhook(
    @AuthenticatedCaller() { tenantId }: Caller,
    @Param('webhookId') webhookId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookDeliveryView> {
    return this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new SendTestEvent(tenantId, webhookId, request)),
      again: ({ streamId }) => this.queries.execute(new GetDelivery(tenantId, webhookId, streamId)),
    });
  }
}
