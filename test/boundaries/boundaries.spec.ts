import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const CONFIGURATION = join(ROOT, '.dependency-cruiser.cjs');

/** Of libs/synthesis, in their order. */
const ROOMS = [
  'alignment',
  'difference',
  'roles',
  'sentences',
  'subject',
  'statement',
  'comparison',
  'contradiction',
  'agreement',
  'claims',
  'question',
  'same-point',
  'judgement',
];

/** Of libs/providers/corpus, in their order. */
const CORPUS_ROOMS = ['formats', 'units', 'folder', 'index', 'question', 'finding', 'answer'];

/** Rule -> files that break it and no other rule, with what they hold. */
const PLANTED: Record<string, Record<string, string>> = {
  'domain-is-pure': {
    'libs/domain/clock.ts': `import { performance } from 'node:perf_hooks'; export const now = () => performance.now();`,
    'libs/domain/typed-id.ts': `import { typeidUnboxed } from 'typeid-js'; export const id = typeidUnboxed;`,
    'libs/domain/words.ts': `export { words } from '@lib/language/words';`,
  },
  'batching-stands-alone': {
    'libs/batching/money-batch.ts': `import type { Money } from '@lib/domain/money'; export type Batch = Money[];`,
  },
  'memory-stands-alone': {
    'libs/memory/money-cache.ts': `import type { Money } from '@lib/domain/money'; export type Cache = Map<string, Money>;`,
  },
  'validation-stands-alone': {
    'libs/validation/money-rule.ts': `import type { Money } from '@lib/domain/money'; export type Rule = (money: Money) => void;`,
  },
  'language-above-domain-only': {
    'libs/language/report.ts': `export { report } from '@lib/synthesis/report/report';`,
  },
  'siblings-never-meet': {
    'libs/store/claims.ts': `export { report } from '@lib/synthesis/report/report';`,
    'libs/synthesis/registry.ts': `import type { Registry } from '../providers/registry'; export type Known = Registry;`,
    'libs/providers/setting.ts': `export { environment } from '@lib/settings/environment';`,
    'libs/messaging/rows.ts': `export { rows } from '@lib/store/rows';`,
    'libs/settings/subjects.ts': `export { wire } from '@lib/messaging/wire';`,
  },
  'auditors-have-rules-of-their-own': {
    'libs/audit/job-automaton.ts': `import type { Money } from '@lib/domain/money'; export type Told = Money;`,
    'libs/audit/chain.ts': `export { leaf } from './format/leaf';`,
  },
  'synthesis-reads-downwards': {
    'libs/synthesis/same-point/shown.ts': `export { report } from '../report/report';`,
    ...Object.fromEntries(
      ROOMS.slice(1).map((room, at) => [`libs/synthesis/${String(ROOMS[at])}/next.ts`, `export { room } from '../${room}/room';`]),
    ),
  },
  'documents-read-downwards': Object.fromEntries(
    CORPUS_ROOMS.slice(1).map((room, at) => [
      `libs/providers/corpus/${String(CORPUS_ROOMS[at])}/next.ts`,
      `export { room } from '../${room}/room';`,
    ]),
  ),
  'libs-below-src': {
    'libs/settings/edge.ts': `export { edge } from '../../src/api/edge';`,
    'emulators/edge.ts': `export { edge } from '../src/api/edge';`,
  },
  'emulators-stand-outside': {
    'src/api/played.ts': `export { played } from '../../emulators/played';`,
  },
  'roles-never-meet': {
    'src/saga/report.ts': `export { synthesizer } from '../synthesizer/synthesizer';`,
    'src/synthesizer/attempt.ts': `export { worker } from '../worker/worker';`,
  },
  'routes-never-meet': {
    'src/claims/page.ts': `export { jobs } from '../jobs/jobs';`,
  },
  'no-production-code-on-tests': {
    'src/api/given.ts': `export { given } from '../../test/support/given';`,
    'libs/store/given.ts': `export { given } from '../../test/support/given';`,
  },
  'only-store-knows-sql': {
    'src/api/query.ts': `import { Client } from 'pg'; export const client = new Client();`,
    'src/api/pool-type.ts': `import type { Pool } from 'pg'; export type Connections = Pool;`,
    'libs/messaging/entities.ts': `import { defineEntity } from '@mikro-orm/core'; export const define = defineEntity;`,
  },
  'only-messaging-knows-nats': {
    'src/worker/connect.ts': `import { connect } from 'nats'; export const open = connect;`,
    'libs/messaging/wire-type.ts': `import type { Msg } from 'nats'; export type Message = Msg;`,
  },
  'nest-lives-in-src': {
    'libs/store/injectable.ts': `import { Injectable } from '@nestjs/common'; export const decorate = Injectable;`,
    'libs/providers/server.ts': `import fastify from 'fastify'; export const server = fastify();`,
  },
  'only-open-tracing-knows-opentelemetry': {
    'src/telemetry/span-kind.ts': `import { SpanKind } from '@opentelemetry/api'; export const kind = SpanKind;`,
  },
  'swagger-in-views-only': {
    'libs/providers/documented.ts': `import { ApiProperty } from '@nestjs/swagger'; export const document = ApiProperty;`,
  },
  'no-development-packages': {
    'src/api/property.ts': `import { assert } from 'fast-check'; export const check = assert;`,
  },
  'no-unresolvable': {
    'src/api/gone.ts': `export { gone } from './no-such-file';`,
  },
  'no-cycles': {
    'src/api/hen.ts': `import type { Egg } from './egg'; export type Hen = { lays: Egg };`,
    'src/api/egg.ts': `import type { Hen } from './hen'; export type Egg = { of: Hen };`,
  },
  'no-orphans': {
    'libs/language/forgotten.ts': `export const forgotten = true;`,
  },
};

