import type { Pool } from 'pg';
import { LIMIT_NAMES, type Limits } from '@lib/domain/limits';
import { ormOver } from '../postgres/orm';
import { Tenants, type ChangeMeta } from '../tenants/tenants';
import { TenantLimit } from './limit-entities';

export interface ListedLimits {
  tenantId: string;
  /** Null: those of the tenant. */
  keyId: string | null;
  limits: Limits;
}

/** What is not named stays as it is; `undefined` is as the settings say again. */
export type LimitChanges = { [Name in keyof Limits]: Limits[Name] | undefined };

/**
 * Changes the limits of a tenant or of one of its keys, and records it in the tenant's stream.
 * @returns the limits that differ from the settings now
 */
export async function setLimits(
  pool: Pool,
  { tenantId, keyId, changes }: { tenantId: string; keyId: string | null; changes: LimitChanges },
  meta: ChangeMeta,
): Promise<Limits> {
  const tenants = new Tenants(pool);
  const known = (await tenants.load(tenantId)).limits.find((own) => own.keyId === keyId)?.limits ?? {};
  const limits = Object.fromEntries(Object.entries({ ...known, ...changes }).filter(([, value]) => value !== undefined)) as Limits;
  const after = await tenants.execute({
    tenantId,
    commands: [{ type: 'SetLimits', tenantId, keyId, limits }],
    meta,
    write: async (client, { limits: all }) => {
      const stored = all.find((own) => own.keyId === keyId)?.limits ?? {};
      const place = [tenantId, keyId ?? ''];
      if (LIMIT_NAMES.every((name) => stored[name] === undefined)) {
        await client.query('delete from tenant_limit where tenant_id = $1 and key_id = $2', place);
        return;
      }
      const text = `insert into tenant_limit (tenant_id, key_id, limits) values ($1, $2, $3)
        on conflict (tenant_id, key_id) do update set limits = excluded.limits`;
      await client.query(text, [...place, JSON.stringify(stored)]);
    },
  });
  return after.limits.find((own) => own.keyId === keyId)?.limits ?? {};
}

/** Those that differ from the settings, of one tenant or of all. */
export async function listLimits(pool: Pool, tenantId?: string): Promise<ListedLimits[]> {
  const rows = await ormOver(pool)
    .em.fork()
    .find(TenantLimit, tenantId === undefined ? {} : { tenantId }, { orderBy: { tenantId: 'asc', keyId: 'asc' } });
  return rows.map((row) => ({ tenantId: row.tenantId, keyId: row.keyId === '' ? null : row.keyId, limits: row.limits }));
}
