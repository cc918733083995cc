import type { Pool } from 'pg';
import { sequence } from '../../src/audit/sequencer';
import { verifyLog } from '../../src/audit/verify-log';

/** Whether the log has every event once, as its signed checkpoints say. */
export async function auditLog(pool: Pool): Promise<{ faults: string[]; checkpoints: number }> {
  while ((await sequence(pool)) > 0);
  const { faults, checkpoints } = await verifyLog(pool, [], [], () => undefined);
  const { rows } = await pool.query<{ event: string }>(
    `select event.stream_id || '/' || event.version || ' is ' || count(log_entry.version) || ' times in the log' as event
      from event left join log_entry on log_entry.stream_id = event.stream_id and log_entry.version = event.version
      group by event.stream_id, event.version having count(log_entry.version) <> 1`,
  );
  return {
    faults: [
      ...faults.map((fault) => JSON.stringify(fault)),
      ...rows.map(({ event }) => event),
      ...(checkpoints === 0 ? ['no checkpoint was signed'] : []),
    ],
    checkpoints,
  };
}
