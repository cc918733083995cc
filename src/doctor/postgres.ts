import { randomBytes } from 'node:crypto';
import { messageOfError } from '@lib/domain/message-of-error';
import { inspectDatabase, type DatabaseServer } from '@lib/store/postgres/inspect-database';
import { protectionOf } from '@lib/store/postgres/connection';
import { pendingMigrations, unknownMigrations } from '@lib/store/postgres/migrations';
import type { Pool } from '@lib/store/postgres/pool';
import { TablesElsewhere } from '@lib/store/postgres/tables-elsewhere';
import { schemaDrift } from '@lib/store/postgres/schema-drift';
import { requirePepper, WrongPepper } from '@lib/store/access/pepper';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { requireMasterKeys } from '@lib/store/sealing/master-keys';
import { Unsealable } from '@lib/store/sealing/seal';
import type { Env } from '@lib/settings/env';
import { openOperatorPool } from '../database';
import { databaseRoleFor, type RoleFitness } from '../database-role';
import { DamagedSecret, dataFiles, givenMasterKeys, hasDatabase, readMasterKeys, readPepper } from '../embedded/data-folder';
import { findPostgresBinaries } from '../embedded/postgres-binaries';
import { isEverything, type Role } from '../roles';
import { checkLog } from './log';
import { ok, problem, shownPath, warning, type Check, type Findings } from './check';

const OLDEST_MAJOR = 15;

/** Checks the roles' database. An embedded one that exists but does not run is started for the checks. */
export async function checkDatabase(env: Env, roles: ReadonlySet<Role>): Promise<Findings> {
  if (!env.DATABASE_URL && !isEverything(roles)) {
    return { checks: [problem('postgresql', 'DATABASE_URL is not set', 'Set DATABASE_URL: only role all brings its own PostgreSQL.')] };
  }
  try {
    if (!env.DATABASE_URL && !hasDatabase(env)) {
      await findPostgresBinaries();
      return { checks: [ok('postgresql', 'the embedded one; the first start makes its database and its MASTER_KEY')] };
    }
    await using closing = new AsyncDisposableStack();
    const { url, pool } = await openOperatorPool(env, closing);
    return await examine(env, roles, url, pool);
  } catch (error) {
    if (error instanceof TablesElsewhere) return { checks: [problem('schema', error.what, sentence(error.remedy))] };
    const remedy = env.DATABASE_URL
      ? 'Check DATABASE_URL, its user and password, and that its server runs.'
      : 'Remove the cause, or set DATABASE_URL to a PostgreSQL server, version 15 or newer.';
    return { checks: [problem('postgresql', messageOfError(error), remedy)] };
  }
}

async function examine(env: Env, roles: ReadonlySet<Role>, url: string, pool: Pool): Promise<Findings> {
  const server = await inspectDatabase(pool);
  const pending = (await pendingMigrations(pool)).length;
  const fitness = pending === 0 ? await databaseRoleFor(roles, pool) : null;
  const newer = pending === 0 ? await unknownMigrations(pool) : 0;
  // Only the owner sees every table. What a newer build added is no change by hand, and this one does not know it.
  const drift = fitness?.isOwner && newer === 0 ? await schemaDrift(url) : [];
  // What a role may not read says nothing about the keys.
  const isReadable = fitness?.problem === null;
  const keys = isReadable ? [await checkMasterKey(env, roles, pool), await checkPepper(env, roles, pool)] : [];
  const log = isReadable ? [await checkLog(env, roles, pool)] : [];
  const where = env.DATABASE_URL ? placeOf(url) : 'the embedded one';
  return {
    checks: [
      checkVersion(server, where),
      checkProtection(url),
      checkDurability(server),
      checkConnections(server, env),
      checkSchema({ pending, newer, drift }, roles),
      ...(fitness && env.DATABASE_URL ? [checkRole(fitness, roles)] : []),
      ...keys,
      ...log,
    ],
    clocks: [{ name: 'database', aheadMs: server.aheadMs }],
  };
}

