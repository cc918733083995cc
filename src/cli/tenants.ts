import { LIMIT_NAMES, type LimitChanges } from '@lib/domain/limits';
import { limitKey } from '@lib/store/access/api-keys';
import { listLimits, setLimits, type ListedLimits } from '@lib/store/limits/tenant-limits';
import { withKey } from './keys';
import { limitChanges, UNLIMITED, type LimitOptions } from './limit-options';
import { showList, type ListOptions } from './list';
import { operatorMeta } from './operator-meta';
import { withOperatorPool } from './operator-pool';
import { askWithoutKey } from './tenant-without-key';

/** Sets what is given and leaves the rest; every process knows it within ten seconds. */
export async function setLimitsCommand(tenantId: string, { key, ...options }: LimitOptions & { key?: string }): Promise<void> {
  const changes = limitChanges(options);
  if (Object.keys(changes).length === 0)
    throw new Error('Nothing is set: name at least one limit, as `research tenants set --help` lists them.');
  await (key === undefined ? setOfTenant(tenantId, changes) : setOfKey(tenantId, key, changes));
}

async function setOfTenant(tenantId: string, changes: LimitChanges): Promise<void> {
  await withOperatorPool(async (pool) => {
    const limits = await setLimits(pool, { tenantId, changes }, operatorMeta());
    console.log(told({ tenantId, keyId: null, limits }));
    await askWithoutKey(pool, tenantId);
  });
}

/** They stand in the key's row, so that the pepper is needed. */
const setOfKey = (tenantId: string, keyId: string, changes: LimitChanges): Promise<void> =>
  withKey(keyId, tenantId, async (keys) => {
    const limits = await limitKey(keys, { tenantId, keyId, changes }, operatorMeta());
    console.log(told({ tenantId, keyId, limits }));
  });

export async function listLimitsCommand({ tenant, json }: ListOptions): Promise<void> {
  const limits = await withOperatorPool((pool) => listLimits(pool, tenant));
  showList({ columns: ['tenant', 'key', 'limits'], rows: limits, line: told, document: (listed) => listed, json });
}

function told({ tenantId, keyId, limits }: ListedLimits): string {
  const set = LIMIT_NAMES.filter((name) => limits[name] !== undefined).map((name) => `${name}=${limits[name] ?? UNLIMITED}`);
  return [tenantId, keyId ?? '-', set.length > 0 ? set.join(',') : 'as the settings say'].join('\t');
}
