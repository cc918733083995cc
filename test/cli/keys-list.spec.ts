import { execFileSync, spawnSync } from 'node:child_process';
import { pendingMigrations } from '@lib/store/postgres/migrations';
import { createPool } from '@lib/store/postgres/pool';
import { MIGRATION_NAMES } from '@lib/store/migrations/names';
import { createDatabase, createMigratedDatabase } from '../servers/database';
import { PROGRAM_ENVIRONMENT } from '../support/program-environment';
import { research } from '../system/support/command';

jest.setTimeout(60_000);

it('research keys list leaves a database of an older schema as it is, and says what to do', async () => {
  const database = await createDatabase();
  const pool = createPool(database.url, 1);
  try {
    expect(await research(['keys', 'list'], { DATABASE_URL: database.url, API_KEY_PEPPER: 'the pepper of a test' })).toEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /^the database lacks \d+ migrations, Migration\S+ to Migration\S+: run `research migrate` with this build first\n$/,
      ) as string,
    });
    expect(await pendingMigrations(pool)).toEqual(MIGRATION_NAMES);
  } finally {
    await pool.end();
    await database.drop();
  }
});

/** Of util-linux, which gives a command a terminal. */
const hasScript = spawnSync('script', ['--version']).status === 0;

(hasScript ? it : it.skip).each([
  ['keys list', 'key\ttenant\tname\tmade\tstate\tscopes\texpires\tlast used'],
  ['tenants list', 'tenant\tkey\tlimits'],
])(`research %s names its columns at a terminal${hasScript ? '' : ' (skipped: util-linux’s script is missing)'}`, async (command, head) => {
  const database = await createMigratedDatabase();
  try {
    const words = ['-qec', `${process.execPath} dist/src/cli/main.js ${command}`, '/dev/null'];
    const env = { ...PROGRAM_ENVIRONMENT, DATABASE_URL: database.url, DATA_DIR: '/no/such/folder' };
    expect(execFileSync('script', words, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'pipe'] })).toBe(`${head}\r\n`);
    expect(await research(command.split(' '), env)).toEqual({ code: 0, stdout: '', stderr: '' });
  } finally {
    await database.drop();
  }
});

it('research keys list needs no secret', async () => {
  const database = await createMigratedDatabase();
  try {
    expect(await research(['keys', 'list'], { DATABASE_URL: database.url, DATA_DIR: '/no/such/folder' })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
  } finally {
    await database.drop();
  }
});
