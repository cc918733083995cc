import type { Pool } from 'pg';
import { int8Array, textArray } from '../postgres/array-parameter';
import { rowsOf } from '../postgres/rows-of';

/** A tenant and the size that the log had when its events were read. */
export interface SeenLog {
  tenantId: string;
  size: number;
}

export interface GrownLogs {
  /** Of the log now. */
  size: number;
  /** Tenants with more entries in the log than were seen. */
  tenants: string[];
}

export type FindGrown = (seen: readonly SeenLog[]) => Promise<GrownLogs>;

const GROWN = {
  name: 'grown_logs',
  text: `select size, array(select tenant from unnest($1::text[], $2::int8[]) as seen (tenant, size)
      where seen.size < log_head.size and exists (select from log_of_tenant(tenant, null, seen.size - 1, 1))) as tenants
    from log_head`,
};

/** Finds, in one statement, the tenants with more entries in the log than were seen. */
export function createFindGrown(pool: Pool): FindGrown {
  return async (seen) => {
    const values = [textArray(seen.map(({ tenantId }) => tenantId)), int8Array(seen.map(({ size }) => size))];
    const [head] = await rowsOf<{ size: string; tenants: string[] }>(pool, { ...GROWN, values });
    return { size: Number(head?.size ?? 0), tenants: head?.tenants ?? [] };
  };
}
