import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { pino } from 'pino';
import { readEnv } from '@lib/settings/read-env';
import { generateKey } from '@lib/store/access/key-format';
import { enterPepper, requirePepper } from '@lib/store/access/pepper';
import { grant } from '@lib/store/postgres/grant';
import { createPool } from '@lib/store/postgres/pool';
import type { DatabaseRole } from '@lib/store/postgres/privileges';
import { checkDatabase } from '../../src/doctor/postgres';
import { readRoles } from '../../src/roles';
import { startService } from '../../src/service';
import { createMigratedDatabase } from '../servers/database';
import { research } from '../system/support/command';
import { writeProvidersFile } from '../system/support/providers-file';
import { createSeparatedDatabase, SEPARATED_ROLES, type SeparatedDatabase } from '../support/separated-roles';

let database: SeparatedDatabase;
let admin: Client;
const made: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'grants-'));
beforeAll(async () => {
  database = await createSeparatedDatabase();
  admin = new Client({
    connectionString: Object.assign(new URL(database.url), { username: new URL(process.env.TEST_DATABASE_URL ?? '').username }).href,
  });
  await admin.connect();
});
afterAll(async () => {
  await admin?.end();
  await database?.drop();
  const server = new Client({ connectionString: process.env.TEST_DATABASE_URL });
  await server.connect();
  for (const role of made.reverse()) await server.query(`drop role if exists ${role}`);
  await server.end();
  rmSync(folder, { recursive: true, force: true });
});

async function newRole(options = ''): Promise<string> {
  const role = `granted_${randomBytes(4).toString('hex')}`;
  await admin.query(`create role ${role} login ${options}`);
  made.push(role);
  return role;
}

/** What `research grants` says that it did, or why not. */
async function granted(role: string, as: DatabaseRole = 'api', url = database.url): Promise<string[] | string> {
  const pool = createPool(url, 1);
  try {
    return await grant(pool, { role, as }, { isDry: false });
  } catch (error) {
    return (error as Error).message;
  } finally {
    await pool.end();
  }
}

const urlOf = (role: string): string => Object.assign(new URL(database.url), { username: role }).href;

/** @returns the SQLSTATE with which it is refused */
async function attempt(role: string, statement: string): Promise<string> {
  const client = new Client({ connectionString: urlOf(role) });
  await client.connect();
  try {
    await client.query(statement);
    return 'done';
  } catch (error) {
    return String((error as { code?: string }).code);
  } finally {
    await client.end();
  }
}

describe('research grants', () => {
  it.each([
    ['api', 'an'],
    ['audit', 'an'],
    ['service', 'a'],
  ])('says that a role is one of %s now', async (as, article) => {
    const role = await newRole();
    const { code, stdout } = await research(['grants', '--to', role, '--as', as], { DATABASE_URL: database.url });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`The role ${role} is ${article} ${as} role now.`)]);
  });

  it.each(['api', 'service', 'audit'] as const)('makes a role %s again and again, and touches no policy the second time', async (as) => {
    const role = await newRole();
    expect(await attempt(role, 'select 1 from event')).toBe('42501');
    const statements = await granted(role, as);
    expect(statements).toContainEqual(expect.stringMatching(/^grant select.* on event to/));
    expect(statements).not.toContainEqual(expect.stringMatching(/policy|row level/));
    expect(await granted(role, as)).toEqual(statements);
    expect(await attempt(role, 'select 1 from event')).toBe('done');
    for (const change of [
      'update event set type = type',
      'delete from event',
      'truncate event',
      'drop table event',
      'select erase_thread($$x$$, $${}$$)',
    ])
      expect([change, await attempt(role, change)]).toEqual([change, '42501']);
  });

  it('takes from a role what it had as another kind', async () => {
    const role = await newRole();
    await granted(role, 'service');
    expect(await attempt(role, 'select all_tenants()')).toBe('done');
    await granted(role, 'api');
    expect(await attempt(role, 'select all_tenants()')).toBe('42501');
    expect(await attempt(role, 'update provider_gate set failures = 0')).toBe('42501');
  });

  it('leaves what a later release brings to nobody', async () => {
    const role = await newRole();
    await granted(role);
    expect(await attempt(new URL(database.url).username, 'create function later() returns int language sql as $$ select 1 $$')).toBe(
      'done',
    );
    expect(await attempt(role, 'select later()')).toBe('42501');
    expect(await attempt(new URL(database.url).username, 'drop function later()')).toBe('done');
  });

  it('refuses whom nothing would stop, and says what to do', async () => {
    expect(await granted('nobody_here')).toMatch(/There is no role "nobody_here": create it first/);
    expect(await granted(`x"; drop table event; --`)).toMatch(/There is no role/);
    expect(await granted(await newRole('superuser'))).toMatch(/is a superuser/);
    expect(await granted(SEPARATED_ROLES.owner)).toMatch(/is the owner of the tables/);
    expect(await granted(await newRole(`in role ${SEPARATED_ROLES.owner}`))).toMatch(/a member of test_owner/);
    expect(await granted(await newRole('bypassrls'))).toMatch(/has BYPASSRLS .* nobypassrls/);
    expect(await granted(await newRole(), 'api', database.urls.service)).toMatch(/owned by test_owner: run this as test_owner/);
  });

  it('refuses a role that would have more by another one, and changes nothing', async () => {
    const role = await newRole(`in role ${SEPARATED_ROLES.service}`);
    expect(await granted(role)).toMatch(/would still have .*execute on all_tenants.* Revoke that role from it/);
    const creator = await newRole();
    await admin.query(`grant create on schema public to ${creator}`);
    expect(await granted(creator)).toMatch(/may create tables and functions/);
  });

  it('refuses tables of a superuser, whom no policy stops', async () => {
    const other = await createMigratedDatabase();
    expect(await granted(await newRole(), 'api', other.url)).toMatch(/a superuser, whom no policy stops/);
    await other.drop();
  });
});

