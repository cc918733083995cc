import { defineEntity, p } from '@mikro-orm/core';
import type { Limits } from '@lib/domain/limits';

/** What differs from the settings, for a tenant (an empty key). Earlier builds kept that of keys here too; now it stands in the key's row. */
export const TenantLimit = defineEntity({
  name: 'TenantLimit',
  properties: {
    tenantId: p.text().primary(),
    keyId: p.text().primary(),
    limits: p.json<Limits>(),
  },
});
