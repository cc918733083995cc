import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import { createMigratedDatabase, type TestDatabase } from '../servers/database';
import { PROGRAM_ENVIRONMENT } from '../support/program-environment';

const RESEARCH = resolve(__dirname, '../../dist/src/cli/main.js');

let database: TestDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterAll(() => database.drop());

it('a command whose output stands on a disk without room says so, and does not end as if a history was changed', () => {
  const output = openSync('/dev/full', 'w');
  const env = { ...PROGRAM_ENVIRONMENT, DATABASE_URL: database.url };
  const { status, stderr } = spawnSync(process.execPath, [RESEARCH, 'verify'], {
    env,
    stdio: ['ignore', output, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(output);
  expect(stderr).toMatch(/^The output cannot be written: ENOSPC.* Make room for it.*\n$/);
  expect(status).toBe(3);
});
