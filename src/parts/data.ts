import type { Logger } from 'pino';
import type { ProviderId } from '@lib/domain/vocabulary';
import { enterPepper } from '@lib/store/access/pepper';
import { migrate } from '@lib/store/postgres/migrations';
import { nameTenants } from '@lib/store/postgres/named-query';
import { applyDeletions } from '@lib/store/deletions/apply-deletions';
import { readDeletions, requireDeletionFolder } from '@lib/store/deletions/deletion-list';
import type { Pool } from '@lib/store/postgres/pool';
import { withSessionName } from '@lib/store/postgres/session-name';
import { readTraceIds } from '@lib/store/views/trace-ids';
import { openStore, type Store } from '@lib/store/store';
import { AT_START } from '@lib/store/tenants/tenants';
import { openDatabase, requireDatabase, requireSchema } from '../database';
import { databaseRoleFor } from '../database-role';
import { Capacity } from '../dispatch/capacity';
import { logAlerts } from '../dispatch/alerts';
import { forgetErased } from '../dispatch/forget-erased';
import { dispatchCommits } from '../dispatch/dispatch';
import { makePepper, readMasterKeys, readPepper } from '../embedded/data-folder';
import { isEverything } from '../roles';
import { ObservedTransport } from '../telemetry/observed-transport';
import { closeBriefly } from './close-briefly';
import { tellLeaving } from './leaving-session';
import type { Process } from './process';
import { rememberedBy } from './remembered-by';

/** Within the time that a check of readiness has. */
const PROBE_MS = 1_500;

/** What the roles with a database share. */
export interface Data {
  store: Store;
  /** What the workers take. */
  capacity: Capacity;
  pepper: string;
  /** The database shows only the tenants that a statement names. */
  namesTenants: boolean;
}

/** Before anything is served: what a restored backup brought back is deleted again. */
async function deleteListed(store: Store, folder: string, logger: Logger): Promise<void> {
  await requireDeletionFolder(folder);
  const { deleted, used } = await applyDeletions(store, readDeletions(folder));
  if (deleted.length > 0)
    logger.warn({ reason: 'deleted_again', threads: deleted.length }, 'threads of the deletion list were there again, and were deleted');
  if (used.length > 0)
    logger.warn(
      { reason: 'deletion_doubtful', threadIds: used },
      'threads of the deletion list were written to later, and were not deleted',
    );
}

/** Loaded where it is needed: it brings the ORM along. */
async function ownPepper({ env }: Process, store: Store): Promise<string> {
  const { mustSealKeys } = await import('../../libs/store/access/seal-keys.ts');
  return makePepper(env, await mustSealKeys(store));
}

/** Role `all` migrates by itself, and this belongs to it. */
async function sealEarlierKeys(pool: Pool, pepper: string, logger: Logger): Promise<void> {
  const { sealKeys } = await import('../../libs/store/access/seal-keys.ts');
  const keyIds = await sealKeys({ pool, pepper }, AT_START);
  if (keyIds.length > 0) logger.info({ reason: 'keys_sealed', keyIds }, 'keys of an earlier build have every scope but admin from now on');
}

/**
 * Of a role that sees only the tenants that it is told, every statement names them.
 * @returns whether it is one
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

export async function openData(process: Process): Promise<Data> {
  const { env, roles, logger, closing, transport, health, takers, tracing, identity } = process;
  const masterKeys = readMasterKeys(env, roles);
  const given = readPepper(env, roles);
  const database = await openDatabase(env, roles);
  closing.defer(async () => database.embedded?.stop());
  const {
    LEASE_MS: leaseMs,
    REDISPATCH_FIRST_MS: redispatchFirstMs,
    DATABASE_POOL: connections,
    REMEMBER_CONTENT_MS: rememberMs,
    DELETION_LIST: deletionList,
  } = env;
  // For `research status`: the sessions say which processes there are.
  const named = { ...identity, roles: isEverything(roles) ? ['all'] : [...roles] };
  tellLeaving(process, database.url, named);
  const capacity = new Capacity();
  await capacity.listen(transport);
  const windowOf = (provider: ProviderId) => capacity.writerWindow(provider);
  const store = openStore({
    databaseUrl: withSessionName(database.url, named),
    connections,
    masterKeys,
    leaseMs,
    redispatchFirstMs,
    rememberMs,
    remembers: rememberedBy(roles),
    deletionList,
    windowOf,
  });
  closing.defer(() => closeBriefly(store.close()));
  await requireDatabase(store.pool);
  // A process whose clock is off would else go by it until its first commit: it listed a deletion as older than what it deleted.
  await store.learnTime();
  if (isEverything(roles)) await migrate(database.url, { tell: (line) => logger.warn({ reason: 'migration_waits' }, line) });
  else await requireSchema(store.pool);
  const pepper = given ?? (await ownPepper(process, store));
  const namesTenants = await useDatabaseRole(process, store.pool);
  await store.enterMasterKeys();
  if (isEverything(roles)) await sealEarlierKeys(store.pool, pepper, logger);
  else await enterPepper(store.pool, pepper);
  if (deletionList) await deleteListed(store, deletionList, logger);
  if (tracing && transport instanceof ObservedTransport) transport.findTraces((jobIds) => readTraceIds(store.pool, jobIds));
  dispatchCommits(store, { transport, logger, takers, tracing });
  await forgetErased(store, transport, logger);
  logAlerts(store, logger);
  health.add({ name: 'database', check: () => store.requireCommit(PROBE_MS) });
  return { store, capacity, pepper, namesTenants };
}
