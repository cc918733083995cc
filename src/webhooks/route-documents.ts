import { idPattern } from '@lib/domain/ids';
import { exampleId } from '@lib/store/views/schema';
import type { Examples } from '../api/route-documents';
import type { CreateWebhookBody, UpdateWebhookBody } from './webhooks.dto';

export const WEBHOOK_ID = {
  name: 'webhookId',
  description: 'Identifier of the webhook.',
  schema: { type: 'string', pattern: idPattern('whk'), example: exampleId('whk') },
} as const;

export const DELIVERY_ID = {
  name: 'deliveryId',
  description: 'Identifier of the delivery: the header `webhook-id` of its requests.',
  schema: { type: 'string', pattern: idPattern('evt'), example: exampleId('evt') },
} as const;

export const CREATE_WEBHOOK_EXAMPLES: Examples<CreateWebhookBody> = {
  ends: {
    summary: 'How jobs end',
    value: { url: 'https://example.com/research/events', eventTypes: ['job.completed', 'job.failed', 'job.cancelled'] },
  },
};

export const UPDATE_WEBHOOK_EXAMPLES: Examples<UpdateWebhookBody> = {
  enable: { summary: 'Enable it again', value: { enabled: true } },
};
