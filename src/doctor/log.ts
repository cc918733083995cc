import { latestCheckpoint } from '@lib/store/log/checkpoints';
import { logSize } from '@lib/store/log/log-hashes';
import type { Pool } from '@lib/store/postgres/pool';
import type { Env } from '@lib/settings/env';
import { isEverything, type Role } from '../roles';
import { KEYS_REMEDY, otherKeys, toldKeys } from '../audit/signing-keys';
import { ok, warning, type Check } from './check';

/** Checks whether the log of all events is signed. */
export async function checkLog(env: Env, roles: ReadonlySet<Role>, pool: Pool): Promise<Check> {
  const name = 'checkpoints';
  if (env.CHECKPOINT_MS === 0)
    return warning(
      name,
      'CHECKPOINT_MS is 0: there is no log of all events',
      'Remove CHECKPOINT_MS, so that changes of history can be shown.',
    );
  const makesKey = isEverything(roles) && env.DATABASE_URL === undefined;
  if (roles.has('saga') && env.CHECKPOINT_KEY === undefined && !makesKey)
    return warning(
      name,
      'CHECKPOINT_KEY is not set: nothing signs the log of all events',
      'Set CHECKPOINT_KEY, the same for every saga, such as from `openssl rand -base64 32`.',
    );
  const other = roles.has('saga') && env.CHECKPOINT_KEY ? await otherKeys(pool, env.CHECKPOINT_KEY) : null;
  if (other) return warning(name, `this saga will sign nothing: ${toldKeys(other)}`, KEYS_REMEDY);
  const [latest, size] = await Promise.all([latestCheckpoint(pool), logSize(pool)]);
  if (latest === null) return ok(name, `none yet; the log has ${size} entries`);
  return ok(name, `the newest one of ${latest.origin} has ${latest.size} of ${size} entries, signed ${latest.signedAt.toISOString()}`);
}
