import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, createMigratedDatabase, type TestDatabase } from '../servers/database';
import { research } from '../system/support/command';

jest.setTimeout(120_000);

const JOB = 'job_00000000000000000000000000';
const SECRETS = { MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), API_KEY_PEPPER: 'the pepper of a test' };

let folder: string;
let empty: TestDatabase;
let migrated: TestDatabase;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'research-paths-'));
  [empty, migrated] = await Promise.all([createDatabase(), createMigratedDatabase()]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([empty, migrated].map((database) => database?.drop()));
});

const run = (command: string, database: TestDatabase, changes: Record<string, string> = {}) =>
  research(command.split(' '), { ...SECRETS, DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url, ...changes });

it.each([
  ['verify --against /no/such', '--against /no/such', 2],
  [`export ${JOB} --out /no/bundle --against /no/such`, '--against /no/such', 3],
  ['checkpoint --behind /no/such', '--behind /no/such', 3],
  ['deletions apply /no/such', 'The deletion list /no/such', 3],
  [`export ${JOB} --out /no/bundle`, 'PROVIDERS_FILE /no/such', 3, { PROVIDERS_FILE: '/no/such' }],
])('%s names what cannot be read', async (command, named, code, changes: Record<string, string> = {}) => {
  const key = Buffer.alloc(32, 2).toString('base64');
  const ended = await run(command, migrated, { CHECKPOINT_KEY: key, ...changes });
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain(`${named} cannot be read: there is no such file or folder. Correct the path.\n`);
});

it('migrate names the deletion list that it cannot read after it has migrated', async () => {
  const ended = await run('migrate', migrated, { DELETION_LIST: '/no/such' });
  expect(ended).toMatchObject({ code: 3, stdout: 'The schema is up to date.\n' });
  expect(ended.stderr).toContain('DELETION_LIST /no/such cannot be read: there is no such file or folder. Correct the path.\n');
});

it('a file in place of a folder is said to be one', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect((await run(`verify --against ${file}/x`, migrated)).stderr).toContain('cannot be read: something above it is a file.');
});

it.each([
  [`synthesize ${JOB}`, 3],
  [`replay ${JOB}`, 3],
  [`jobs redrive ${JOB}`, 3],
  ['views verify', 2],
  ['rewrap --status', 3],
  ['deletions export', 3],
])('%s says what a database without the schema lacks', async (command, code) => {
  const ended = await run(command, empty);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toMatch(
    /the database lacks \d+ migrations, Migration\S+ to Migration\S+: run `research migrate` with this build first\n$/,
  );
});
