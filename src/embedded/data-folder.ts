import { join } from 'node:path';
import type { Env } from '@lib/settings/env';
import { parseMasterKeys } from '@lib/settings/env-values';
import type { Role } from '../roles';
import { isEverything } from '../roles';
import { keptSecret, readSecretFile } from './kept-secret';

/** Files of the embedded default below `DATA_DIR`. */
export const dataFiles = (dataDir: string) => ({
  postgres: join(dataDir, 'postgres'),
  masterKey: join(dataDir, 'master-key'),
  pepper: join(dataDir, 'api-key-pepper'),
  apiKey: join(dataDir, 'api-key'),
  checkpointKey: join(dataDir, 'checkpoint-key'),
  cache: join(dataDir, 'cache'),
});

/**
 * The pepper of a process with a database; null in role `all` before its first start.
 * @throws Error that names the variable which separate roles lack
 */
export const readPepper = (env: Env, roles: ReadonlySet<Role>): string | null =>
  isEverything(roles) ? givenPepper(env) : (env.API_KEY_PEPPER ?? required('API_KEY_PEPPER'));

/**
 * Makes a pepper for role `all` in its data folder.
 * @throws Error if there are keys of an earlier build: under a new pepper they would be refused for good
 */
export function makePepper({ DATA_DIR }: Env, hasEarlierKeys: boolean): string {
  const { pepper: file } = dataFiles(DATA_DIR);
  if (!hasEarlierKeys) return keptSecret(file).text;
  throw new Error(
    `API_KEY_PEPPER is not set and ${file} is not there, and the database has keys of an earlier build: ` +
      'set the API_KEY_PEPPER under which they were made (or API_KEY_PEPPER_FILE).',
  );
}

/** @throws Error that names the variable which separate roles lack */
export function readMasterKeys(env: Env, roles: ReadonlySet<Role>): readonly Buffer[] {
  const own = () => parseMasterKeys(keptSecret(dataFiles(env.DATA_DIR).masterKey).text);
  return givenMasterKeys(env) ?? (isEverything(roles) ? own() : required('MASTER_KEY'));
}

function required(name: string): never {
  throw new Error(`${name} is not set: roles that run apart must share it (or set ${name}_FILE); only role all makes its own`);
}

/** The pepper from the environment, or else from the data folder; null if there is neither. */
export const givenPepper = ({ API_KEY_PEPPER, DATA_DIR }: Env): string | null =>
  API_KEY_PEPPER ?? readSecretFile(dataFiles(DATA_DIR).pepper);

/**
 * For commands that make keys. A new pepper may be made only for the embedded database: any other database already belongs to the pepper of its
 * service.
 * @throws Error that names the variable
 */
export function operatorPepper(env: Env): string {
  const given = givenPepper(env);
  if (given !== null) return given;
  if (!env.DATABASE_URL) return keptSecret(dataFiles(env.DATA_DIR).pepper).text;
  throw new Error('API_KEY_PEPPER is not set: set the one of the service that uses this DATABASE_URL (or API_KEY_PEPPER_FILE)');
}

/** The master keys from the environment, newest first; null if it has none. */
export function givenMasterKeys({ MASTER_KEY, MASTER_KEYS }: Env): readonly Buffer[] | null {
  if (MASTER_KEY) return [MASTER_KEY];
  return MASTER_KEYS.length > 0 ? MASTER_KEYS : null;
}

/**
 * The private keys that sign checkpoints; none if nothing is to be signed. Only the embedded default makes its own: with any other database, other
 * processes would not know a key stored beside one of them.
 */
export function readCheckpointKeys(env: Env, roles: ReadonlySet<Role>): readonly Buffer[] {
  if (env.CHECKPOINT_MS === 0) return [];
  if (env.CHECKPOINT_KEY) return env.CHECKPOINT_KEY;
  if (!isEverything(roles) || env.DATABASE_URL !== undefined) return [];
  return [Buffer.from(keptSecret(dataFiles(env.DATA_DIR).checkpointKey).text, 'base64')];
}
