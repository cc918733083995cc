import type { JobEvent } from '@lib/domain/job/events';
import { MICROS_PER_DOLLAR } from '@lib/domain/money';
import type { Metrics } from './metrics';

const FINAL = { JobCompleted: 'completed', JobFailed: 'failed', JobCancelled: 'cancelled' } as const;

/**
 * What jobs of the named tenants did and cost. However many tenants there are, the labels are those of the list and one more.
 * @returns null where the list is empty
 */
export function measureTenants({ tenantJobs, tenantCharged }: Metrics, named: readonly string[]) {
  if (named.length === 0) return null;
  const known = new Set(named);
  // From 0, as every counter whose increase is asked for. Who is named is known only here.
  for (const tenant of [...known, 'other']) {
    for (const status of Object.values(FINAL)) tenantJobs.inc({ tenant, status }, 0);
    tenantCharged.inc({ tenant }, 0);
  }
  return ({ type, facts }: JobEvent, tenantId: string): void => {
    const tenant = known.has(tenantId) ? tenantId : 'other';
    if (type === 'JobCompleted' || type === 'JobFailed' || type === 'JobCancelled') tenantJobs.inc({ tenant, status: FINAL[type] });
    const micros = 'committedMicros' in facts ? facts.committedMicros : 0;
    if (micros > 0) tenantCharged.inc({ tenant }, micros / MICROS_PER_DOLLAR);
  };
}
