import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Postgres } from 'pg';
import { eventually } from '../../messaging/eventually';
import type { Deployment } from '../deployment';
import type { FaultKind } from '../schedule';
import { Random } from '../random';
import type { Fault } from './evidence';
import { held } from './held';
import { HOLD } from '../../support/hold';

const crashed: Fault = async ({ supervisor: { database } }, { forMs }) => {
  await database.crash();
  const seen = database.isRunning ? null : 'ended at once';
  await delay(forMs);
  await database.start();
  return seen;
};

const failedOver: Fault = async ({ supervisor: { database } }, { forMs }) => {
  await database.shutDown();
  const seen = database.isRunning ? null : 'shut down and started again';
  await delay(forMs);
  await database.start();
  return seen;
};

const frozen: Fault = async ({ supervisor: { database } }, { forMs }) => {
  const stopped = database.freeze();
  await delay(forMs);
  database.goOn(stopped);
  return stopped.length > 1 ? 'all its processes were stopped' : null;
};

/** One by signal, upon which the server ends all others and recovers; or each by an administrator's command. */
const sessionsKilled: Fault = async (deployment, { seed }) => {
  if (new Random(seed).chance(0.5)) {
    const ended = await deployment.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return ended.length > 0 ? 'sessions were ended' : null;
  }
  const { database } = deployment.supervisor;
  const [victim, witness] = [await connected(database.url), await connected(database.url)];
  const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
  // Until the server has noticed, it still takes new connections, only to end them with all the others.
  const noticed = new Promise<void>((resolve) => witness.on('end', resolve));
  database.signal(
    rows.map(({ pid }) => pid),
    'SIGKILL',
  );
  await noticed;
  await eventually(true, () => isBack(deployment), 60_000);
  return 'a session was killed';
};

const connected = async (connectionString: string): Promise<Postgres> => {
  const client = new Postgres({ connectionString });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const setting = async (deployment: Deployment, name: string, value: string | null): Promise<void> => {
  await deployment.sql(value === null ? `alter system reset ${name}` : `alter system set ${name} = ${value}`);
  await deployment.sql('select pg_reload_conf()');
};

const set =
  (name: string, value: string, look: (deployment: Deployment) => Promise<string | null>): Fault =>
  async (deployment, { forMs }) => {
    try {
      await setting(deployment, name, value);
      return await held(forMs, () => look(deployment));
    } finally {
      await setting(deployment, name, null);
    }
  };

const readOnly = set('default_transaction_read_only', 'on', async (deployment) => {
  const refusal = await deployment.sql('create table nemesis (id int)').catch((error: { code?: string }) => error.code);
  return refusal === '25006' ? 'writes were refused' : null;
});

/** A replica that must confirm each commit and is not there: commits wait, reads do not. */
const slowCommits = set('synchronous_standby_names', `'a_replica_that_is_away'`, async (deployment) => {
  const waiting = await deployment.sql(`select pid from pg_stat_activity where wait_event = 'SyncRep'`);
  return waiting.length > 0 ? 'commits waited' : null;
});

/** A transaction of somebody else holds rows that everybody needs. */
const rowsLocked: Fault = async (deployment, { forMs, seed }) => {
  const client = await connected(deployment.supervisor.database.url);
  try {
    const table = new Random(seed).pick(['agenda', 'job', 'thread', 'thread_key']);
    await client.query(HOLD);
    await client.query(`lock table ${table} in share row exclusive mode`);
    const blocked = async () =>
      (await deployment.sql('select pid from pg_locks where not granted')).length > 0 ? `${table} was locked` : null;
    return await held(forMs, blocked);
  } finally {
    await client.end();
  }
};

const diskFull: Fault = async (deployment, { forMs }) => {
  const { disks, supervisor } = deployment;
  const { database } = supervisor;
  const complaints = () => readFileSync(join(database.dataDir, 'server.log'), 'latin1').split('No space left on device').length;
  const before = complaints();
  const free = await disks.fill('postgres');
  const seen = await held(forMs, () => (complaints() > before ? 'the server found no space' : null));
  await free();
  // A server that could not write its log ends and may have failed to start again; one that could not write a table goes on.
  await eventually(true, () => isBack(deployment), 60_000);
  return seen;
};

const isBack = async (deployment: Deployment): Promise<boolean> => {
  const { database } = deployment.supervisor;
  if (!database.isRunning) await database.start();
  return deployment.sql('select 1').then(
    () => true,
    () => false,
  );
};

export const databaseFaults = ({ disks }: Deployment): Partial<Record<FaultKind, Fault>> => ({
  'database crashed': crashed,
  'database fails over': failedOver,
  'database frozen': frozen,
  'database sessions killed': sessionsKilled,
  'database read-only': readOnly,
  'database commits slowly': slowCommits,
  'database rows locked': rowsLocked,
  ...(disks.has('postgres') ? { 'database disk full': diskFull } : {}),
});
