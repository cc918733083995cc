import type { Env } from '@lib/settings/env';
import type { AddressRules } from '../webhooks/address-rules';

/** The same for whoever takes a webhook's URL and for whoever delivers to it. */
export const addressRules = ({ WEBHOOK_LOOPBACK }: Env): AddressRules => ({ loopback: WEBHOOK_LOOPBACK === 'allowed' });
