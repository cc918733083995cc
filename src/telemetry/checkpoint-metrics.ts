import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import type { Pool } from '@lib/store/postgres/pool';
import type { CheckpointSettings } from '../audit/checkpoint-settings';
import { publishedAge } from '../audit/published-age';
import { fromServer } from './server-gauges';

/** Each saga reports the same values. Separate from the gauges of waiting work, since a folder on another machine may hang. */
export function measureCheckpoints(
  registry: Registry,
  pool: Pool,
  settings: CheckpointSettings | null,
  logger: Pick<Logger, 'warn'>,
): void {
  const age = new Gauge({
    name: 'research_checkpoint_age_seconds',
    help: 'Age of the newest checkpoint of the log that is signed and lies in CHECKPOINT_DIR, where that is set; 0 while it has the newest event; absent without any, and while it cannot be read.',
    registers: [registry],
    collect: fromServer({
      server: 'the database or CHECKPOINT_DIR',
      read: () => publishedAge(pool, settings),
      fill: (seconds) => (seconds === null ? age.remove() : age.set(seconds)),
      leaveOut: () => age.remove(),
      logger,
    }),
  });
}
