import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from '../messaging/eventually';
import { DatabaseServer } from '../support/database-server';
import { onNats, startSystem } from '../system/support/system';

jest.setTimeout(120_000);

/** A standby ends what hinders its replay at once. */
const IMPATIENT = { max_standby_streaming_delay: '0', max_standby_archive_delay: '0' };
const SLOW_READS = `alter table thread rename to thread_itself;
  create function slowly() returns bool language plpgsql as 'begin perform pg_sleep(60); return true; end';
  create view thread as select * from thread_itself where slowly()`;

async function ask<Row extends object>(server: DatabaseServer, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  return client
    .query<Row>(statement)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

/** Starts the server again as the standby of a copy of itself, which is the primary from now on. */
async function becomesStandby(server: DatabaseServer, folderOfPrimary: string): Promise<DatabaseServer> {
  await server.shutDown();
  const copy = join(folderOfPrimary, 'postgres');
  cpSync(server.dataDir, copy, { recursive: true });
  chmodSync(copy, 0o700);
  const primary = await DatabaseServer.start(folderOfPrimary);
  const { hostname, port, username } = new URL(primary.url);
  writeFileSync(join(server.dataDir, 'standby.signal'), '');
  writeFileSync(join(server.dataDir, 'postgresql.auto.conf'), `primary_conninfo = 'host=${hostname} port=${port} user=${username}'\n`);
  await server.start();
  return primary;
}

it('a read that a standby ends because it hinders the replay (40001) is answered with 503 and may be repeated', async () => {
  await using closing = new AsyncDisposableStack();
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'research-standby-'));
    closing.defer(() => rmSync(made, { recursive: true, force: true }));
    return made;
  };
  const server = await DatabaseServer.start(folder(), { settings: IMPATIENT });
  closing.defer(() => server.stop());
  const database = { url: server.url, drop: () => Promise.resolve() };
  const system = await startSystem({ roles: ['api'], database, environment: onNats() });
  closing.defer(() => system.stop());
  await system.client.expect(201, 'POST', '/v1/threads', { message: 'How?' });
  await ask(server, SLOW_READS);
  const primary = await becomesStandby(server, folder());
  closing.defer(() => primary.stop());
  await eventually(200, async () => (await system.client.send('GET', '/v1/me')).status);

  const reading = system.client.send('GET', '/v1/threads');
  await eventually(1, async () => (await ask(server, `select from pg_stat_activity where wait_event = 'PgSleep'`)).length);
  await ask(primary, 'begin; lock table thread_itself in access exclusive mode; commit');
  const { status, headers, body } = await reading;
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'unavailable', '5']);
  expect(system.logged.join()).toContain('"errorCode":"40001"');
});
