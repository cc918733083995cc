import { readEnv, type Env } from '@lib/settings/env';
import type { KeyStore } from '@lib/store/access/api-keys';
import { openOperatorDatabase, openOrm } from '../database';
import { readSecrets, type Secrets } from '../embedded/data-folder';
import { readRoles } from '../roles';

export interface DatabaseSession extends KeyStore, Secrets {
  env: Env;
  url: string;
}

/** Runs an operator's command on the database of the environment, or on the embedded one, whether the service runs or not. */
export async function withDatabase<Result>(use: (session: DatabaseSession) => Promise<Result>): Promise<Result> {
  const env = readEnv(process.env, { providerKeys: false });
  const secrets = readSecrets(env, readRoles('all'));
  const { url, embedded } = await openOperatorDatabase(env);
  await using closing = new AsyncDisposableStack();
  closing.defer(async () => embedded?.stop());
  const orm = await openOrm(url);
  closing.defer(() => orm.close());
  return await use({ env, url, orm, ...secrets });
}
