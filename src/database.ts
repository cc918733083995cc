import { messageOfError } from '@lib/domain/message-of-error';
import type { Env } from '@lib/settings/env';
import { databaseAccess } from '@lib/store/postgres/database-access';
import { GIVEN_UP } from '@lib/store/postgres/given-up-sessions';
import { pendingMigrations } from '@lib/store/postgres/migrations';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { INSUFFICIENT_PRIVILEGE, sqlStateOf } from '@lib/store/postgres/sql-states';
import { asStoreError, isOutage, StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import { dataFiles } from './embedded/data-folder';
import { makeDataFolder } from './embedded/make-data-folder';
import { findRunningPostgres, startPostgres, type RunningPostgres } from './embedded/postgres';
import { stoppedBySignals } from './embedded/stopped-by-signals';
import { isEverything, type Role } from './roles';

/** SQLSTATE. */
const NO_SUCH_DATABASE = '3D000';

/** The PostgreSQL of this process. If it is the embedded one, its server must be stopped after use. */
export interface Database {
  url: string;
  embedded: RunningPostgres | null;
}

/**
 * @param whenEnded told when the embedded server ended by itself; it is started again
 * @throws Error if there is no DATABASE_URL and the roles do not allow the embedded server
 */
export async function openDatabase(env: Env, roles: ReadonlySet<Role>, whenEnded: (said: string) => void): Promise<Database> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, embedded: null };
  if (!isEverything(roles)) throw new Error('DATABASE_URL is not set: only role all brings its own PostgreSQL');
  const embedded = await startEmbedded(env, whenEnded);
  return { url: embedded.url, embedded };
}

/** Likewise for an operator's command, which shares the embedded server with a running service. */
export async function openOperatorDatabase(env: Env): Promise<Database> {
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, embedded: null };
  const running = await findRunningPostgres(dataFiles(env.DATA_DIR).postgres);
  if (running !== null) return { url: running, embedded: null };
  const embedded = await stoppedBySignals(() => startEmbedded(env));
  return { url: embedded.url, embedded };
}

/**
 * A pool on that database, which `closing` closes.
 * @throws Error if the database cannot be used
 */
export async function openOperatorPool(
  env: Env,
  closing: AsyncDisposableStack,
  connections = 1,
  statementMs?: number,
): Promise<{ url: string; pool: Pool }> {
  const { url, embedded } = await openOperatorDatabase(env);
  closing.defer(async () => embedded?.stop());
  const pool = createPool(url, connections, statementMs);
  closing.defer(() => pool.end());
  await requireDatabase(pool);
  return { url, pool };
}

async function startEmbedded({ DATA_DIR }: Env, whenEnded?: (said: string) => void): Promise<RunningPostgres> {
  makeDataFolder(DATA_DIR);
  return startPostgres({ dataDir: dataFiles(DATA_DIR).postgres, keep: true, ...(whenEnded && { whenEnded }) });
}

/** Names of migrations as part of a sentence: a database without the schema lacks all there are. */
export function lacking(pending: readonly string[]): string {
  const [first, last] = [pending[0], pending.at(-1)];
  return pending.length < 3
    ? `the database lacks ${pending.join(' and ')}`
    : `the database lacks ${pending.length} migrations, ${first} to ${last}`;
}

/** @throws Error if the database's schema is older than this build */
export async function requireSchema(pool: Pool): Promise<void> {
  const pending = await pendingMigrations(pool);
  if (pending.length > 0) {
    throw new Error(`${lacking(pending)}: run \`research migrate\` with this build first`);
  }
}

/**
 * Connects once, so that an unusable database is reported before anything else.
 * @throws Error with the server's reason and the variable to check, but never the password
 */
export async function requireDatabase(pool: Pool): Promise<void> {
  try {
    await pool.query('select 1');
  } catch (cause) {
    throw new DatabaseUnusable(cause as Error);
  }
}

const NEEDS_OWNER = 'Use the DATABASE_URL of the owner, which keys, limits, balances, migrations, rewrap and views need.';

/** The message about a failure for an operator, also if the database goes away in the middle of a command. */
export function messageForOperator(error: unknown): string {
  if (error instanceof DatabaseUnusable) return error.message;
  const failure = asStoreError(error);
  if (isOutage(failure)) return new DatabaseUnusable((failure as StoreUnavailable).cause as Error).message;
  if (failure instanceof StoreUnavailable) return `${failure.message} ${(failure.cause as Error).message}: try again.`;
  const said = messageOfError(error);
  return sqlStateOf(error) === INSUFFICIENT_PRIVILEGE
    ? `The database refuses this to the role in DATABASE_URL: ${said}. ${NEEDS_OWNER}`
    : said;
}

/** Says what to do about a database that cannot be reached, or is not there. */
class DatabaseUnusable extends Error {
  constructor(cause: Error & { code?: string }) {
    const remedy =
      cause.code === NO_SUCH_DATABASE
        ? 'Correct DATABASE_URL, or create that database for its user (createdb --owner USER NAME): nothing here creates one'
        : 'Check DATABASE_URL, and that its server runs';
    const reason = cause.message === GIVEN_UP ? 'PostgreSQL did not answer in time' : cause.message;
    super(`The database cannot be used: ${reason}. ${remedy}.`, { cause });
  }
}

/**
 * For commands that check everything: with a role that sees only some tenants they would not notice what is missing.
 * @throws Error if the database shows its role only some tenants
 */
export async function requireAllTenants(pool: Pool): Promise<void> {
  const { role, isConfined } = await databaseAccess(pool);
  if (isConfined)
    throw new Error(
      `The database's role ${role} does not see all tenants: use the owner, or a role made by \`research grants --to … --as audit\` for a command that ` +
        'only reads, or with `--as service` for drain.',
    );
}
