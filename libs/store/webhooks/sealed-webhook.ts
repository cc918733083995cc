import { randomBytes } from 'node:crypto';

import { DAY_MS } from '@lib/domain/durations';

import type { KeyRing } from '../sealing/key-ring';

/** Keys of the signatures, newest first: a replaced one stays live for a while, so that its receiver can change over. */
export interface WebhookSecret {
  /** Counted from 1 in the order in which they were made. */
  number: number;
  /** In the format of Standard Webhooks: `whsec_` and base64. */
  text: string;
  /** Null for the current secret. */
  expiresAt: string | null;
}

/** The sealed part of a webhook: addresses may hold tokens, and descriptions anything. */
export interface SealedWebhook {
  url: string;
  description: string;
  secrets: WebhookSecret[];
}

const SECRET_BYTES = 32;
/** How long deliveries are also signed with the previous secret. */
const OVERLAP_MS = DAY_MS;

export const firstSecret = (): WebhookSecret[] => [{ number: 1, text: secretText(), expiresAt: null }];

/** A new current secret beside the previous one; an older one ends at once. */
export function rotated([current]: readonly WebhookSecret[], now: Date): WebhookSecret[] {
  const fresh = { number: (current?.number ?? 0) + 1, text: secretText(), expiresAt: null };
  return current ? [fresh, { ...current, expiresAt: new Date(now.getTime() + OVERLAP_MS).toISOString() }] : [fresh];
}

export const liveSecrets = (secrets: readonly WebhookSecret[], now: Date): WebhookSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > now.getTime());

interface Place {
  id: string;
  tenantId: string;
}

export const sealWebhook = (ring: KeyRing, place: Place, webhook: SealedWebhook): Buffer =>
  ring.seal(webhookPlace(place), JSON.stringify(webhook));

/** @throws Unsealable if it was sealed under another key or for another webhook or tenant, or was changed */
export const openWebhook = (ring: KeyRing, place: Place, sealed: Buffer): SealedWebhook =>
  JSON.parse(ring.unseal(webhookPlace(place), sealed)) as SealedWebhook;

export const webhookPlace = ({ id, tenantId }: Place): string => `${id}|webhook|${tenantId}`;
const secretText = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
