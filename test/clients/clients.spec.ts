import { generateKey } from '@lib/store/access/key-format';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';

import { readEnv } from '@lib/settings/read-env';
import { readRoles } from '../../src/roles';
import { startService, type Service } from '../../src/service';
import { createDatabase, type TestDatabase } from '../servers/database';
import { TOOL_CHAINS, whatIsMissing } from './tool-chains';
import { startLaterVersion, UNKNOWN } from './unknown-values';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../..');
const DOCUMENT = '# Hooks\n\nHooks end when their callback is called. Hooks of plugins end before hooks of the root.\n';
/** Set by `make clients`. */
const mayFetch = process.env.FETCH_CLIENTS === '1';
/** A fetch may take long. */
const LIMIT_MS = mayFetch ? 900_000 : 240_000;

/** Clients of the committed contract in several languages, as integrators would make them: generated, compiled and run. */
describe('a client generated from the OpenAPI document', () => {
  let folder: string;
  let database: TestDatabase;
  let service: Service;
  let later: { address: string; server: Server };

  beforeAll(async () => {
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    folder = mkdtempSync(join(ROOT, '.cache/clients-'));
    database = await createDatabase();
    const documents = join(folder, 'documents');
    mkdirSync(documents);
    writeFileSync(join(documents, 'hooks.md'), DOCUMENT);
    const env = readEnv({
      BOOTSTRAP_API_KEY: generateKey().keyText,
      DATABASE_URL: database.url,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      CORPUS_DIR: documents,
    });
    service = await startService(env, readRoles('all'), pino({ level: 'silent' }));
    later = await startLaterVersion(service.address);
  }, 120_000);

  afterAll(async () => {
    later.server.close();
    await service.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const toolChain of TOOL_CHAINS) {
    const missing = whatIsMissing(toolChain, mayFetch);
    if (missing) process.stderr.write(`The client in ${toolChain.language} is not run: ${missing}.\n`);
    const test = missing ? it.skip : it;
    const name = missing ? `is not run in ${toolChain.language}: ${missing}` : `compiles and does everything in ${toolChain.language}`;
    test(
      name,
      async () => {
        const place = join(folder, encodeURIComponent(toolChain.language));
        mkdirSync(place);
        await toolChain.generate(place);
        if (toolChain.fetch && !toolChain.fetched.every((path) => existsSync(path))) await toolChain.fetch(place);
        const [program, ...parameters] = await toolChain.compile(place);
        const environment = { BASE_URL: service.address, UNKNOWN_URL: later.address, API_KEY: service.firstKey?.keyText };
        const { stdout } = await run(program, parameters, { cwd: place, env: { ...process.env, ...environment } });
        expect(JSON.parse(stdout)).toEqual({
          isRepeated: true,
          status: 'completed',
          hasClaims: true,
          hasEvidence: true,
          parent: true,
          pages: true,
          isCancelledFinal: true,
          messageCost: null,
          parentOfFirst: null,
          isTimeRead: true,
          firstFact: 'JobRequested',
          unknown: [UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN],
          deleted: true,
          afterwards: 'thread_not_found',
        });
      },
      LIMIT_MS,
    );
  }
});
