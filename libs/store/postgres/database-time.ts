import type { Pool } from 'pg';

/** The database's time, because that of a process can be wrong. @throws what the driver throws */
export async function databaseTime(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select statement_timestamp() as now');
  return (rows as [{ now: Date }])[0].now;
}
