import { defineEntity, p } from '@mikro-orm/core';
import type { Limits } from '@lib/domain/limits';

/** The owner of threads. Nothing of one tenant is visible to another. */
export const Tenant = defineEntity({
  name: 'Tenant',
  properties: {
    id: p.text().primary(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** An API key of a tenant, by its HMAC: the key itself is shown once and never stored. */
export const ApiKey = defineEntity({
  name: 'ApiKey',
  indexes: [{ name: 'api_key_tenant', properties: ['tenant', 'createdAt'] }],
  properties: {
    keyId: p.text().primary(),
    tenant: () => p.manyToOne(Tenant).ref().foreignKeyName('api_key_tenant_id_fkey'),
    name: p.text().nullable(),
    hmac: p.uint8array(),
    createdAt: p.datetime().defaultRaw('now()'),
    revokedAt: p.datetime().nullable(),
    scopes: p.array().nullable(),
    expiresAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    rowHmac: p.uint8array().nullable(),
    limits: p.json<Limits>().nullable(),
  },
});
