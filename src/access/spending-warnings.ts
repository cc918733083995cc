import { randomUUID } from 'node:crypto';

import type { Logger } from 'pino';

import { forTenants } from '@lib/batching/named-tenants';
import { boundedCache } from '@lib/memory/bounded-cache';
import { Tenants } from '@lib/store/tenants/tenants';
import type { Store } from '@lib/store/store';

const DAYS_BYTES = 512 * 1024;
const DAY_BYTES = 80;

interface Warning {
  /** Null: of the tenant. */
  keyId: string | null;
  cents: number;
  warningCents: number;
}

/** Records once a day that the jobs of a tenant, or of one of its keys, may cost more than its warning threshold. */
export class SpendingWarnings {
  /** By tenant and key: the day for which this process has recorded it. */
  private readonly told = boundedCache<string>({ name: 'spending warnings', maxBytes: DAYS_BYTES, bytesOf: () => DAY_BYTES });
  private readonly tenants: Tenants;

  constructor(
    private readonly store: Pick<Store, 'pool' | 'now'>,
    private readonly logger: Logger,
  ) {
    this.tenants = new Tenants(store.pool);
  }

  tell(tenantId: string, { keyId, cents, warningCents }: Warning): void {
    const holder = `${tenantId}/${keyId ?? ''}`;
    const day = this.store.now().toISOString().slice(0, 10);
    if (this.told.get(holder) === day) return;
    this.told.set(holder, day);
    this.logger.warn(
      { reason: 'daily_warning', tenantId, keyId, cents, warningCents },
      'the jobs of the day may cost more than the tenant or its key is warned of',
    );
    const meta = { actor: 'role:api', correlationId: randomUUID(), traceparent: null };
    const command = { type: 'WarnOfSpending' as const, tenantId, keyId, day, cents, warningCents };
    void forTenants([tenantId], () => this.tenants.execute({ tenantId, commands: [command], meta })).catch((error: unknown) => {
      // The next job of the day tries again.
      this.told.delete(holder);
      this.logger.warn({ reason: 'warning_not_recorded', tenantId, err: error }, 'the warning of the day is not recorded yet');
    });
  }
}
