import { defineEntity, p } from '@mikro-orm/core';
import { Tenant } from '../access/access-entities';

/** An address to which a tenant wants events delivered. `sealed` holds what only its owner and the delivery may read, see `SealedWebhook`. */
export const Webhook = defineEntity({
  name: 'Webhook',
  indexes: [{ name: 'webhook_by_tenant', properties: ['tenant', 'id'] }],
  properties: {
    id: p.text().primary(),
    tenant: () => p.manyToOne(Tenant).ref().foreignKeyName('webhook_tenant_id_fkey'),
    eventTypes: p.array(),
    enabled: p.boolean(),
    disabledReason: p.text().nullable(),
    disabledAt: p.datetime().nullable(),
    failingSince: p.datetime().nullable(),
    sealed: p.uint8array(),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
  },
});

/** An event on its way to a webhook. A trigger of the event table writes them; `due_at` is null once nothing is left to do. */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  indexes: [
    { name: 'webhook_delivery_by_due', properties: ['webhookId', 'dueAt'], where: 'due_at is not null' },
    { name: 'webhook_delivery_by_end', properties: ['endedAt'], where: 'ended_at is not null' },
    { name: 'webhook_delivery_by_thread', properties: ['threadId'] },
  ],
  properties: {
    webhookId: p.text().primary(),
    eventId: p.text().primary(),
    type: p.text(),
    threadId: p.text().nullable(),
    jobId: p.text().nullable(),
    occurredAt: p.datetime(),
    status: p.text().default('pending'),
    attempts: p.integer().default(0),
    failures: p.integer().default(0),
    unseen: p.integer().default(0),
    dueAt: p.datetime().nullable(),
    attemptedAt: p.datetime().nullable(),
    responseStatus: p.integer().nullable(),
    error: p.text().nullable(),
    endedAt: p.datetime().nullable(),
  },
});
