import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type PostgresOptions, type RunningPostgres } from '../../src/embedded/postgres';

/** Nobody misses this data after a power loss. */
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200', shared_buffers: '64MB' };

/** A real server on an empty cluster of its own, removed by `stop`. */
export const startTestPostgres = async ({
  binaries,
  settings,
}: Pick<PostgresOptions, 'binaries' | 'settings'> = {}): Promise<RunningPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), 'research-postgres-'));
  return startPostgres({ dataDir: folder, settings: { ...FAST, ...settings }, binaries, keep: false });
};
