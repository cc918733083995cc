import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import type { Limits } from '@lib/domain/limits';
import { MAX_MESSAGE_CODE_POINTS, PROVIDERS } from '@lib/domain/vocabulary';
import { describeKey } from '@lib/store/access/describe-key';
import { readLimitUsage, type LimitUsage } from '@lib/store/limits/limit-usage';
import type { Store } from '@lib/store/store';
import type { MeView } from '@lib/store/views/account.view';
import type { Caller } from '../../access/caller';
import { BODY_LIMIT_BYTES } from '../../api/json-body';
import { Problem } from '../../api/problems';
import { MAX_LIMIT } from '../../api/page';
import { STORE } from '../../api/tokens';

const LIMITS = {
  bodyBytes: BODY_LIMIT_BYTES,
  messageCodePoints: MAX_MESSAGE_CODE_POINTS,
  pageEntries: MAX_LIMIT,
  providers: PROVIDERS.length,
};

const UNUSED: LimitUsage = { openJobs: 0, dailyCents: 0 };

/** Who asks. */
export class GetMe extends Query<MeView> {
  constructor(readonly caller: Pick<Caller, 'keyId' | 'tenantId' | 'scopes' | 'allowed'>) {
    super();
  }
}

@QueryHandler(GetMe)
export class GetMeHandler implements IQueryHandler<GetMe> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ caller }: GetMe): Promise<MeView> {
    const key = await describeKey(this.store.pool, caller);
    if (key === null) throw new Problem('invalid_api_key', 'The API key was removed: use another one.');
    const { keyId: id, tenantId, scopes } = caller;
    const { name, createdAt, expiresAt } = key;
    const times = { createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
    return { tenantId, key: { id, name, ...times }, scopes: [...scopes], limits: { ...LIMITS, ...(await this.limitsOf(caller)) } };
  }

  private async limitsOf(caller: GetMe['caller']): Promise<Omit<MeView['limits'], keyof typeof LIMITS>> {
    const { tenant = {}, key = {} } = caller.allowed ?? {};
    const isCounted = [tenant, key].some((limits) => (limits.openJobs ?? limits.dailyCents ?? null) !== null);
    const used = isCounted ? await readLimitUsage(this.store.pool, caller) : { tenant: UNUSED, key: UNUSED };
    const ofKey = jobLimits(key, used.key);
    return {
      requestsPerMinute: tenant.requestsPerMinute ?? null,
      keyRequestsPerMinute: key.requestsPerMinute ?? null,
      ...jobLimits(tenant, used.tenant),
      keyOpenJobs: ofKey.openJobs,
      keyOpenJobsLeft: ofKey.openJobsLeft,
      keyWarningCents: ofKey.warningCents,
      keyDailyCents: ofKey.dailyCents,
      keyDailyCentsLeft: ofKey.dailyCentsLeft,
    };
  }
}

function jobLimits({ openJobs = null, warningCents = null, dailyCents = null }: Limits, used: LimitUsage) {
  return {
    openJobs,
    openJobsLeft: openJobs && Math.max(0, openJobs - used.openJobs),
    warningCents,
    dailyCents,
    dailyCentsLeft: dailyCents && Math.max(0, dailyCents - used.dailyCents),
  };
}
