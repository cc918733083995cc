import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '@lib/store/postgres/migrations';
import { openStore, type Store } from '@lib/store/store';
import { eventually } from '../messaging/eventually';
import { DatabaseServer } from '../support/database-server';
import { createJob, TENANT } from '../support/store';
import { eventTypes, refusal } from '../support/streams';

const CONNECTIONS = 3;
/** After this time a client gives a statement up. */
const STATEMENT_MS = 300;

let folder: string;
let server: DatabaseServer;
let admin: Client;
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'research-hanging-'));
  server = await DatabaseServer.start(folder);
  await migrate(server.url);
  admin = new Client({ connectionString: server.url });
  await admin.connect();
  store = openStore({
    ...{ databaseUrl: server.url, connections: CONNECTIONS, statementMs: STATEMENT_MS, masterKeys: [randomBytes(32)] },
    ...{ leaseMs: 30_000, redispatchFirstMs: 10_000 },
  });
});
afterAll(async () => {
  await store?.close();
  await admin?.end();
  await server?.shutDown();
  rmSync(folder, { recursive: true, force: true });
});

async function waitFor(standby: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${standby}'`);
  await admin.query('select pg_reload_conf()');
  await eventually(
    standby,
    async () => (await admin.query<{ names: string }>('select current_setting($1) as names', [NAMES])).rows[0]?.names,
  );
}
const NAMES = 'synchronous_standby_names';

async function sessions(where: string): Promise<number> {
  const { rows } = await admin.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and ${where}`,
  );
  return rows[0]?.count ?? 0;
}

it('commits that hang for a standby that is gone use up no more connections than twice the pool, and all goes on once it is back', async () => {
  const { threadId, jobId } = await createJob(store);
  await waitFor('gone');
  // Each process of the server reads the setting for itself, and commits wait once the one that writes checkpoints has read it.
  await eventually(true, async () => (await refusal(store.requireCommit(STATEMENT_MS))) !== 'nothing was refused');
  const refused = new Set<string>();
  for (let round = 0; round < 8; round += 1) {
    const asked = Array.from({ length: CONNECTIONS }, () => refusal(createJob(store)));
    for (const name of [...(await Promise.all(asked)), await refusal(store.requireCommit(STATEMENT_MS))]) refused.add(name);
    expect(await sessions('true')).toBeLessThanOrEqual(2 * CONNECTIONS);
  }
  expect([...refused].sort()).toEqual(['Error', 'StoreUnavailable']);
  expect(await sessions(`wait_event = 'SyncRep'`)).toBeGreaterThanOrEqual(CONNECTIONS);
  await expect(store.requireCommit(STATEMENT_MS)).rejects.toThrow(/commits or more hang in the database.*synchronous_standby_names/);
  // What is only read is read.
  expect(String(await store.views.getJob(TENANT, threadId, jobId))).toContain(jobId);
  await waitFor('');
  await eventually(0, () => sessions(`wait_event = 'SyncRep'`));
  await eventually('nothing was refused', () => refusal(store.requireCommit(STATEMENT_MS)));
  const next = await createJob(store);
  expect(await eventTypes(store, next.jobId)).toEqual(['JobRequested']);
}, 120_000);
