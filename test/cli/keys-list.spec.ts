import { pendingMigrations } from '@lib/store/postgres/migrations';
import { createPool } from '@lib/store/postgres/pool';
import { MIGRATION_NAMES } from '@lib/store/migrations/names';
import { createDatabase, createMigratedDatabase } from '../servers/database';
import { research } from '../system/support/command';

jest.setTimeout(60_000);

it('research keys list leaves a database of an older schema as it is, and says what to do', async () => {
  const database = await createDatabase();
  const pool = createPool(database.url, 1);
  try {
    expect(await research(['keys', 'list'], { DATABASE_URL: database.url, API_KEY_PEPPER: 'the pepper of a test' })).toEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^the database lacks Migration.*: run `research migrate` with this build first\n$/) as string,
    });
    expect(await pendingMigrations(pool)).toEqual(MIGRATION_NAMES);
  } finally {
    await pool.end();
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
