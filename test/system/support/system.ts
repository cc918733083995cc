import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY_VARIABLES } from '@lib/providers/registry';
import type { Env } from '@lib/settings/env';
import { readEnv } from '@lib/settings/read-env';
import { createKey } from '../../support/keys';
import { migrate } from '@lib/store/postgres/migrations';
import { createPool } from '@lib/store/postgres/pool';
import { createLogger } from '../../../src/api/logging';
import { readRoles } from '../../../src/roles';
import { startService, type Service } from '../../../src/service';
import { createMigratedDatabase, type TestDatabase } from '../../servers/database';
import { createSeparatedDatabase, type SeparatedDatabase } from '../../support/separated-roles';
import { HttpClient } from './http-client';
import { writeProvidersFile, type SimulatedProviders } from './providers-file';

export interface SystemOptions {
  /** Simulated providers; null for the shipped ones, which answer from documents. */
  providers?: SimulatedProviders | null;
  environment?: Record<string, string>;
  /** Each starts as a `startService` of its own on the same servers; by default one process with every role. What follows a `:` only tells them apart. */
  roles?: string[];
  /** What differs from one of them to another. */
  environmentOf?: (role: string) => Record<string, string>;
  /** By default one of its own on the server of the test run. */
  database?: TestDatabase;
}

/** The tests of the routes are also run as the database's role of the api, see `test/system/as-database-roles.spec.ts`. */
const separatesRoles = (): boolean => process.env.TEST_SEPARATE_ROLES === 'on';
const APART = ['api', 'saga,worker,synthesizer,webhooks'];
export const onNats = () => ({ NATS_URL: process.env.TEST_NATS_URL ?? '', NATS_PREFIX: `system-${randomBytes(6).toString('hex')}` });

/** The whole service on a database of its own. */
export interface System {
  /** The api with the first key, which belongs to the tenant `default`. */
  client: HttpClient;
  services: Map<string, Service>;
  env: Env;
  /** Everything that was logged, line by line. */
  logged: string[];
  folder: string;
  /** A new key of a tenant. */
  keyOf(tenantId: string): Promise<string>;
  /** What is stored, where the API does not show it. */
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function startSystem(options: SystemOptions = {}): Promise<System> {
  const separated = options.database || !separatesRoles() ? null : await createSeparatedDatabase();
  const { providers = {}, environmentOf = () => ({}), roles = separated ? APART : ['all'] } = options;
  const database = separated ?? options.database ?? (await createMigratedDatabase());
  const urls: Partial<SeparatedDatabase['urls']> = 'urls' in database ? (database as SeparatedDatabase).urls : {};
  const environment = { ...(separated && onNats()), ...options.environment };
  const folder = mkdtempSync(join(tmpdir(), 'research-system-'));
  const variables: Record<string, string> = {
    DATABASE_URL: database.url,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    MASTER_KEY: randomBytes(32).toString('base64'),
    API_KEY_PEPPER: 'the pepper of a test',
    DRAIN_MS: '50',
    ...(providers && { PROVIDERS_FILE: writeProvidersFile(folder, providers) }),
    ...environment,
  };
  const env = readEnv(variables);
  await migrate(database.url);
  const pool = createPool(database.url, 1);
  const keyOf = (tenantId: string) => createKey({ pool, pepper: env.API_KEY_PEPPER ?? '' }, tenantId, null);
  const logged: string[] = [];
  const logger = createLogger(env.LOG_LEVEL, { write: (line) => void logged.push(line) });
  const services = new Map<string, Service>();
  for (const role of roles) {
    const own = { ...variablesOf(role, variables, urls), ...environmentOf(role) };
    services.set(role, await startService(readEnv(own, KEY_VARIABLES), readRoles(role.split(':')[0]), logger));
  }
  const address = [...services].find(([role]) => role === 'all' || role.includes('api'))?.[1].address ?? '';
  return {
    client: new HttpClient(address + env.BASE_PATH, await keyOf('default')),
    services,
    env,
    logged,
    folder,
    keyOf,
    query: async <Row extends object>(statement: string, values: unknown[] = []) => (await pool.query<Row>(statement, values)).rows,
    stop: async () => {
      await Promise.all([...services.values()].map((service) => service.stop()));
      await pool.end();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A worker process is given no way into the database and no key of anybody's. */
function variablesOf(
  role: string,
  variables: Record<string, string>,
  { api, service }: Partial<SeparatedDatabase['urls']>,
): Record<string, string> {
  const url = role === 'api' ? api : service;
  if (!role.startsWith('worker')) return url ? { ...variables, DATABASE_URL: url } : variables;
  const { DATABASE_URL: _database, MASTER_KEY: _master, API_KEY_PEPPER: _pepper, ...rest } = variables;
  return rest;
}
