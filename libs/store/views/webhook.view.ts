import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import {
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  DELIVERY_TYPES,
  DISABLED_REASONS,
  WEBHOOK_EVENT_TYPES,
  type DeliveryError,
  type DeliveryStatus,
  type DeliveryType,
  type DisabledReason,
  type WebhookEventType,
} from '@lib/domain/webhook';

import { Enumeration, Identifier, Integer, ListOf, Text, Timestamp } from './schema';

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDmA2W9ThVpJc=';

/** An address that is told of events. */
@ApiSchema({ name: 'Webhook' })
export class WebhookView {
  @Identifier('whk')
  id!: string;

  @Text('https://example.com/research/events')
  url!: string;

  /** The events that it is told of. */
  @Enumeration('WebhookEventType', WEBHOOK_EVENT_TYPES, { isArray: true })
  eventTypes!: WebhookEventType[];

  /** As its owner wrote it; empty if nothing was written. */
  @Text('Tells the newsroom')
  description!: string;

  /** Nothing is delivered to a disabled one, and what happens meanwhile is not told later. */
  enabled!: boolean;

  /** `by_request`; `gone`: it answered 410; `failing`: it failed for a week. Null while it is enabled. A later version may know more values. */
  @ApiProperty({ type: String, example: DISABLED_REASONS[1], nullable: true })
  disabledReason!: DisabledReason | null;

  @Timestamp({ nullable: true })
  disabledAt!: string | null;

  /** Since when no delivery has succeeded although some were tried; null if the last one did. */
  @Timestamp({ nullable: true })
  failingSince!: string | null;

  /** Until when the secret before the current one is signed with too; null if there is none. */
  @Timestamp({ nullable: true })
  previousSecretExpiresAt!: string | null;

  @Timestamp()
  createdAt!: string;

  @Timestamp()
  updatedAt!: string;
}

/** A new webhook, with the secret that its deliveries are signed with. */
@ApiSchema({ name: 'WebhookCreated' })
export class WebhookCreatedView extends WebhookView {
  /** Shown here and never again: keep it where the receiver of the deliveries finds it. */
  @Text(SECRET)
  secret!: string;
}

/** All webhooks of the tenant. */
@ApiSchema({ name: 'WebhookList' })
export class WebhookListView {
  /** Oldest first. */
  @ListOf(WebhookView)
  webhooks!: WebhookView[];

  /** How many more could not be opened, since their key is missing or what is stored of them was changed. Each says so by its own id. */
  @Integer(0)
  webhooksUnreadable!: number;
}

/** The webhook is gone. */
@ApiSchema({ name: 'WebhookDeleted' })
export class WebhookDeletedView {
  @ApiProperty({ type: Boolean, example: true })
  deleted!: boolean;
}

/** A new secret. */
@ApiSchema({ name: 'WebhookSecret' })
export class WebhookSecretView {
  /** Shown here and never again. */
  @Text(SECRET)
  secret!: string;

  /** Until when deliveries are signed with the secret before as well. */
  @Timestamp({ nullable: true })
  previousSecretExpiresAt!: string | null;
}

/** An event on its way to a webhook. */
@ApiSchema({ name: 'WebhookDelivery' })
export class WebhookDeliveryView {
  /** The header `webhook-id` of its requests: the event's id, the same for every attempt. */
  @Identifier('evt')
  id!: string;

  @Enumeration('WebhookDeliveryType', DELIVERY_TYPES)
  type!: DeliveryType;

  @Identifier('thr', { nullable: true })
  threadId!: string | null;

  @Identifier('job', { nullable: true })
  jobId!: string | null;

  /** `failed` is one that is not tried any more. */
  @Enumeration('WebhookDeliveryStatus', DELIVERY_STATUSES)
  status!: DeliveryStatus;

  @Integer(2)
  attempts!: number;

  /** The status of the last answer; null if there was none. */
  @Integer(503, { nullable: true })
  responseStatus!: number | null;

  /** Why the last attempt failed; null if it did not. A later version may know more values. */
  @ApiProperty({ type: String, example: DELIVERY_ERRORS[0], nullable: true })
  error!: DeliveryError | null;

  @Timestamp()
  occurredAt!: string;

  @Timestamp({ nullable: true })
  attemptedAt!: string | null;

  /** Null once it is delivered or has failed. */
  @Timestamp({ nullable: true })
  nextAttemptAt!: string | null;
}

/** One page of deliveries. */
@ApiSchema({ name: 'WebhookDeliveryList' })
export class WebhookDeliveryListView {
  /** Newest event first. */
  @ListOf(WebhookDeliveryView)
  deliveries!: WebhookDeliveryView[];

  /** Of the next page; null on the last one. */
  @Identifier('evt', { nullable: true })
  nextCursor!: string | null;
}
