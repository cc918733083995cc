import type { ProviderId } from '@lib/domain/vocabulary';
import { migrate } from '@lib/store/postgres/migrations';
import { openStore, type Store } from '@lib/store/store';
import { openDatabase, requireDatabase, requireSchema } from '../database';
import { Capacity } from '../dispatch/capacity';
import { logAlerts } from '../dispatch/alerts';
import { dispatchCommits } from '../dispatch/dispatch';
import { readSecrets } from '../embedded/data-folder';
import { isEverything } from '../roles';
import { closeBriefly } from './close-briefly';
import type { Process } from './process';

/** What the roles with a database share. */
export interface Data {
  store: Store;
  /** What the workers take. */
  capacity: Capacity;
  pepper: string;
}

export async function openData({ env, roles, logger, closing, transport, health, takers }: Process): Promise<Data> {
  const { masterKeys, pepper } = readSecrets(env, roles);
  const database = await openDatabase(env, roles);
  closing.defer(async () => database.embedded?.stop());
  const { LEASE_MS: leaseMs, REDISPATCH_FIRST_MS: redispatchFirstMs, DATABASE_POOL: connections } = env;
  const capacity = new Capacity();
  await capacity.listen(transport);
  const windowOf = (provider: ProviderId) => capacity.writerWindow(provider);
  const store = openStore({ databaseUrl: database.url, connections, masterKeys, leaseMs, redispatchFirstMs, windowOf });
  closing.defer(() => closeBriefly(store.close()));
  await requireDatabase(store.pool);
  if (isEverything(roles)) await migrate(database.url);
  else await requireSchema(store.pool);
  await store.enterMasterKeys();
  dispatchCommits(store, transport, logger, takers);
  logAlerts(store, logger);
  health.push({ name: 'database', check: async () => void (await store.pool.query('select 1')) });
  return { store, capacity, pepper };
}
