import { randomUUID } from 'node:crypto';

import type { Logger } from 'pino';

import { forTenants } from '@lib/batching/named-tenants';
import { boundedCache } from '@lib/memory/bounded-cache';
import { Tenants } from '@lib/store/tenants/tenants';
import type { Store } from '@lib/store/store';

const DAYS_BYTES = 512 * 1024;
const DAY_BYTES = 50;

/** Records once a day that the jobs of a tenant may cost more than it is warned of. */
export class SpendingWarnings {
  /** By tenant: the day on which this process said so. */
  private readonly told = boundedCache<string>({ name: 'spending warnings', maxBytes: DAYS_BYTES, bytesOf: () => DAY_BYTES });
  private readonly tenants: Tenants;

  constructor(
    private readonly store: Pick<Store, 'pool' | 'now'>,
    private readonly logger: Logger,
  ) {
    this.tenants = new Tenants(store.pool);
  }

  tell(tenantId: string, cents: number, warningCents: number): void {
    const day = this.store.now().toISOString().slice(0, 10);
    if (this.told.get(tenantId) === day) return;
    this.told.set(tenantId, day);
    this.logger.warn(
      { reason: 'daily_warning', tenantId, cents, warningCents },
      'the jobs of the day may cost more than the tenant is warned of',
    );
    const meta = { actor: 'role:api', correlationId: randomUUID(), traceparent: null };
    const command = { type: 'WarnOfSpending' as const, tenantId, day, cents, warningCents };
    void forTenants([tenantId], () => this.tenants.execute({ tenantId, commands: [command], meta })).catch((error: unknown) => {
      // The next job of the day tries again.
      this.told.delete(tenantId);
      this.logger.warn({ reason: 'warning_not_recorded', tenantId, err: error }, 'the warning of the day is not recorded yet');
    });
  }
}
