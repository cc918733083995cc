import { MikroORM } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';

import { ApiKey, Tenant } from '../access/access-entities';
import { Migration20261121000100_access } from '../migrations/Migration20261121000100_access';
import { Migration20261121000200_events } from '../migrations/Migration20261121000200_events';
import { Migration20261121000300_cancel_run } from '../migrations/Migration20261121000300_cancel_run';

/** In the order they run; listed by class, because a folder scan would find other files in `dist` than under jest. */
const MIGRATIONS = [Migration20261121000100_access, Migration20261121000200_events, Migration20261121000300_cancel_run];

const CONNECTION_TIMEOUT_MS = 5_000;

export type Orm = ReturnType<typeof createOrm>;

/** The ORM over everything that is not on the write path. It connects when it is first used; the caller closes it. */
export function createOrm(databaseUrl: string, { pool }: { pool: number }) {
  return new MikroORM({
    clientUrl: databaseUrl,
    entities: [Tenant, ApiKey],
    pool: { min: 0, max: pool },
    driverOptions: { connectionTimeoutMillis: CONNECTION_TIMEOUT_MS, application_name: 'research-threads' },
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false },
    // It would write plain lines between those of the process's own log; what fails is thrown.
    logger: () => undefined,
  });
}
