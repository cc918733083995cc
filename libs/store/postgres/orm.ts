import { Migrator, type Migration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { createPostgreSqlTypeParsers } from '@mikro-orm/sql';
import { PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';

import { ApiKey, Tenant } from '../access/access-entities';
import { TenantLimit } from '../limits/limit-entities';
import { Webhook, WebhookDelivery } from '../webhooks/webhook-entities';
import { Migration20261121000100_access } from '../migrations/Migration20261121000100_access';
import { Migration20261121000200_events } from '../migrations/Migration20261121000200_events';
import { Migration20261121000300_cancel_run } from '../migrations/Migration20261121000300_cancel_run';
import { Migration20261121000400_stale_threads } from '../migrations/Migration20261121000400_stale_threads';
import { Migration20261122005900_expiry_index } from '../migrations/Migration20261122005900_expiry_index';
import { Migration20261122010000_thread_summaries } from '../migrations/Migration20261122010000_thread_summaries';
import { Migration20261122012500_admission } from '../migrations/Migration20261122012500_admission';
import { Migration20261122012900_cancellations_index } from '../migrations/Migration20261122012900_cancellations_index';
import { Migration20261122014800_set_aside } from '../migrations/Migration20261122014800_set_aside';
import { Migration20261122021000_erasure_in_pieces } from '../migrations/Migration20261122021000_erasure_in_pieces';
import { Migration20261122041000_runs_of_ended_jobs } from '../migrations/Migration20261122041000_runs_of_ended_jobs';
import { Migration20261122044000_jobs_by_tenant } from '../migrations/Migration20261122044000_jobs_by_tenant';
import { Migration20261122050000_keyed_requests } from '../migrations/Migration20261122050000_keyed_requests';
import { Migration20261122071500_webhooks } from '../migrations/Migration20261122071500_webhooks';
import { Migration20261122073000_balances } from '../migrations/Migration20261122073000_balances';
import { Migration20261122100500_plain_owner } from '../migrations/Migration20261122100500_plain_owner';
import { Migration20261122100900_database_roles } from '../migrations/Migration20261122100900_database_roles';
import { Migration20261122101000_master_keys } from '../migrations/Migration20261122101000_master_keys';
import { Migration20261122101500_log } from '../migrations/Migration20261122101500_log';
import { Migration20261122101900_key_terms } from '../migrations/Migration20261122101900_key_terms';
import { Migration20261122103000_find_threads } from '../migrations/Migration20261122103000_find_threads';
import { Migration20261122103000_pepper } from '../migrations/Migration20261122103000_pepper';
import { Migration20261122103500_limits } from '../migrations/Migration20261122103500_limits';
import { Migration20261122111500_key_use } from '../migrations/Migration20261122111500_key_use';
import { Migration20261122111900_job_limits } from '../migrations/Migration20261122111900_job_limits';
import { Migration20261122114700_feed } from '../migrations/Migration20261122114700_feed';
import { Migration20261122132000_read_trail } from '../migrations/Migration20261122132000_read_trail';
import { Migration20261122135000_limits_of_keys } from '../migrations/Migration20261122135000_limits_of_keys';
import { Migration20261122141500_deletion_receipts } from '../migrations/Migration20261122141500_deletion_receipts';
import { Migration20261122163500_removed_skeletons } from '../migrations/Migration20261122163500_removed_skeletons';
import { Migration20261122175200_removed_leaves } from '../migrations/Migration20261122175200_removed_leaves';
import { Migration20261122230000_told_tenants } from '../migrations/Migration20261122230000_told_tenants';
import { Migration20261127003000_lost_commits } from '../migrations/Migration20261127003000_lost_commits';
import { Migration20261128003000_gates_of_tenants } from '../migrations/Migration20261128003000_gates_of_tenants';
import { Migration20261129003000_turns_of_syntheses } from '../migrations/Migration20261129003000_turns_of_syntheses';
import { Migration20261129010000_lost_for_limits } from '../migrations/Migration20261129010000_lost_for_limits';
import { Migration20261130003000_days_of_limits } from '../migrations/Migration20261130003000_days_of_limits';
import { Migration20261130113500_unseen_attempts } from '../migrations/Migration20261130113500_unseen_attempts';
import { MIGRATION_NAMES } from '../migrations/names';
import { forShortStatements } from './silent-server';

/** Listed by class, because a folder scan would find other files in `dist` than under jest. */
const MIGRATIONS: Record<(typeof MIGRATION_NAMES)[number], new (...parameters: ConstructorParameters<typeof Migration>) => Migration> = {
  Migration20261121000100_access,
  Migration20261121000200_events,
  Migration20261121000300_cancel_run,
  Migration20261121000400_stale_threads,
  Migration20261122005900_expiry_index,
  Migration20261122010000_thread_summaries,
  Migration20261122012500_admission,
  Migration20261122012900_cancellations_index,
  Migration20261122014800_set_aside,
  Migration20261122021000_erasure_in_pieces,
  Migration20261122041000_runs_of_ended_jobs,
  Migration20261122044000_jobs_by_tenant,
  Migration20261122050000_keyed_requests,
  Migration20261122071500_webhooks,
  Migration20261122073000_balances,
  Migration20261122100500_plain_owner,
  Migration20261122100900_database_roles,
  Migration20261122101000_master_keys,
  Migration20261122101500_log,
  Migration20261122101900_key_terms,
  Migration20261122103000_find_threads,
  Migration20261122103000_pepper,
  Migration20261122103500_limits,
  Migration20261122111500_key_use,
  Migration20261122111900_job_limits,
  Migration20261122114700_feed,
  Migration20261122132000_read_trail,
  Migration20261122135000_limits_of_keys,
  Migration20261122141500_deletion_receipts,
  Migration20261122163500_removed_skeletons,
  Migration20261122175200_removed_leaves,
  Migration20261122230000_told_tenants,
  Migration20261127003000_lost_commits,
  Migration20261128003000_gates_of_tenants,
  Migration20261129003000_turns_of_syntheses,
  Migration20261129010000_lost_for_limits,
  Migration20261130003000_days_of_limits,
  Migration20261130113500_unseen_attempts,
};

/**
 * Tables without an entity: those of the write path and of the log, which only our own statements use, and whose functions and guards no entity can
 * express. If any other table lacks an entity, the schema has drifted.
 */
const APPEND_PATH = [
  'event',
  'thread_key',
  'master_key',
  'api_key_pepper',
  'thread',
  'message',
  'job',
  'agenda',
  'provider_gate',
  'keyed_request',
  'balance',
  'balance_transaction',
  'limit_usage',
  'limited_job',
  'log_entry',
  'log_node',
  'log_head',
  'log_origin',
  'audit_read',
  'checkpoint_key',
  'checkpoint',
  'checkpoint_cosignature',
  'deletion_receipt',
  'removed_stream',
];

export type Orm = ReturnType<typeof createOrm>;

const overPool = new WeakMap<pg.Pool, Orm>();

/** The ORM of a process, over the pool that it shares with the write path. There is nothing to close but the pool. */
export function ormOver(pool: pg.Pool): Orm {
  const orm = overPool.get(pool) ?? createOrm(pool.options.database ?? '', () => pool.connect());
  overPool.set(pool, orm);
  return orm;
}

/**
 * The ORM on one connection, for work that has to stay in one session.
 * @param place the schema that is compared, if that is the work: otherwise the session's own
 */
export async function ormOn(client: pg.Client, place: { schema?: string } = {}): Promise<Orm> {
  // Its migrator would create a database that the server does not know by this name, as behind a pooler that has names of its own.
  const { rows } = await forShortStatements(client).query<{ name: string }>('select current_database() as name');
  const release = () => undefined;
  return createOrm(rows[0]?.name ?? '', async () => ({ query: client.query.bind(client), release }) as pg.PoolClient, place);
}

function createOrm(dbName: string, connect: () => Promise<pg.PoolClient>, place: { schema?: string } = {}) {
  return new MikroORM({
    dbName,
    ...place,
    entities: [Tenant, ApiKey, TenantLimit, Webhook, WebhookDelivery],
    driverOptions: new PostgresDialect({
      pool: { connect: async () => asKyselyClient(await connect()), end: async () => undefined, options: {} },
    }),
    extensions: [Migrator],
    // Each migration commits separately: its locks end with it, and it may run without a transaction to build an index concurrently.
    migrations: {
      migrationsList: MIGRATION_NAMES.map((name) => ({ name, class: MIGRATIONS[name] })),
      snapshot: false,
      allOrNothing: false,
    },
    schemaGenerator: { skipTables: APPEND_PATH, ignoreRoutines: true },
    // The ORM would write plain lines between those of the process's own log. Its failures are thrown anyway.
    logger: () => undefined,
  });
}

/** MikroORM reads times from their text, where `pg` would make dates of them. */
const TYPES = new pg.TypeOverrides();
for (const [oid, parse] of Object.entries(createPostgreSqlTypeParsers((text) => [text]))) TYPES.setTypeParser(Number(oid), parse);

/**
 * Kysely gives a connection back when its transaction was committed or rolled back, and keeps it for ever if even the rollback fails. So a
 * connection that fails is given up here. Only errors of a statement leave the session usable; after any other error its state is unknown.
 */
function asKyselyClient(client: pg.PoolClient): PostgresPoolClient {
  let isReleased = false;
  const release = (failure?: Error): void => {
    if (isReleased) return;
    isReleased = true;
    client.release(failure);
  };
  const query = async (text: unknown, values?: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query({ text: text as string, values: [...(values ?? [])], types: TYPES });
    } catch (error) {
      if ((error as Partial<pg.DatabaseError>).severity !== 'ERROR') release(error as Error);
      throw error;
    }
  };
  return { query: query as PostgresPoolClient['query'], release: () => release() };
}
