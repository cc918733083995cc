import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiBearerAuth, ApiBody, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

import { WebhookCreatedView, WebhookDeletedView, WebhookListView, WebhookSecretView, WebhookView } from '@lib/store/views/webhook.view';
import { AuthenticatedCaller, type Caller } from '../access/caller';
import { ApiChangeProblems, ApiRouteProblems } from '../api/api-problems';
import { BodyPipe } from '../api/body.pipe';
import { ApiIdempotencyKey } from '../api/idempotency-key';
import { setLocation } from '../api/location';
import { Idempotency } from '../api/idempotency';
import { ANSWERED, CREATED } from '../api/route-documents';
import { CreateWebhook } from './commands/create-webhook';
import { DeleteWebhook } from './commands/delete-webhook';
import { RotateSecret } from './commands/rotate-secret';
import { UpdateWebhook } from './commands/update-webhook';
import { GetWebhook } from './queries/get-webhook';
import { ListWebhooks } from './queries/list-webhooks';
import { CREATE_WEBHOOK_EXAMPLES, UPDATE_WEBHOOK_EXAMPLES, WEBHOOK_ID } from './route-documents';
import { FirstWebhookAnswers } from './first-webhook-answers';
import { CreateWebhookBody, UpdateWebhookBody } from './webhooks.dto';

/** Webhooks: addresses to which events are delivered. */
@ApiTags('webhooks')
@ApiBearerAuth('bearerAuth')
@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly idempotency: Idempotency,
    private readonly firstAnswers: FirstWebhookAnswers,
  ) {}

  @Post()
  @ApiOperation({
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description:
      'Adds an address that is told when a job ends or a thread is deleted, by Standard Webhooks. The answer shows the secret of its ' +
      'signatures, once. A tenant has at most 20 webhooks.',
  })
  @ApiBody({ type: CreateWebhookBody, examples: CREATE_WEBHOOK_EXAMPLES })
  @ApiCreatedResponse({ type: WebhookCreatedView, description: 'The webhook was created.', ...CREATED })
  @ApiIdempotencyKey()
  @ApiChangeProblems('too_many_webhooks', 'conflict', 'webhook_not_found')
  async createWebhook(
    @AuthenticatedCaller() { tenantId }: Caller,
    @Body(BodyPipe) body: CreateWebhookBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookCreatedView> {
    const webhook = await this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new CreateWebhook(tenantId, body, request)),
      again: (first) => this.firstAnswers.created(tenantId, first),
    });
    setLocation(reply, 'webhooks', webhook.id);
    return webhook;
  }

  @Get()
  @ApiOperation({ operationId: 'listWebhooks', summary: 'List webhooks', description: 'Lists all webhooks of the tenant, oldest first.' })
  @ApiOkResponse({ type: WebhookListView, description: 'The webhooks.' })
  @ApiRouteProblems()
  listWebhooks(@AuthenticatedCaller() { tenantId }: Caller): Promise<WebhookListView> {
    return this.queries.execute(new ListWebhooks(tenantId));
  }

  @Get(':webhookId')
  @ApiOperation({ operationId: 'getWebhook', summary: 'Get a webhook', description: 'Returns the webhook without its secret.' })
  @ApiParam(WEBHOOK_ID)
  @ApiOkResponse({ type: WebhookView, description: 'The webhook.' })
  @ApiRouteProblems('webhook_not_found')
  getWebhook(@AuthenticatedCaller() { tenantId }: Caller, @Param('webhookId') webhookId: string): Promise<WebhookView> {
    return this.queries.execute(new GetWebhook(tenantId, webhookId));
  }

  @Patch(':webhookId')
  @ApiOperation({
    operationId: 'updateWebhook',
    summary: 'Change a webhook',
    description: 'Changes what is given and leaves the rest as it is. What waits for a disabled webhook is dropped when its turn comes.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({ type: UpdateWebhookBody, examples: UPDATE_WEBHOOK_EXAMPLES })
  @ApiOkResponse({ type: WebhookView, description: 'The webhook as it is now.' })
  @ApiRouteProblems('webhook_not_found', 'invalid_json', 'payload_too_large', 'unsupported_media_type')
  updateWebhook(
    @AuthenticatedCaller() { tenantId }: Caller,
    @Param('webhookId') webhookId: string,
    @Body(BodyPipe) body: UpdateWebhookBody,
  ): Promise<WebhookView> {
    return this.commands.execute(new UpdateWebhook(tenantId, webhookId, body));
  }

  @Delete(':webhookId')
  @RouteConfig({ takesNoBody: true })
  @ApiOperation({
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'Deletes the webhook with its secrets and the record of its deliveries. What is under way may still arrive.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiOkResponse({ type: WebhookDeletedView, description: 'The webhook is deleted.', ...ANSWERED })
  @ApiIdempotencyKey()
  @ApiChangeProblems('webhook_not_found')
  deleteWebhook(
    @AuthenticatedCaller() { tenantId }: Caller,
    @Param('webhookId') webhookId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookDeletedView> {
    return this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new DeleteWebhook(tenantId, webhookId, request)),
      again: async () => ({ deleted: true }),
    });
  }

  @Post(':webhookId/rotate-secret')
  @RouteConfig({ takesNoBody: true })
  @HttpCode(200)
  @ApiOperation({
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description:
      'Makes a new secret. For 24 hours deliveries carry a signature by each of both, so that the receiver can change over; a secret from ' +
      'before those two ends at once.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiOkResponse({ type: WebhookSecretView, description: 'The new secret.', ...ANSWERED })
  @ApiIdempotencyKey()
  @ApiChangeProblems('webhook_not_found', 'conflict')
  rotateWebhookSecret(
    @AuthenticatedCaller() { tenantId }: Caller,
    @Param('webhookId') webhookId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookSecretView> {
    return this.idempotency.once(reply, {
      act: (request) => this.commands.execute(new RotateSecret(tenantId, webhookId, request)),
      again: (first) => this.firstAnswers.rotated(tenantId, first),
    });
  }
}