describe('the api', () => {
  it('adds a fingerprint of its pepper where there is none, and can neither put one before it nor say that keys are sealed', async () => {
    const pool = createPool(database.urls.api, 1);
    await enterPepper(pool, 'the pepper of a test');
    expect(await attempt(SEPARATED_ROLES.api, `insert into api_key_pepper (fingerprint, first_used_at) values ('x', '2000-01-01')`)).toBe(
      '42501',
    );
    expect(await attempt(SEPARATED_ROLES.api, `insert into api_key_pepper (fingerprint, keys_sealed_at) values ('x', now())`)).toBe(
      '42501',
    );
    expect(await attempt(SEPARATED_ROLES.api, `insert into api_key_pepper (fingerprint) values ('0')`)).toBe('done');
    expect(await requirePepper(pool, 'the pepper of a test')).toBe('known');
    await pool.end();
  });
});

describe('a process', () => {
  const environment = (url: string) => ({
    DATABASE_URL: url,
    PORT: '0',
    NATS_URL: process.env.TEST_NATS_URL ?? '',
    NATS_PREFIX: `grants-${randomBytes(4).toString('hex')}`,
    MASTER_KEY: MASTER,
    API_KEY_PEPPER: 'the pepper of a test',
    PROVIDERS_FILE: writeProvidersFile(folder, {}),
  });
  const MASTER = randomBytes(32).toString('base64');
  const logged: { reason: string; role?: string }[] = [];
  const logger = pino({}, { write: (line) => void logged.push(JSON.parse(line) as { reason: string }) });
  const started = async (roles: string, url: string): Promise<string> => {
    try {
      await (await startService(readEnv(environment(url)), readRoles(roles), logger)).stop();
      return 'started';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const doctor = async (roles: string, url: string) => {
    const { checks } = await checkDatabase(readEnv(environment(url)), readRoles(roles));
    return checks.find(({ name }) => name === 'database role');
  };

  it('starts on the role for it', async () => {
    expect(await started('api', database.urls.api)).toBe('started');
    expect(await started('saga,webhooks', database.urls.service)).toBe('started');
    expect(logged.map(({ reason }) => reason)).not.toContain('database_owner');
    expect(await doctor('api', database.urls.api)).toMatchObject({ status: 'ok', detail: expect.stringMatching(/only the tenants/) });
  });

  it('is refused on one that sees too little, with the remedy', async () => {
    expect(await started('api,saga', database.urls.api)).toMatch(/test_api sees only the tenants.* not enough for saga.*--as service/);
    expect(await doctor('saga', database.urls.api)).toMatchObject({ status: 'problem' });
  });

  it('is refused on one that a migration has left behind', async () => {
    await admin.query(
      `revoke select on job from ${SEPARATED_ROLES.api}; revoke execute on function find_api_keys from ${SEPARATED_ROLES.api}`,
    );
    const told = /test_api lacks select on job, execute on find_api_keys\. Run `research grants --to test_api --as api`/;
    expect(await started('api', database.urls.api)).toMatch(told);
    expect((await doctor('api', database.urls.api))?.detail).toMatch(/lacks select on job/);
    expect(await granted(SEPARATED_ROLES.api)).toEqual(expect.any(Array));
    expect(await started('api', database.urls.api)).toBe('started');
  });

  it('is refused where somebody has switched off a policy, until the grant is made again', async () => {
    await admin.query('alter table webhook disable row level security; drop policy tenants on job');
    const told =
      /test_api sees the rows of all tenants in job, webhook, where no policy holds\. Run `research grants --to test_api --as api`/;
    expect(await started('api', database.urls.api)).toMatch(told);
    expect(await doctor('api', database.urls.api)).toMatchObject({ status: 'problem', detail: expect.stringMatching(/job, webhook/) });
    expect(await granted(SEPARATED_ROLES.api)).toEqual(expect.any(Array));
    expect(await started('api', database.urls.api)).toBe('started');
  });

  it('makes no key as the api, and says who can', async () => {
    const { keyText } = generateKey();
    const environmentWithKey = { ...environment(database.urls.api), BOOTSTRAP_API_KEY: keyText };
    await expect(startService(readEnv(environmentWithKey), readRoles('api'), logger)).rejects.toThrow(
      /may not make it: .*research keys create/,
    );
  });

  it('goes on as the owner, and says so', async () => {
    expect(await started('api', database.url)).toBe('started');
    expect(logged).toContainEqual(expect.objectContaining({ reason: 'database_owner', role: SEPARATED_ROLES.owner }));
    expect(await doctor('saga', database.url)).toMatchObject({ status: 'warning', remedy: expect.stringMatching(/research grants/) });
  });
});
