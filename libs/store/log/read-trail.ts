import type { Pool } from 'pg';
import { batch } from '@lib/batching/batch';
import { textArray } from '../postgres/array-parameter';
import { answeredInTime } from '../postgres/answer-within';
import { rowsOf } from '../postgres/rows-of';
import type { AuditReadView } from '../views/audit-read.view';

/** A request to a route for auditors. */
export interface AuditRead {
  tenantId: string;
  keyId: string;
  /** As the OpenAPI document names it. */
  route: string;
  /** The requested job, thread or stream; null if there was no particular one. */
  resource: string | null;
  /** Our own id of the request, as in the log of requests. */
  requestId: string;
  /** The client's address; null if the deployment trusts no proxy to give it. */
  address: string | null;
}

/** A page of the trail. */
export interface AuditReads {
  /** Newest first. */
  reads: AuditReadView[];
  /** Where to continue; null if there is nothing older. */
  next: number | null;
}

const MAX_TOGETHER = 500;

const RECORD = {
  name: 'record_audit_reads',
  text: `insert into audit_read (tenant_id, key_id, route, resource, request_id, address)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])`,
};
const LIST = {
  name: 'list_audit_reads',
  text: `select id, key_id as "keyId", route, resource, request_id as "requestId", address, read_at as "readAt" from audit_read
    where tenant_id = $1 and id < $2 and ($3::text is null or key_id = $3) order by id desc limit $4`,
};
const FORGET = `delete from audit_read where id in (
  select id from audit_read where read_at < clock_timestamp() - $1 * interval '1 day' order by read_at limit $2)`;

const NEWEST = '9223372036854775807';

/** Returns once the read is stored. Reads that arrive while others are being stored share the next statement. */
export function createReadTrail(pool: Pool): (read: AuditRead) => Promise<void> {
  const store = async (reads: AuditRead[]): Promise<undefined[]> => {
    const column = (of: (read: AuditRead) => string | null) => textArray(reads.map(of));
    const values = [
      ...[column(({ tenantId }) => tenantId), column(({ keyId }) => keyId), column(({ route }) => route)],
      ...[column(({ resource }) => resource), column(({ requestId }) => requestId), column(({ address }) => address)],
    ];
    await rowsOf(pool, { ...RECORD, values });
    return reads.map(() => undefined);
  };
  return batch(store, { maxItems: MAX_TOGETHER, ...answeredInTime });
}

/** @param before the last one of the page before; null for the first page */
export async function listReads(
  pool: Pool,
  tenantId: string,
  { keyId, before, limit }: { keyId: string | undefined; before: number | null; limit: number },
): Promise<AuditReads> {
  const values = [tenantId, before ?? NEWEST, keyId ?? null, limit + 1];
  const rows = await rowsOf<Omit<AuditReadView, 'readAt'> & { id: string; readAt: Date }>(pool, { ...LIST, values });
  const page = rows.slice(0, limit);
  const reads = page.map(({ id: _, readAt, ...read }) => ({ ...read, readAt: readAt.toISOString() }));
  return { reads, next: rows.length > limit ? Number(page.at(-1)?.id) : null };
}

/** Removes those that are older, a few at a time. @returns how many */
export async function forgetReads(pool: Pool, olderThanDays: number, most: number): Promise<number> {
  return (await pool.query(FORGET, [olderThanDays, most])).rowCount ?? 0;
}
