import { generateKey } from '@lib/store/access/key-format';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { readEnv } from '@lib/settings/read-env';
import { readRoles } from '../../src/roles';
import { startService, type Service } from '../../src/service';
import { createDatabase, type TestDatabase } from '../servers/database';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../..');
const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);

/** A TypeScript client of the committed contract, as an integrator would make it: generated, compiled strictly, and run. */
describe('a client generated from the OpenAPI document', () => {
  let folder: string;
  let database: TestDatabase;
  let service: Service;

  beforeAll(async () => {
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    folder = mkdtempSync(join(ROOT, '.cache/generated-client-'));
    database = await createDatabase();
    const documents = join(folder, 'documents');
    mkdirSync(documents);
    writeFileSync(
      join(documents, 'hooks.md'),
      '# Hooks\n\nHooks end when their callback is called. Hooks of plugins end before hooks of the root.\n',
    );
    const env = readEnv({
      BOOTSTRAP_API_KEY: generateKey().keyText,
      DATABASE_URL: database.url,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      CORPUS_DIR: documents,
    });
    service = await startService(env, readRoles('all'), pino({ level: 'silent' }));
  });

  afterAll(async () => {
    await service.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('compiles without an error and drives create, poll, read, pursue and delete', async () => {
    // Without the flag this generator demands every property that has a default, also in requests.
    await run(bin('openapi-typescript'), [
      join(ROOT, 'openapi/openapi.json'),
      '-o',
      join(folder, 'openapi.d.ts'),
      '--default-non-nullable=false',
    ]);
    copyFileSync(join(__dirname, 'generated-client/program.ts'), join(folder, 'program.ts'));
    const options = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck', '--types', 'node', '--ignoreConfig'];
    await run(bin('tsc'), [...options, join(folder, 'program.ts')], { cwd: folder });
    const environment = { ...process.env, BASE_URL: service.address, API_KEY: service.firstKey?.keyText };
    const { stdout } = await run(process.execPath, [join(folder, 'program.js')], { env: environment });

    expect(JSON.parse(stdout)).toMatchObject({
      spidering: true,
      status: 'completed',
      steps: 3,
      started: 3,
      completed: ['How do hooks end?'],
      nextCursor: null,
      providers: 8,
      tiers: ['XXS', 'XS', 'S', 'M', 'L', 'XL'],
      tenant: 'default',
      used: ['1 L'],
      evidence: true,
      allClaims: true,
      cost: 0,
      parent: true,
      tier: 'S',
      said: ['How do hooks end?', 'Only async ones.'],
      messageId: true,
      jobs: 2,
      events: expect.arrayContaining(['JobRequested', 'StepStarted', 'StepCompleted', 'SynthesisStarted', 'JobCompleted']),
      threads: 1,
      deleted: true,
      afterwards: 'thread_not_found',
    });
  }, 180_000);
});
