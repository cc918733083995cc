import { readEnv, type Env } from '@lib/settings/env';
import type { KeyStore } from '@lib/store/access/api-keys';
import { openDatabase, openOrm } from '../database';
import { readSecrets, type Secrets } from '../embedded/data-folder';
import { readRoles } from '../roles';

export interface DatabaseSession extends KeyStore, Secrets {
  env: Env;
  url: string;
}

/** Runs an operator's command on the database of the environment, or on the embedded one while the service is not running. */
export async function withDatabase<Result>(use: (session: DatabaseSession) => Promise<Result>): Promise<Result> {
  const env = readEnv(process.env);
  const everything = readRoles('all');
  const secrets = readSecrets(env, everything);
  const { url, embedded } = await openDatabase(env, everything);
  const orm = openOrm(url);
  try {
    return await use({ env, url, orm, ...secrets });
  } finally {
    await orm.close();
    await embedded?.stop();
  }
}
