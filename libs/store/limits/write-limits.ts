/** Only the tenant's own limits, not those of its keys: (tenant, limits as JSON). */
export const WRITE_LIMITS = `insert into tenant_limit (tenant_id, key_id, limits) values ($1, '', $2)
  on conflict (tenant_id, key_id) do update set limits = excluded.limits`;
