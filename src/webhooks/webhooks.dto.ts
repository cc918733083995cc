import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@lib/domain/webhook';
import { Flag, Optional } from '../api/body-rules';
import { Description, EventTypeList, MAX_DESCRIPTION_LENGTH, UrlText } from './webhook-rules';
import { MAX_URL_LENGTH } from './webhook-url';

const URL_TEXT = { type: String, format: 'uri', maxLength: MAX_URL_LENGTH, example: 'https://example.com/research/events' } as const;
const EVENT_TYPES = {
  enum: [...WEBHOOK_EVENT_TYPES],
  enumName: 'WebhookEventType',
  isArray: true,
  minItems: 1,
  uniqueItems: true,
} as const;
const DESCRIPTION = { type: String, maxLength: MAX_DESCRIPTION_LENGTH } as const;

/** An address that wants to be told of events. */
export class CreateWebhookBody {
  /** HTTPS on port 443 or 8443 of a host of the public internet, without user and password. Redirects are not followed. */
  @UrlText()
  @ApiProperty(URL_TEXT)
  url!: string;

  @EventTypeList()
  @ApiProperty(EVENT_TYPES)
  eventTypes!: WebhookEventType[];

  @Optional()
  @Description()
  @ApiPropertyOptional({ ...DESCRIPTION, default: '' })
  description: string = '';

  @Optional()
  @Flag()
  @ApiPropertyOptional({ type: Boolean, default: true })
  enabled: boolean = true;
}

/** What is to change of a webhook; what is left out stays. */
export class UpdateWebhookBody {
  @Optional()
  @UrlText()
  @ApiPropertyOptional(URL_TEXT)
  url?: string;

  @Optional()
  @EventTypeList()
  @ApiPropertyOptional(EVENT_TYPES)
  eventTypes?: WebhookEventType[];

  @Optional()
  @Description()
  @ApiPropertyOptional(DESCRIPTION)
  description?: string;

  /** Enabling it again forgets why it was disabled. */
  @Optional()
  @Flag()
  @ApiPropertyOptional({ type: Boolean })
  enabled?: boolean;
}