/** Leaves out user and password. */
function placeOf(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get('host')}${pathname}`;
}

function checkVersion({ version, major, encoding }: DatabaseServer, where: string): Check {
  const detail = `PostgreSQL ${version}, ${where}`;
  if (encoding !== 'UTF8')
    return problem(
      'postgresql',
      `${detail}, of encoding ${encoding}: some of what people write cannot be stored`,
      'Use a database of encoding UTF8.',
    );
  return major >= OLDEST_MAJOR ? ok('postgresql', detail) : problem('postgresql', detail, `Use PostgreSQL ${OLDEST_MAJOR} or newer.`);
}

function checkProtection(url: string): Check {
  const remedy = 'Say sslmode=verify-full and sslrootcert=<file> in DATABASE_URL.';
  switch (protectionOf(url)) {
    case 'none':
      return warning('database tls', 'what is sent to the database can be read and changed on its way', remedy);
    case 'encrypted':
      return warning(
        'database tls',
        'encrypted, but to whoever answers: sslmode=require without sslrootcert checks no certificate',
        remedy,
      );
    case 'verified':
      return ok('database tls', 'encrypted, and the certificate of the server is checked');
    case 'local':
      return ok('database tls', 'none: the database is on this machine');
  }
}

/** Checks the settings that let an acknowledged job survive a crash of the machine. */
function checkDurability({ durability }: DatabaseServer): Check {
  const off = Object.entries(durability).flatMap(([setting, value]) => (value === 'off' ? [setting] : []));
  if (off.length === 0) return ok('durability', 'fsync, synchronous_commit and full_page_writes are on');
  return problem('durability', `off: ${off.join(', ')}; a crash can lose jobs`, `Set ${off.join(', ')} to on in postgresql.conf.`);
}

function checkConnections({ connections }: DatabaseServer, { DATABASE_POOL: pool }: Env): Check {
  const processes = Math.floor(connections / pool);
  const detail = `max_connections has room for ${processes} processes with ${pool} each (DATABASE_POOL)`;
  return processes > 0 ? ok('connections', detail) : problem('connections', detail, 'Raise max_connections, or lower DATABASE_POOL.');
}

/** @param schema how many migrations are missing and how many this build does not know, and statements that would undo a change by hand */
function checkSchema(
  { pending, newer, drift }: { pending: number; newer: number; drift: readonly string[] },
  roles: ReadonlySet<Role>,
): Check {
  if (drift.length > 0)
    return problem('schema', 'it was changed by hand: this build expects other tables', `Undo that change; it lacks: ${drift.join(' ')}`);
  if (newer > 0) return ok('schema', `has ${newer} migrations of a newer build, beside which this one can run`);
  if (pending === 0) return ok('schema', 'up to date');
  const detail = `${pending} migrations are missing`;
  if (isEverything(roles)) return ok('schema', `${detail}; the next start runs them`);
  return problem('schema', detail, 'Run `research migrate` with this build.');
}

function checkRole({ role, isOwner, isSuperuser, isConfined, problem: unfit }: RoleFitness, roles: ReadonlySet<Role>): Check {
  if (unfit) return problem('database role', unfit.detail, unfit.remedy);
  if (!isOwner)
    return ok('database role', `${role} sees ${isConfined ? 'only the tenants that a statement names' : 'all tenants'}, and owns nothing`);
  const detail = isSuperuser ? `${role} is a superuser` : `${role} owns the tables`;
  if (isEverything(roles)) return ok('database role', `${detail}, as whoever migrates has to`);
  return warning(
    'database role',
    `${detail}: no policy and no missing privilege stops it`,
    'Make roles for the application with `research grants`.',
  );
}

/** Checks that the key is the one that every thread's key names. Opening them all takes longer than a start may. */
async function checkMasterKey(env: Env, roles: ReadonlySet<Role>, pool: Pool): Promise<Check> {
  const file = dataFiles(env.DATA_DIR).masterKey;
  if (givenMasterKeys(env) === null && !isEverything(roles))
    return problem('master key', 'MASTER_KEY is not set', 'Set MASTER_KEY, the same for all roles.');
  const where = env.MASTER_KEY ? 'MASTER_KEY' : env.MASTER_KEYS.length > 0 ? 'MASTER_KEYS' : shownPath(file);
  let given: readonly Buffer[] | null = null;
  try {
    given = readMasterKeys(env, roles);
    // Without a key, only a database without threads is usable: a new key is made for it.
    await requireMasterKeys(pool, new KeyRing(given ?? [randomBytes(32)]));
    if (given === null) return ok('master key', 'made at the first start');
    return ok(
      'master key',
      `the one that the keys of threads name (${where}); \`research views verify\` opens each, and compares the counters of limits`,
    );
  } catch (error) {
    if (error instanceof DamagedSecret) return damaged('master key', 'MASTER_KEY', error);
    if (!(error instanceof Unsealable)) return unanswered('master key', error);
    const detail = given === null ? `the database is sealed under a key already, and ${shownPath(file)} is missing` : messageOfError(error);
    return problem('master key', detail, 'Set MASTER_KEY to the one that was in use: without it no content can be read.');
  }
}

/** Checks that the keys of the database are made under the pepper. */
async function checkPepper(env: Env, roles: ReadonlySet<Role>, pool: Pool): Promise<Check> {
  const file = dataFiles(env.DATA_DIR).pepper;
  if (env.API_KEY_PEPPER === undefined && !isEverything(roles))
    return problem('pepper', 'API_KEY_PEPPER is not set', 'Set API_KEY_PEPPER, the same for all roles.');
  let pepper: string | null = null;
  try {
    pepper = readPepper(env, roles);
    // If there is no pepper, a new one is made at the start, which is fine for a database that has none recorded.
    const known = await requirePepper(pool, pepper ?? randomBytes(32).toString('base64'));
    if (known === 'new') return ok('pepper', pepper === null ? 'made at the first start' : 'the first start records its fingerprint');
    return ok('pepper', `the keys of the database are made under it (${env.API_KEY_PEPPER ? 'API_KEY_PEPPER' : shownPath(file)})`);
  } catch (error) {
    if (error instanceof DamagedSecret) return damaged('pepper', 'API_KEY_PEPPER', error);
    if (!(error instanceof WrongPepper)) return unanswered('pepper', error);
    const detail = pepper === null ? `the database knows a pepper already, and ${shownPath(file)} is missing` : messageOfError(error);
    return problem('pepper', detail, 'Set API_KEY_PEPPER to the one that was in use: under another one every key is refused.');
  }
}

const damaged = (secret: string, variable: string, error: DamagedSecret): Check =>
  problem(secret, error.message, `Or set ${variable} to what the file held. Until then the service does not start.`);

/** The database did not let this role see whether a secret is the right one, which says nothing against the secret. */
const unanswered = (secret: string, error: unknown): Check =>
  problem(
    secret,
    `not compared, since the database answers: ${messageOfError(error)}`,
    'Remove what keeps this role from reading: its settings, its grants (`research grants`), or a lock. Do not change the secret: it may be right.',
  );

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
