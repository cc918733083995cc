import { defineEntity, p } from '@mikro-orm/core';
import type { Limits } from '@lib/domain/limits';

/**
 * The limits of a tenant that differ from the settings (`keyId` is empty). Earlier builds kept those of keys here too; now they are in the
 * key's row.
 */
export const TenantLimit = defineEntity({
  name: 'TenantLimit',
  properties: {
    tenantId: p.text().primary(),
    keyId: p.text().primary(),
    limits: p.json<Limits>(),
  },
});
