import type { Pool } from 'pg';
import type { AgendaKind } from '@lib/domain/job/agenda';

/** Rows of the agenda of one kind and provider, over all tenants. */
export interface WorkCount {
  kind: AgendaKind;
  /** Empty for what is no provider's. */
  provider: string;
  entries: number;
  /** Due for more than a minute. */
  overdue: number;
  /** For how long the oldest has been due; negative if none is due yet. */
  oldestSeconds: number;
}

const COUNT = {
  name: 'agenda_count',
  text: `select kind, coalesce(provider, '') as provider, count(*)::int as entries,
      count(*) filter (where due_at < statement_timestamp() - interval '1 minute')::int as overdue,
      coalesce(extract(epoch from statement_timestamp() - min(due_at)), 0)::float8 as "oldestSeconds"
    from agenda group by kind, provider`,
};

const NEWEST_CHECKPOINT = {
  name: 'checkpoint_age',
  text: 'select extract(epoch from statement_timestamp() - max(signed_at))::float8 as age from checkpoint',
};

/** What waits and what runs: the agenda holds a row for each. */
export const countWork = async (pool: Pool): Promise<WorkCount[]> => (await pool.query<WorkCount>(COUNT)).rows;

/** Of the log's newest signed checkpoint, in seconds; null if there is none. */
export async function checkpointAge(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ age: number | null }>(NEWEST_CHECKPOINT);
  return rows[0]?.age ?? null;
}
