import type { Env } from '@lib/settings/env';
import type { AddressRules } from '../webhooks/address-rules';

/** Shared by the api, which accepts webhook URLs, and by the role that delivers to them. */
export const addressRules = ({ WEBHOOK_LOOPBACK }: Env): AddressRules => ({ loopback: WEBHOOK_LOOPBACK === 'allowed' });
