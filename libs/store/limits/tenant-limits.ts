import type { Pool } from 'pg';
import type { LimitChanges, Limits } from '@lib/domain/limits';
import { ownLimits } from '@lib/domain/tenant';
import { ApiKey } from '../access/access-entities';
import { ormOver } from '../postgres/orm';
import { withStoreErrors } from '../postgres/store-unavailable';
import { Tenants, type ChangeMeta } from '../tenants/tenants';
import { TenantLimit } from './limit-entities';
import { WRITE_LIMITS } from './write-limits';

export interface ListedLimits {
  tenantId: string;
  /** Null: those of the tenant. */
  keyId: string | null;
  limits: Limits;
}

const DELETE = `delete from tenant_limit where tenant_id = $1 and key_id = ''`;
/**
 * Changes the limits of a tenant, and records it in the tenant's stream.
 * @returns the limits that differ from the settings now
 */
export async function setLimits(
  pool: Pool,
  { tenantId, changes }: { tenantId: string; changes: LimitChanges },
  meta: ChangeMeta,
): Promise<Limits> {
  const after = await new Tenants(pool).execute({
    tenantId,
    commands: [{ type: 'ChangeLimits', tenantId, keyId: null, changes }],
    meta,
    write: async (client, state) => {
      const stored = ownLimits(state, null) ?? {};
      if (Object.keys(stored).length === 0) await client.query(DELETE, [tenantId]);
      else await client.query(WRITE_LIMITS, [tenantId, JSON.stringify(stored)]);
    },
  });
  return ownLimits(after, null) ?? {};
}

/** Limits that differ from the settings, of one tenant or of all: first those of the tenant itself, then those of its keys. */
export async function listLimits(pool: Pool, tenantId?: string): Promise<ListedLimits[]> {
  const { ofTenants, ofKeys } = await withStoreErrors(() => readLimits(pool, tenantId));
  const listed = new Map<string, ListedLimits>();
  for (const { tenantId: id, keyId, limits } of ofTenants) listed.set(`${id}/${keyId}`, { tenantId: id, keyId: keyId || null, limits });
  for (const { tenant, keyId, limits } of ofKeys) if (limits) listed.set(`${tenant.id}/${keyId}`, { tenantId: tenant.id, keyId, limits });
  return [...listed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, limits]) => limits);
}

async function readLimits(pool: Pool, tenantId: string | undefined) {
  const orm = ormOver(pool).em.fork();
  const ofTenants = await orm.find(TenantLimit, tenantId === undefined ? {} : { tenantId });
  const ofKeys = await orm.find(ApiKey, { limits: { $ne: null }, ...(tenantId !== undefined && { tenant: tenantId }) });
  return { ofTenants, ofKeys };
}
