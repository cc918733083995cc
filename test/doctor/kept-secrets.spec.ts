import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readEnv } from '@lib/settings/read-env';
import { createLogger } from '../../src/api/logging';
import { Checkpointer } from '../../src/audit/checkpointer';
import { sequence } from '../../src/audit/sequencer';
import { checkLog } from '../../src/doctor/log';
import { readRoles } from '../../src/roles';
import { createMigratedDatabase } from '../servers/database';
import { createJob, createTestStore } from '../support/store';
import { ExaminedFolder } from './examined-folder';

const silent = createLogger('silent');

let examined: ExaminedFolder;
beforeEach(() => (examined = new ExaminedFolder()));
afterEach(() => examined.remove());

describe('a damaged file of the data folder', () => {
  it.each([
    ['master-key', 'half of a ke', 'master key', 'must be 32 bytes in base64'],
    ['api-key-pepper', '', 'pepper', 'must have at least 16 characters'],
    ['api-key', 'rt_live_', 'data folder', 'must be a key as `research keys create` prints it'],
  ])('is named: %s', async (file, text, name, rule) => {
    const database = await createMigratedDatabase();
    mkdirSync(examined.dataDir, { recursive: true });
    writeFileSync(join(examined.dataDir, file), text);
    const { the, checks } = await examined.examine({ DATABASE_URL: database.url });
    const said = expect.stringMatching(new RegExp(`${file} ${rule}.*It is damaged: restore it`)) as string;
    expect(the(name)).toMatchObject({ status: 'problem', detail: said });
    expect(checks.find((check) => check.name === 'postgresql')?.status).not.toBe('problem');
    await database.drop();
  });
});

describe('the key that signs checkpoints, in the data folder', () => {
  const file = () => join(examined.dataDir, 'checkpoint-key');
  const KEY = randomBytes(32);

  it.each([
    ['missing', 'warning', () => rmSync(file(), { force: true }), /checkpoint-key is missing, and a key has signed the log already$/],
    [
      'another one',
      'warning',
      () => writeFileSync(file(), randomBytes(32).toString('base64')),
      /the newest checkpoint is signed by the key/,
    ],
    ['damaged', 'problem', () => writeFileSync(file(), 'half of a ke'), /checkpoint-key must be 32 bytes in base64/],
  ])('is not said to be right where it is %s', async (_, status, change, said) => {
    const { store, close } = await createTestStore();
    await createJob(store);
    await sequence(store.pool);
    await new Checkpointer(store.pool, { keys: [KEY], origin: 'audit.example.org/log', folder: null, witnesses: [] }, silent).sign();
    mkdirSync(examined.dataDir, { recursive: true });
    writeFileSync(file(), KEY.toString('base64'));
    const env = readEnv({ DATA_DIR: examined.dataDir });
    expect(await checkLog(env, readRoles('all'), store.pool)).toMatchObject({ status: 'ok' });
    change();
    expect(await checkLog(env, readRoles('all'), store.pool)).toMatchObject({
      status,
      detail: expect.stringMatching(said),
    });
    await close();
  });
});
