import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { MAX_MESSAGE_CODE_POINTS, PROVIDERS } from '@lib/domain/vocabulary';
import { describeKey } from '@lib/store/access/describe-key';
import { readLimitUsage } from '@lib/store/limits/limit-usage';
import type { Store } from '@lib/store/store';
import type { MeView } from '@lib/store/views/account.view';
import type { Caller } from '../../access/caller';
import { BODY_LIMIT_BYTES } from '../../api/json-body';
import { Problem } from '../../api/problems';
import { MAX_LIMIT } from '../../threads/page';
import { STORE } from '../../threads/tokens';

const LIMITS = {
  bodyBytes: BODY_LIMIT_BYTES,
  messageCodePoints: MAX_MESSAGE_CODE_POINTS,
  pageEntries: MAX_LIMIT,
  providers: PROVIDERS.length,
};

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

  private async limitsOf({ tenantId, allowed }: GetMe['caller']): Promise<Omit<MeView['limits'], keyof typeof LIMITS>> {
    const { requestsPerMinute = null, openJobs = null, warningCents = null, dailyCents = null } = allowed?.tenant ?? {};
    const used =
      openJobs === null && dailyCents === null ? { openJobs: 0, dailyCents: 0 } : await readLimitUsage(this.store.pool, tenantId);
    return {
      requestsPerMinute,
      keyRequestsPerMinute: allowed?.key.requestsPerMinute ?? null,
      openJobs,
      openJobsLeft: openJobs && Math.max(0, openJobs - used.openJobs),
      warningCents,
      dailyCents,
      dailyCentsLeft: dailyCents && Math.max(0, dailyCents - used.dailyCents),
    };
  }
}
