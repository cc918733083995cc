import { InvalidArgumentError } from 'commander';
import { LARGEST_LIMITS, leastLimit, LIMIT_NAMES, type LimitName, type Limits } from '@lib/domain/limits';
import { isLimit } from '@lib/settings/limits';
import { listLimits, setLimits, type LimitChanges, type ListedLimits } from '@lib/store/limits/tenant-limits';
import { operatorMeta } from './operator-meta';
import { withOperatorPool } from './operator-pool';

/** How the options of limits are written beside numbers. */
const AS_SET = 'default';
const UNLIMITED = 'none';

interface SetOptions extends Limits {
  key?: string;
}

/** @returns null for no limit, undefined for that of the settings */
export const limitValue =
  (name: LimitName) =>
  (text: string): number | null | undefined => {
    if (text === UNLIMITED) return null;
    if (text === AS_SET) return undefined;
    const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
    if (isLimit(name, value)) return value;
    throw new InvalidArgumentError(
      `must be a whole number from ${leastLimit(name)} to ${LARGEST_LIMITS[name]}, ${UNLIMITED} for no limit, or ${AS_SET} for that of the settings`,
    );
  };

/** Sets what is given and leaves the rest; every process knows it within ten seconds. */
export async function setLimitsCommand(tenantId: string, { key, ...changes }: SetOptions): Promise<void> {
  const named = Object.fromEntries(LIMIT_NAMES.filter((name) => name in changes).map((name) => [name, changes[name]])) as LimitChanges;
  if (Object.keys(named).length === 0)
    throw new Error('Nothing is set: name at least one limit, as `research tenants set --help` lists them.');
  if (key !== undefined && ('openJobs' in named || 'warningCents' in named || 'dailyCents' in named))
    throw new Error('Jobs and cents are limited for a tenant, not for one of its keys: leave out --key, or the limits of jobs and cents.');
  await withOperatorPool(async (pool) => {
    const keyId = key ?? null;
    const { rows } = await pool.query<{ id: string }>('select key_id as id from api_key where tenant_id = $1', [tenantId]);
    if (key !== undefined && !rows.some(({ id }) => id === key))
      throw new Error(`The tenant ${tenantId} has no key ${key}: \`research keys list --tenant ${tenantId}\` shows those it has.`);
    const limits = await setLimits(pool, { tenantId, keyId, changes: named }, operatorMeta());
    console.log(told({ tenantId, keyId, limits }));
    if (rows.length === 0) process.stderr.write(`No API key is of the tenant ${tenantId}: is this its name?\n`);
  });
}

export async function listLimitsCommand({ tenant }: { tenant?: string }): Promise<void> {
  for (const listed of await withOperatorPool((pool) => listLimits(pool, tenant))) console.log(told(listed));
}

function told({ tenantId, keyId, limits }: ListedLimits): string {
  const set = LIMIT_NAMES.filter((name) => limits[name] !== undefined).map((name) => `${name}=${limits[name] ?? UNLIMITED}`);
  return [tenantId, keyId ?? '-', set.length > 0 ? set.join(',') : 'as the settings say'].join('\t');
}
