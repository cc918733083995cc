import type { Pool } from 'pg';

/** The database's time: that of a process can be wrong. @throws whatever the driver throws */
export async function databaseTime(pool: Pool): Promise<Date> {
  const { rows } = await pool.query<{ now: Date }>('select statement_timestamp() as now');
  return (rows as [{ now: Date }])[0].now;
}
