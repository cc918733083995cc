import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DAY_MS, MINUTE_MS } from '@lib/domain/durations';
import type { Store } from '@lib/store/store';
import type { UsagePeriod, UsageView } from '@lib/store/views/usage.view';
import { STORE } from '../../api/tokens';

const DAYS: Record<UsagePeriod, number | null> = { '7d': 7, '30d': 30, '90d': 90, all: null };
const RECENT_JOBS = 10;

/** What a tenant's jobs of a period cost. */
export class GetUsage extends Query<UsageView> {
  constructor(
    readonly tenantId: string,
    readonly period: UsagePeriod,
  ) {
    super();
  }
}

@QueryHandler(GetUsage)
export class GetUsageHandler implements IQueryHandler<GetUsage> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, period }: GetUsage): Promise<UsageView> {
    const days = DAYS[period];
    // To the minute, so that a client that asks again soon is told that nothing changed.
    const now = Math.floor(this.store.now().getTime() / MINUTE_MS) * MINUTE_MS;
    const from = days === null ? null : new Date(now - days * DAY_MS);
    const [usage, recent] = await Promise.all([
      this.store.usageOf({ tenantId, from }),
      this.store.flatJobs.list(tenantId, from ? { createdFrom: from } : {}, null, RECENT_JOBS),
    ]);
    return { period, from: from?.toISOString() ?? null, ...usage, recentJobs: recent.jobs };
  }
}
