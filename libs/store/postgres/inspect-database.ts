import type { Pool } from 'pg';

/** What a PostgreSQL server reports about itself, in a session of the service's own user. */
export interface DatabaseServer {
  /** Such as 18.4. */
  version: string;
  /** Major version. */
  major: number;
  /** Such as UTF8. */
  encoding: string;
  /** Settings that keep a commit through a crash, as the server writes them. */
  durability: { fsync: string; synchronous_commit: string; full_page_writes: string };
  /** Connections that users other than superusers can have together. */
  connections: number;
  /** How far its clock is ahead of this process's, in milliseconds. */
  aheadMs: number;
}

interface Row extends Record<'fsync' | 'synchronous_commit' | 'full_page_writes' | 'version' | 'encoding' | 'now', string> {
  number: number;
  connections: number;
}

const READ = `
  select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
    current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
    (extract(epoch from clock_timestamp()) * 1000)::text as now`;

/** Reads, and changes nothing. */
export async function inspectDatabase(pool: Pool): Promise<DatabaseServer> {
  // The first query of a session waits for more than its answer.
  await pool.query('select 1');
  const sentAt = Date.now();
  const {
    rows: [row],
  } = await pool.query<Row>(READ);
  if (!row) throw new Error('the database server does not tell its settings');
  const { fsync, synchronous_commit, full_page_writes, number, connections } = row;
  return {
    version: row.version.split(' ')[0] ?? row.version,
    major: Math.floor(number / 10_000),
    encoding: row.encoding,
    durability: { fsync, synchronous_commit, full_page_writes },
    connections,
    aheadMs: Math.round(Number(row.now) - (sentAt + Date.now()) / 2),
  };
}
