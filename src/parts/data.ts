import type { Logger } from 'pino';
import type { ProviderId } from '@lib/domain/vocabulary';
import { enterPepper } from '@lib/store/access/pepper';
import { latestCheckpoint } from '@lib/store/log/checkpoints';
import { ANSWER_WITHIN_MS } from '@lib/store/postgres/answer-within';
import { migrate } from '@lib/store/postgres/migrations';
import { nameTenants } from '@lib/store/postgres/named-query';
import { createPool, type Pool } from '@lib/store/postgres/pool';
import { isSealed } from '@lib/store/sealing/master-keys';
import { withSessionName } from '@lib/store/postgres/session-name';
import { readTraceIds } from '@lib/store/views/trace-ids';
import { openStore, type Store } from '@lib/store/store';
import { AT_START } from '@lib/store/tenants/tenants';
import { openDatabase, requireDatabase, requireSchema } from '../database';
import { databaseRoleFor } from '../database-role';
import { logAlerts } from '../commits/alerts';
import { forgetErased } from '../commits/forget-erased';
import { logCommits } from '../commits/log-commits';
import { publishCommits } from '../commits/publish-commits';
import { Capacity } from '../dispatch/capacity';
import { dispatchCommits } from '../dispatch/dispatch';
import {
  hasDatabase,
  makeCheckpointKey,
  makeMasterKeys,
  makePepper,
  makesCheckpointKey,
  readCheckpointKeys,
  readMasterKeys,
  readPepper,
} from '../embedded/data-folder';
import { ListedDeletions } from '../listed-deletions';
import { isEverything } from '../roles';
import { ObservedTransport } from '../telemetry/observed-transport';
import { tellCutOff } from './cut-off';
import { tellLeaving } from './leaving-session';
import type { Process } from './process';
import { rememberedBy } from './remembered-by';

const EMBEDDED_ENDED =
  'the embedded PostgreSQL has ended, and is started again every two seconds until it serves: remove what it named, such as a full disk';

/** What the roles with a database share. */
export interface Data {
  store: Store;
  /** How much work the workers can take. */
  capacity: Capacity;
  pepper: string;
  /** Whether the database shows only the tenants that a statement names. */
  namesTenants: boolean;
}

/** Applies listed deletions before anything is served, and whenever another database server takes over. */
async function applyListed({ logger, intakes }: Process, store: Store, folder: string): Promise<void> {
  const listed = new ListedDeletions(store, folder, logger);
  await listed.apply();
  intakes.add('listed_deletions', listed.start());
}

/** The pepper of the embedded database. The module is loaded only here, since it loads the ORM too. */
async function ownPepper({ env }: Process, store: Store): Promise<string> {
  const { belongsToPepper } = await import('../../libs/store/access/seal-keys.ts');
  return makePepper(env, await belongsToPepper(store));
}

/** The first start of the embedded default makes the key that signs its log. A second key would sign nothing, since auditors know the first. */
async function ensureCheckpointKey({ env, roles }: Process, pool: Pool): Promise<void> {
  if (!makesCheckpointKey(env, roles) || readCheckpointKeys(env, roles).length > 0) return;
  if ((await latestCheckpoint(pool)) === null) makeCheckpointKey(env);
}

/** The master key of role `all` at its first start. */
async function ownMasterKeys({ env }: Process, databaseUrl: string): Promise<readonly Buffer[]> {
  const pool = createPool(databaseUrl, 1);
  try {
    await requireDatabase(pool);
    return makeMasterKeys(env, await isSealed(pool));
  } finally {
    await pool.end();
  }
}

/** Part of the migration, which a process with all roles runs itself. */
async function sealEarlierKeys(pool: Pool, pepper: string, logger: Logger): Promise<void> {
  const { sealKeys } = await import('../../libs/store/access/seal-keys.ts');
  const keyIds = await sealKeys({ pool, pepper }, AT_START);
  if (keyIds.length > 0) logger.info({ reason: 'keys_sealed', keyIds }, 'keys of an earlier build have every scope but admin from now on');
}

