import { join } from 'node:path';
import type { Env } from '@lib/settings/env';
import { parseMasterKeys } from '@lib/settings/env-values';
import type { Role } from '../roles';
import { isEverything } from '../roles';
import { keptSecret } from './kept-secret';

/** Files of the embedded default below `DATA_DIR`. */
export const dataFiles = (dataDir: string) => ({
  postgres: join(dataDir, 'postgres'),
  masterKey: join(dataDir, 'master-key'),
  pepper: join(dataDir, 'api-key-pepper'),
  apiKey: join(dataDir, 'api-key'),
  cache: join(dataDir, 'cache'),
});

export interface Secrets {
  /** Newest first. */
  masterKeys: readonly Buffer[];
  pepper: string;
}

/**
 * The secrets of a process with a database, from the environment. In role `all` they may come from the data folder, made at the first start.
 * @throws Error that names the variable which separate roles lack
 */
export function readSecrets(env: Env, roles: ReadonlySet<Role>): Secrets {
  const files = dataFiles(env.DATA_DIR);
  const required = (name: string): never => {
    throw new Error(`${name} is not set: roles that run apart must share it (or set ${name}_FILE); only role all makes its own`);
  };
  const own = isEverything(roles);
  const masterKeys = givenMasterKeys(env) ?? (own ? parseMasterKeys(keptSecret(files.masterKey).text) : required('MASTER_KEY'));
  const pepper = env.API_KEY_PEPPER ?? (own ? keptSecret(files.pepper).text : required('API_KEY_PEPPER'));
  return { masterKeys, pepper };
}

/** Those of the environment, newest first; null if it has none. */
export function givenMasterKeys({ MASTER_KEY, MASTER_KEYS }: Env): readonly Buffer[] | null {
  if (MASTER_KEY) return [MASTER_KEY];
  return MASTER_KEYS.length > 0 ? MASTER_KEYS : null;
}
