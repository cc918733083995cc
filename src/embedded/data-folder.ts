import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOfError } from '@lib/domain/message-of-error';
import { parseCheckpointKeys } from '@lib/settings/checkpoint-settings';
import type { Env } from '@lib/settings/env';
import { parseApiKey, parseMasterKeys, parsePepper } from '@lib/settings/env-values';
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

/** Whether the embedded default has made its database. */
export const hasDatabase = ({ DATA_DIR }: Env): boolean => existsSync(join(dataFiles(DATA_DIR).postgres, 'PG_VERSION'));

/** A secret of the data folder is not what its variable would have to be. The message names the file and the remedy. */
export class DamagedSecret extends Error {
  override readonly name = 'DamagedSecret';
}

/** What stands in a file of the data folder, with the rules of its variable; null if there is no file. @throws DamagedSecret */
function readKept<Value>(file: string, parse: (text: string) => Value, remedy = RESTORE): Value | null {
  const text = textOf(file);
  if (text === null) return null;
  try {
    return parse(text);
  } catch (error) {
    throw new DamagedSecret(`${file} ${messageOfError(error)}. It is damaged: ${remedy}`);
  }
}

const RESTORE = 'restore it from a backup of the data folder.';

function textOf(file: string): string | null {
  try {
    return readSecretFile(file);
  } catch (error) {
    throw new DamagedSecret(`${file} cannot be read: ${messageOfError(error)}. Let this user read the file.`);
  }
}

const keptMasterKeys = ({ DATA_DIR }: Env): readonly Buffer[] | null => readKept(dataFiles(DATA_DIR).masterKey, parseMasterKeys);
const keptPepper = ({ DATA_DIR }: Env): string | null => readKept(dataFiles(DATA_DIR).pepper, parsePepper);
/** The first API key. @throws DamagedSecret */
export const keptApiKey = ({ DATA_DIR }: Env): string | null => readKept(dataFiles(DATA_DIR).apiKey, parseApiKey);

/**
 * The pepper of a process with a database; null in role `all` before its first start.
 * @throws Error that names the variable which separate roles lack, or DamagedSecret
 */
export const readPepper = (env: Env, roles: ReadonlySet<Role>): string | null =>
  isEverything(roles) ? givenPepper(env) : (env.API_KEY_PEPPER ?? required('API_KEY_PEPPER'));

/**
 * Makes a pepper in the data folder.
 * @throws Error if the database has keys: under a new pepper they would be refused for good
 */
export function makePepper(env: Env, hasKeys: boolean): string {
  const { pepper: file } = dataFiles(env.DATA_DIR);
  if (!hasKeys) return keptSecret(file).text;
  // Another process may have made both since this one looked for the file, which comes first.
  const made = keptPepper(env);
  if (made !== null) return made;
  throw new Error(
    `API_KEY_PEPPER is not set and ${file} is not there, and the database has keys already: restore the file from a backup of the data folder, ` +
      'or set the API_KEY_PEPPER under which they were made (or API_KEY_PEPPER_FILE).',
  );
}

/**
 * The master keys, newest first; null in role `all` before its first start.
 * @throws Error that names the variable which separate roles lack, or DamagedSecret
 */
export const readMasterKeys = (env: Env, roles: ReadonlySet<Role>): readonly Buffer[] | null =>
  givenMasterKeys(env) ?? (isEverything(roles) ? keptMasterKeys(env) : required('MASTER_KEY'));

/**
 * Makes a master key for role `all` in its data folder.
 * @throws Error if the database is sealed under another one, and nothing of it could be opened
 */
export function makeMasterKeys(env: Env, isSealed: boolean): readonly Buffer[] {
  if (!isSealed) return parseMasterKeys(keptSecret(dataFiles(env.DATA_DIR).masterKey).text);
  // As above.
  const made = keptMasterKeys(env);
  if (made !== null) return made;
  throw missingMasterKey(env);
}

/** The database is sealed under a key that is nowhere. */
export function missingMasterKey({ DATA_DIR }: Env): Error {
  const { masterKey: file } = dataFiles(DATA_DIR);
  return new Error(
    `MASTER_KEY is not set and ${file} is not there, and the database is sealed under a key already: restore the file from a backup of the data ` +
      'folder, or set the MASTER_KEY that was in use (or MASTER_KEY_FILE). Without it no content can be read.',
  );
}

function required(name: string): never {
  throw new Error(`${name} is not set: roles that run apart must share it (or set ${name}_FILE); only role all makes its own`);
}

/** The pepper from the environment, or else from the data folder; null if there is neither. @throws DamagedSecret */
export const givenPepper = (env: Env): string | null => env.API_KEY_PEPPER ?? keptPepper(env);

/**
 * For commands that make keys; null if one may be made. That is only so for the embedded database: any other one already belongs to the pepper of its
 * service.
 * @throws Error that names the variable, or DamagedSecret
 */
export function operatorPepper(env: Env): string | null {
  const given = givenPepper(env);
  if (given !== null || !env.DATABASE_URL) return given;
  throw new Error('API_KEY_PEPPER is not set: set the one of the service that uses this DATABASE_URL (or API_KEY_PEPPER_FILE)');
}

/** The master keys from the environment, newest first; null if it has none. */
export function givenMasterKeys({ MASTER_KEY, MASTER_KEYS }: Env): readonly Buffer[] | null {
  if (MASTER_KEY) return [MASTER_KEY];
  return MASTER_KEYS.length > 0 ? MASTER_KEYS : null;
}

/** The private keys that sign checkpoints; none if nothing is to be signed, or none is there yet. @throws DamagedSecret */
export function readCheckpointKeys(env: Env, roles: ReadonlySet<Role>): readonly Buffer[] {
  if (env.CHECKPOINT_MS === 0) return [];
  return (
    env.CHECKPOINT_KEY ??
    (makesCheckpointKey(env, roles) ? (readKept(dataFiles(env.DATA_DIR).checkpointKey, parseCheckpointKeys, RESTORE_OR_NEW) ?? []) : [])
  );
}

const RESTORE_OR_NEW =
  'restore it from a backup of the data folder; if it is lost, remove it and run `research checkpoint --new-key`, which makes another one.';

/**
 * Whether the process makes the key that signs checkpoints. Only the embedded default does: with any other database, other processes would not know a
 * key stored beside one of them.
 */
export const makesCheckpointKey = (env: Env, roles: ReadonlySet<Role>): boolean =>
  env.CHECKPOINT_MS !== 0 && env.CHECKPOINT_KEY === undefined && isEverything(roles) && env.DATABASE_URL === undefined;

/** Makes a key that signs checkpoints in the data folder. Only for a log that no other key has signed, or if an operator wants it. */
export const makeCheckpointKey = ({ DATA_DIR }: Env): Buffer => Buffer.from(keptSecret(dataFiles(DATA_DIR).checkpointKey).text, 'base64');