/**
 * If the database's role sees only the tenants that a statement names, has every statement name them.
 * @returns whether it is such a role
 * @throws Error if the database's role may do less than the roles of this process need
 */
async function useDatabaseRole({ env, roles, logger }: Process, pool: Pool): Promise<boolean> {
  const { role, isOwner, isConfined, problem } = await databaseRoleFor(roles, pool);
  if (problem) throw new Error(`${problem.detail}. ${problem.remedy}`);
  if (isOwner && env.DATABASE_URL && !isEverything(roles))
    logger.warn(
      { reason: 'database_owner', role },
      'the role of the database owns the tables, so that nothing stops it: see `research grants`',
    );
  if (isConfined) nameTenants(pool);
  return isConfined;
}

/** Opens the store, which is closed with the process. The workers' announcements decide how much it dispatches. */
async function openProcessStore(process: Process, databaseUrl: string, masterKeys: readonly Buffer[], capacity: Capacity): Promise<Store> {
  const { env, roles, closing, transport, identity } = process;
  // For `research status`: the sessions say which processes there are.
  const named = { ...identity, roles: isEverything(roles) ? ['all'] : [...roles] };
  tellLeaving(process, databaseUrl, named);
  await capacity.listen(transport);
  const store = openStore({
    databaseUrl: withSessionName(databaseUrl, named),
    connections: env.DATABASE_POOL,
    masterKeys,
    leaseMs: env.LEASE_MS,
    redispatchFirstMs: env.REDISPATCH_FIRST_MS,
    rememberMs: env.REMEMBER_CONTENT_MS,
    remembers: rememberedBy(roles),
    deletionList: env.DELETION_LIST,
    windowOf: (provider: ProviderId) => capacity.writerWindow(provider),
  });
  closing.deferBriefly(() => store.close());
  if (env.NATS_URL) tellCutOff(process, named, { pool: store.pool, url: databaseUrl });
  return store;
}

export async function openData(process: Process): Promise<Data> {
  const { env, roles, logger, closing, transport, health, takers, tracing, stopping: signal } = process;
  const isNew = isEverything(roles) && env.DATABASE_URL === undefined && !hasDatabase(env);
  // Of a database that is still to be made nothing is sealed. A folder without room is found before PostgreSQL is.
  const givenKeys = readMasterKeys(env, roles) ?? (isNew ? makeMasterKeys(env, false) : null);
  const given = readPepper(env, roles);
  const database = await openDatabase(env, roles, (said) =>
    logger.error({ reason: 'embedded_database_ended', folder: env.DATA_DIR, said }, EMBEDDED_ENDED),
  );
  closing.defer(async () => database.embedded?.stop());
  const capacity = new Capacity();
  const masterKeys = givenKeys ?? (await ownMasterKeys(process, database.url));
  const store = await openProcessStore(process, database.url, masterKeys, capacity);
  await requireDatabase(store.pool);
  // Otherwise a process with a wrong clock would use that clock until its first commit.
  await store.learnTime();
  if (isEverything(roles)) await migrate(database.url, { signal, tell: (line) => logger.warn({ reason: 'migration_waits' }, line) });
  else await requireSchema(store.pool);
  const pepper = given ?? (await ownPepper(process, store));
  await ensureCheckpointKey(process, store.pool);
  const namesTenants = await useDatabaseRole(process, store.pool);
  await store.enterMasterKeys();
  if (isEverything(roles)) await sealEarlierKeys(store.pool, pepper, logger);
  else await enterPepper(store.pool, pepper);
  if (env.DELETION_LIST) await applyListed(process, store, env.DELETION_LIST);
  if (tracing && transport instanceof ObservedTransport) transport.findTraces((jobIds) => readTraceIds(store.pool, jobIds));
  dispatchCommits(store, { transport, takers, tracing });
  logCommits(store, logger);
  publishCommits(store, transport);
  await forgetErased(store, transport, logger);
  logAlerts(store, logger);
  health.add({ name: 'database', check: () => store.requireCommit(ANSWER_WITHIN_MS) });
  return { store, capacity, pepper, namesTenants };
}
