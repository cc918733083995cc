import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { MIGRATION_NAMES } from '@lib/store/migrations/names';
import { migrate, pendingMigrations } from '@lib/store/postgres/migrations';
import { schemaDrift } from '@lib/store/postgres/schema-drift';
import type { RunningPostgres } from '../../src/embedded/postgres';
import { findOldestPostgres, newestPostgres, OLDEST_MAJOR } from '../servers/postgres-releases';

const oldest = findOldestPostgres();
if (!oldest) it.skip(`NOT TRIED: PostgreSQL ${OLDEST_MAJOR}, which neither npm nor Debian has put on this machine`, () => undefined);

describe.each([...(oldest ? [oldest] : []), newestPostgres])('an owner without any other right, on $name', (release) => {
  let server: RunningPostgres;
  let admin: Client;
  beforeAll(async () => {
    server = await release.start();
    admin = await connected(server.url);
    await admin.query('create role owner login nosuperuser nocreatedb nocreaterole');
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  const urlOf = (user: string, name: string): string => Object.assign(new URL(server.url), { username: user, pathname: `/${name}` }).href;

  async function emptyDatabase(name: string): Promise<string> {
    await admin.query(`create database ${name} owner owner`);
    return urlOf('owner', name);
  }

  it('migrates an empty database into the schema that this build expects', async () => {
    const url = await emptyDatabase('fresh');
    expect(await migrate(url)).toEqual([...MIGRATION_NAMES]);
    expect(await schemaDrift(url)).toEqual([]);
    expect(await migrate(url)).toEqual([]);
    const client = await connected(url);
    expect(await storageOf(client)).toEqual(['event.sealed e', 'job.document e']);
    await client.end();
  });

  it('that takes over an existing installation ends with the same functions', async () => {
    const url = await emptyDatabase('existing');
    await migrate(url);
    const client = await connected(url);
    const wanted = await functionsOf(client);
    const asSuperuser = await connected(urlOf('research', 'existing'));
    // As an earlier build made them, which only a superuser could.
    for (const name of ['erase_thread(text, text[])', 'erase_jobs(text[])', 'erase_piece_of_thread(text, int)'])
      await asSuperuser.query(`alter function ${name} set research_threads.erasing = 'on'`);
    await asSuperuser.query('alter function bury_threads(text[]) reset search_path');
    await asSuperuser.end();
    expect(await functionsOf(client)).not.toEqual(wanted);
    await client.query(`delete from mikro_orm_migrations where name = 'Migration20261122100500_plain_owner'`);
    expect(await migrate(url)).toEqual(['Migration20261122100500_plain_owner']);
    expect(await functionsOf(client)).toEqual(wanted);
    await client.end();
  });

  it('is asked for where somebody else migrates', async () => {
    await emptyDatabase('of_another');
    await admin.query('create role stranger login');
    await expect(migrate(urlOf('stranger', 'of_another'))).rejects.toThrow(/may not change the schema: migrate as the owner/);
  });

  it('is not given a database that does not exist', async () => {
    await expect(migrate(urlOf('research', 'unasked'))).rejects.toThrow('database "unasked" does not exist');
    expect(await databases(admin)).not.toContain('unasked');
  });

  it('migrates through a pooler that has another name for the database, and no database of that name is made', async () => {
    await emptyDatabase('behind_pool');
    const pooler = await startPooler(server.port, 'public_name', 'behind_pool');
    const url = new URL(urlOf('research', 'public_name'));
    url.port = String(pooler.port);
    expect(await migrate(url.href)).toEqual([...MIGRATION_NAMES]);
    await pooler.close();
    expect(await databases(admin)).not.toContain('public_name');
    const client = await connected(urlOf('research', 'behind_pool'));
    expect(await pendingMigrations(client)).toEqual([]);
    await client.end();
  });
});

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  // The server is stopped whatever becomes of a test.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const databases = async (client: Client): Promise<string[]> =>
  (await client.query<{ datname: string }>('select datname from pg_database')).rows.map(({ datname }) => datname);

async function functionsOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace order by oid::regprocedure::text`,
  );
  return rows.map(({ text }) => text);
}

async function storageOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select attrelid::regclass || '.' || attname || ' ' || attstorage::text as text from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attstorage = 'e' order by 1`,
  );
  return rows.map(({ text }) => text);
}

/** Calls the database by another name of the same length, as a pooler may. */
async function startPooler(port: number, outside: string, inside: string): Promise<{ port: number; close(): Promise<void> }> {
  expect(outside).toHaveLength(inside.length);
  const listener = createServer((client) => {
    const target = connect(port, '127.0.0.1');
    client.once('data', (startup) => {
      target.write(Buffer.from(startup.toString('latin1').replace(outside, inside), 'latin1'));
      client.pipe(target);
    });
    target.pipe(client);
    for (const socket of [client, target]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const close = async () => {
    listener.close();
    await once(listener, 'close');
  };
  return { port: (listener.address() as AddressInfo).port, close };
}
