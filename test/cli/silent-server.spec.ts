import { Client } from 'pg';
import { createDatabase, createMigratedDatabase, type TestDatabase } from '../servers/database';
import { startPostgresProxy } from '../support/postgres-proxy';
import { start, type Ended } from '../system/support/command';

jest.setTimeout(180_000);

/** A person waits no longer for a command. */
const WITHIN_MS = 60_000;

let empty: TestDatabase;
let migrated: TestDatabase;
let other: Client;
beforeAll(async () => {
  [empty, migrated] = await Promise.all([createDatabase(), createMigratedDatabase()]);
  other = new Client({ connectionString: migrated.url });
  await other.connect();
});
afterAll(async () => {
  await other?.end();
  await Promise.all([empty, migrated].map((database) => database?.drop()));
});

/** Killed if it takes longer than a person waits: its code is null then. */
async function run(command: string, url: string): Promise<Ended> {
  const program = start('cli/main.js', command.split(' '), { DATABASE_URL: url, API_KEY_PEPPER: 'the pepper of a test' });
  const late = setTimeout(() => program.kill('SIGKILL'), WITHIN_MS);
  const ended = await program.ended;
  clearTimeout(late);
  return ended;
}

async function frozenAt(statement: string, command: string, { url }: TestDatabase): Promise<Ended> {
  const proxy = await startPostgresProxy(url);
  proxy.freezeAt(statement);
  const ended = await run(command, proxy.url);
  await proxy.close();
  return ended;
}

const SILENT = 'PostgreSQL stopped answering: nothing was heard of it for 30 s';

/** The statement after which nothing is heard any more, the command that asks it, how that ends, and why. */
const FROZEN: readonly (readonly [statement: string, command: string, of: () => TestDatabase, code: number, why?: string])[] = [
  ['select 1', 'keys list', () => migrated, 3, 'PostgreSQL did not answer in time'],
  ['pg_settings', 'keys create --tenant acme', () => migrated, 3],
  ['to_regclass', 'keys list', () => migrated, 3, 'PostgreSQL did not answer in time'],
  ['pg_try_advisory_lock', 'migrate', () => empty, 3],
  ['set lock_timeout', 'migrate', () => empty, 3],
  // Their statements may take minutes.
  ['select 1', 'balance verify', () => migrated, 3],
  ['balance_transaction', 'balance verify', () => migrated, 3],
  ['to_regclass', 'verify', () => migrated, 2],
];

it('a command gives up a server that falls silent, at whatever it asks, and says what to do', async () => {
  const ended = await Promise.all(
    FROZEN.map(async ([statement, command, of]) => {
      const { code, stderr } = await frozenAt(statement, command, of());
      return { command, statement, code, stderr };
    }),
  );
  const expected = FROZEN.map(([statement, command, , code, why = SILENT]) => {
    const told = `The database cannot be used: ${why}. Check DATABASE_URL, and that its server runs.`;
    return { command, statement, code, stderr: expect.stringContaining(told) as string };
  });
  expect(ended).toEqual(expected);
});

it('status ends with 2 if the database falls silent before the first of its questions', async () => {
  const { code, stdout } = await frozenAt('rolbypassrls', 'status --json', migrated);
  const { notAsked } = JSON.parse(stdout) as { notAsked: { what: string }[] };
  expect({ code, notAsked: notAsked.length }).toEqual({ code: 2, notAsked: 10 });
});

it('nobody waits for the table of what was migrated while another session has it: that one is named', async () => {
  const { rows } = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
  await other.query('begin; lock table mikro_orm_migrations in access exclusive mode');
  const ended = await Promise.all(['keys list', 'migrate', 'tenants list'].map((command) => run(command, migrated.url)));
  await other.query('commit');
  for (const { code, stderr } of ended)
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(`^mikro_orm_migrations, .*, is locked; .* pid ${rows[0]?.pid} .*end them.*and try again\n$`) as string,
    });
});

it('keys are made and revoked while somebody else migrates for long, if the schema is up to date', async () => {
  await other.query(`select pg_advisory_lock(hashtext('research-threads migrations'))`);
  const ended = await Promise.all(['keys create --tenant acme', 'migrate'].map((command) => run(command, migrated.url)));
  await other.query('select pg_advisory_unlock_all()');
  expect(ended).toEqual([
    { code: 0, stdout: expect.stringMatching(/^\S+\n$/) as string, stderr: expect.any(String) as string },
    { code: 0, stdout: expect.stringContaining('The schema is up to date.') as string, stderr: '' },
  ]);
});
