import { latestCheckpoint } from '@lib/store/log/checkpoints';
import { logSize } from '@lib/store/log/log-hashes';
import type { Pool } from '@lib/store/postgres/pool';
import type { Env } from '@lib/settings/env';
import { DamagedSecret, dataFiles, makesCheckpointKey, readCheckpointKeys } from '../embedded/data-folder';
import type { Role } from '../roles';
import { KEYS_REMEDY, otherKeys, toldKeys } from '../audit/signing-keys';
import { ok, problem, shownPath, warning, type Check } from './check';

const LOST_REMEDY =
  'Restore the file from a backup of the data folder. If it is lost, remove it and run `research checkpoint --new-key`, which makes another one.';

/** Checks whether the log of all events is signed. */
export async function checkLog(env: Env, roles: ReadonlySet<Role>, pool: Pool): Promise<Check> {
  const name = 'checkpoints';
  if (env.CHECKPOINT_MS === 0)
    return warning(
      name,
      'CHECKPOINT_MS is 0: there is no log of all events',
      'Remove CHECKPOINT_MS, so that changes of history can be shown.',
    );
  const makesKey = makesCheckpointKey(env, roles);
  if (roles.has('saga') && env.CHECKPOINT_KEY === undefined && !makesKey)
    return warning(
      name,
      'CHECKPOINT_KEY is not set: nothing signs the log of all events',
      'Set CHECKPOINT_KEY, the same for every saga, such as from `openssl rand -base64 32`.',
    );
  const keys = keysOf(env, roles);
  if (keys instanceof DamagedSecret) return problem(name, keys.message, 'Until then the service does not start.');
  const other = roles.has('saga') && keys.length > 0 ? await otherKeys(pool, keys) : null;
  if (other) return warning(name, `this saga will sign nothing: ${toldKeys(other)}`, KEYS_REMEDY);
  const [latest, size] = await Promise.all([latestCheckpoint(pool), logSize(pool)]);
  if (makesKey && keys.length === 0 && latest !== null)
    return warning(
      name,
      `this saga will sign nothing: ${shownPath(dataFiles(env.DATA_DIR).checkpointKey)} is missing, and a key has signed the log already`,
      LOST_REMEDY,
    );
  if (latest === null) return ok(name, `none yet; the log has ${size} entries`);
  return ok(name, `the newest one of ${latest.origin} has ${latest.size} of ${size} entries, signed ${latest.signedAt.toISOString()}`);
}

function keysOf(env: Env, roles: ReadonlySet<Role>): readonly Buffer[] | DamagedSecret {
  try {
    return readCheckpointKeys(env, roles);
  } catch (error) {
    if (error instanceof DamagedSecret) return error;
    throw error;
  }
}
