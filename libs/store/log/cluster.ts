import type { Pool } from 'pg';

const MAY_ASK = `select has_function_privilege('pg_control_system()', 'execute')
  and has_function_privilege('pg_control_checkpoint()', 'execute') as "mayAsk"`;
/**
 * The timeline is also read from the write-ahead log: a standby that took over writes to its new timeline at once, but minutes can pass until the
 * control file names it.
 */
const WRITES_TO = `case when pg_is_in_recovery() then 0 else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end`;
const CONTROL = `(select system_identifier::text from pg_control_system()) || '/' ||
  (select greatest(timeline_id, ${WRITES_TO})::text from pg_control_checkpoint())`;

export interface Cluster {
  /** Changes when the database is another one than before: restored, rewound, or a standby that took over. */
  cluster: string;
  /** Changes with the cluster, and when the table of events was rewritten: then nothing is known about events still to appear. */
  epoch: string;
}

/** Which database this is, as far as the role may ask. */
export async function clusterOf(pool: Pool): Promise<Cluster> {
  const { rows: allowed } = await pool.query<{ mayAsk: boolean }>(MAY_ASK);
  const control = allowed[0]?.mayAsk === true ? CONTROL : `'unknown'`;
  const { rows } = await pool.query<Cluster>(`
    select cluster, cluster || '/' || pg_relation_filenode('event') as epoch from (
      select ${control} || '/' || (select oid from pg_database where datname = current_database()) || '/' || 'event'::regclass::oid as cluster
    ) as own`);
  return rows[0] as Cluster;
}