/** What the planted files import, and what the rules must let through. */
const ALLOWED: Record<string, string> = {
  'libs/domain/money.ts': `export type Money = number;`,
  'libs/audit/audited-event.ts': `export type AuditedEvent = object;`,
  'libs/audit/format/leaf.ts': `import type { Money } from '@lib/domain/money'; export const leaf: Money = 1;`,
  'libs/audit/thread-automaton.ts': `import type { AuditedEvent } from './audited-event'; export type Told = AuditedEvent;`,
  'libs/language/words.ts': `import type { Money } from '@lib/domain/money'; export const words: Money[] = [];`,
  'libs/synthesis/report/report.ts': `import { words } from '@lib/language/words'; import type { Money } from '@lib/domain/money'; export const report: Money[] = words;`,
  ...Object.fromEntries(
    ROOMS.map((room) => [`libs/synthesis/${room}/room.ts`, `import { words } from '@lib/language/words'; export const room = words;`]),
  ),
  ...Object.fromEntries(
    CORPUS_ROOMS.map((room) => [
      `libs/providers/corpus/${room}/room.ts`,
      `import { words } from '@lib/language/words'; export const room = words;`,
    ]),
  ),
  'libs/providers/registry.ts': `import { words } from '@lib/language/words'; export type Registry = typeof words;`,
  'libs/validation/whole.ts': `import { IsInt } from 'class-validator'; export const whole = IsInt;`,
  'libs/settings/environment.ts': `import { parse } from 'yaml'; import { whole } from '@lib/validation/whole'; export const environment = [parse, whole];`,
  'libs/store/rows.ts': `import { Pool } from 'pg'; import { MikroORM } from '@mikro-orm/postgresql'; export const rows = [Pool, MikroORM];`,
  'libs/store/views/job.view.ts': `import { ApiProperty } from '@nestjs/swagger'; export const job = ApiProperty;`,
  'libs/messaging/nats-transport.ts': `import { connect } from 'nats'; export const open = connect;`,
  'src/telemetry/open-tracing.ts': `import { SpanKind } from '@opentelemetry/api'; export const kinds = SpanKind;`,
  'libs/messaging/wire.ts': `import type { Money } from '@lib/domain/money'; export const wire: Money = 1;`,
  'emulators/played.ts': `import { words } from '@lib/language/words'; export const played = words;`,
  'src/saga/saga-port.ts': `import type { Money } from '@lib/domain/money'; export type SagaPort = Money;`,
  'src/worker/worker.ts': `import type { SagaPort } from '../saga/saga-port'; export const worker: SagaPort = 1;`,
  'src/synthesizer/synthesizer.ts': `import type { Money } from '@lib/domain/money'; export const synthesizer: Money = 1;`,
  'src/api/edge.ts': `import { rows } from '@lib/store/rows'; import { Module } from '@nestjs/common'; export const edge = [rows, Module];`,
  'src/threads/plan.ts': `import { edge } from '../api/edge'; export const plan = edge;`,
  'src/jobs/jobs.ts': `export { plan as jobs } from '../threads/plan';`,
  'test/support/given.ts': `import { edge } from '../../src/api/edge'; export const given = edge;`,
};

interface Violation {
  from: string;
  rule: { name: string };
  /** The other files of a cycle, which is reported once. */
  cycle?: { name: string }[];
}

let violations: Violation[];
let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'research-boundaries-'));
  for (const file of ['package.json', 'tsconfig.json']) await cp(join(ROOT, file), join(tree, file));
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  for (const [path, text] of Object.entries(Object.assign({}, ALLOWED, ...Object.values(PLANTED)) as Record<string, string>)) {
    await mkdir(dirname(join(tree, path)), { recursive: true });
    await writeFile(join(tree, path), text);
  }
  const cruiser = join(ROOT, 'node_modules/.bin/depcruise');
  const args = [cruiser, '--config', CONFIGURATION, '--output-type', 'json', 'src', 'libs', 'emulators', 'test'];
  const run = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (run.stdout === '') throw new Error(`dependency-cruiser did not run: ${run.stderr}`);
  violations = (JSON.parse(run.stdout) as { summary: { violations: Violation[] } }).summary.violations;
});

afterAll(() => rm(tree, { recursive: true, force: true }));

const rulesBrokenBy = (path: string): string[] => {
  const involving = violations.filter(({ from, cycle }) => from === path || cycle?.some(({ name }) => name === path));
  return [...new Set(involving.map(({ rule }) => rule.name))];
};

const planted = Object.entries(PLANTED).flatMap(([rule, files]) => Object.keys(files).map((path) => [path, rule] as const));

it.each(planted)('%s is caught by %s, and by nothing else', (path, rule) => {
  expect(rulesBrokenBy(path)).toEqual([rule]);
});

it.each(Object.keys(ALLOWED))('%s breaks no rule', (path) => {
  expect(rulesBrokenBy(path)).toEqual([]);
});

it('knows every room of libs/synthesis', () => {
  const rooms = readdirSync(join(ROOT, 'libs/synthesis'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).sort()).toEqual([...ROOMS, 'proposals', 'summary', 'report'].sort());
});

it('knows every room of libs/providers/corpus', () => {
  const rooms = readdirSync(join(ROOT, 'libs/providers/corpus'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(rooms.map(({ name }) => name).sort()).toEqual([...CORPUS_ROOMS].sort());
});

it('plants a violation of each rule', () => {
  const { forbidden } = createRequire(__filename)(CONFIGURATION) as { forbidden: { name: string; severity: string }[] };
  expect(new Set(forbidden.map(({ name }) => name))).toEqual(new Set(Object.keys(PLANTED)));
  expect(forbidden.filter(({ severity }) => severity !== 'error')).toEqual([]);
});
