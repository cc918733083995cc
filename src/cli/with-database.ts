import { randomBytes } from 'node:crypto';
import type { Env } from '@lib/settings/env';
import { readEnv } from '@lib/settings/read-env';
import { isSealed } from '@lib/store/sealing/master-keys';
import { openStore, type Store } from '@lib/store/store';
import { openOperatorDatabase, requireDatabase, requireSchema } from '../database';
import { missingMasterKey, readMasterKeys } from '../embedded/data-folder';
import { readRoles } from '../roles';
import { MAX_STATEMENT_MS } from './operator-pool';

export interface DatabaseSession {
  env: Env;
  store: Store;
}

/** A command does few things at the same time, and may read everything that there is. */
const CONNECTIONS = 2;

/**
 * Runs an operator's command on the database of the environment, or on the embedded one, whether the service runs or not.
 * @param keyVariables the providers' keys that the command needs to know; others are not read
 */
export async function withDatabase<Result>(
  use: (session: DatabaseSession) => Promise<Result>,
  keyVariables: readonly string[] = [],
): Promise<Result> {
  const env = readEnv(process.env, keyVariables);
  const given = readMasterKeys(env, readRoles('all'));
  await using closing = new AsyncDisposableStack();
  const { url: databaseUrl, embedded } = await openOperatorDatabase(env);
  closing.defer(async () => embedded?.stop());
  const { LEASE_MS: leaseMs, REDISPATCH_FIRST_MS: redispatchFirstMs } = env;
  const store = openStore({
    databaseUrl,
    connections: CONNECTIONS,
    statementMs: MAX_STATEMENT_MS,
    // Without a key, of a database that nothing is sealed in.
    masterKeys: given ?? [randomBytes(32)],
    leaseMs,
    redispatchFirstMs,
  });
  closing.defer(() => store.close());
  await requireDatabase(store.pool);
  await requireSchema(store.pool);
  if (given === null && (await isSealed(store.pool))) throw missingMasterKey(env);
  return await use({ env, store });
}
