import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import type { OpenAPIObject } from '@nestjs/swagger';

import { Reader } from '@lib/store/views/reader';
import { LogFollowers } from '../audit/log-followers';
import { KEEPS_LOG } from '../audit/tokens';
import { JobChanges } from '../live/job-changes';
import { PLAN_SETTINGS, STORE } from './tokens';
import { ADDRESS_RULES } from '../webhooks/address-rules';
import { ApiModule } from './api.module';
import { RESOLVE_PROVIDER } from './body.pipe';
import { documentOf } from './document';
import { Readiness } from './health';
import { createHttpApplication } from './http';
import { createLogger } from './logging';

const MAX_SHOWN = 40;

/** Writes the document or compares the committed one: `openapi.js [--check] [--3.1] <file>`. Needs no port, database or settings. */
async function main(parameters: string[]): Promise<void> {
  const isCheck = parameters.includes('--check');
  const file = parameters.find((parameter) => !parameter.startsWith('--'));
  if (!file) throw new Error('Name the file: openapi.js [--check] [--3.1] <file>');
  const nothing = [Reader, JobChanges, LogFollowers, STORE, PLAN_SETTINGS, RESOLVE_PROVIDER, ADDRESS_RULES, KEEPS_LOG].map((provide) => ({
    provide,
    useValue: null,
  }));
  const logger = createLogger('silent');
  const app = await createHttpApplication(ApiModule.register(nothing, new Readiness(logger)), {
    logger,
    basePath: '',
    logins: null,
    origins: [],
    preview: true,
  });
  const document = documentOf(app, '', parameters.includes('--3.1') ? '3.1.0' : '3.0.3');
  if (isCheck) return check(file, document);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}

async function check(file: string, document: OpenAPIObject): Promise<void> {
  const committed: unknown = JSON.parse(await readFile(file, 'utf8'));
  const drift = differences(committed, JSON.parse(JSON.stringify(document)), '#');
  if (drift.length === 0) return;
  const shown = drift.length > MAX_SHOWN ? [...drift.slice(0, MAX_SHOWN), '…'] : drift;
  const verdict = `${file} is not what the application serves (${drift.length} differences); run \`make openapi\` and commit it:`;
  process.stderr.write(`${[verdict, ...shown].join('\n')}\n`);
  process.exitCode = 1;
}

/** Places at which two JSON values differ, as JSON Pointers: `-` only committed, `+` only served, `~` changed. */
function differences(committed: unknown, served: unknown, at: string): string[] {
  if (committed === served) return [];
  if (committed === undefined) return [`+ ${at}`];
  if (served === undefined) return [`- ${at}`];
  if (!isTree(committed) || !isTree(served)) return [`~ ${at}: ${JSON.stringify(committed)} -> ${JSON.stringify(served)}`];
  const names = new Set([...Object.keys(committed), ...Object.keys(served)]);
  return [...names].flatMap((name) =>
    differences(committed[name], served[name], `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

if (require.main === module) void main(process.argv.slice(2));
