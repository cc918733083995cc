import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { clusterOf } from '@lib/store/log/cluster';
import { eventually } from '../messaging/eventually';
import { DatabaseServer } from '../support/database-server';

it('a standby is another database from the moment at which it takes over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'research-cluster-'));
  const database = await DatabaseServer.start(folder);
  const asked = async <Answer>(ask: (pool: pg.Pool) => Promise<Answer>): Promise<Answer> => {
    const pool = new pg.Pool({ connectionString: database.url });
    return ask(pool).finally(() => pool.end());
  };
  const rows = async (text: string) => (await asked((pool) => pool.query<object>(text))).rows;
  await rows('create table event as select repeat($$x$$, 1000) from generate_series(1, 10000)');
  const { cluster: before } = await asked(clusterOf);
  expect(before).toMatch(/^\d+\/1\//);
  await database.crash();
  writeFileSync(join(database.dataDir, 'standby.signal'), '');
  await database.start();
  // A standby says which database it follows.
  expect((await asked(clusterOf)).cluster).toBe(before);
  await rows('select pg_promote()');
  await eventually(true, async () => (await rows('select where not pg_is_in_recovery()')).length === 1);
  // The table is being written to the disk, so the control file still names the old timeline: this is the time that the test is about.
  expect(await rows('select timeline_id as id from pg_control_checkpoint()')).toEqual([{ id: 1 }]);
  expect((await asked(clusterOf)).cluster).toBe(before.replace(/\/1\//, '/2/'));
  await database.crash();
  rmSync(folder, { recursive: true });
});
