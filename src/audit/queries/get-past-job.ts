import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import type { Store } from '@lib/store/store';
import type { PastJobView } from '@lib/store/views/past-job.view';
import { STORE } from '../../api/tokens';
import { requireHistory } from '../require-history';
import { versionAt, type PastMoment } from '../past-moment';

/** A job of a tenant as it stood at a moment. */
export class GetPastJob extends Query<PastJobView> {
  constructor(
    readonly tenantId: string,
    readonly jobId: string,
    readonly moment: PastMoment,
  ) {
    super();
  }
}

@QueryHandler(GetPastJob)
export class GetPastJobHandler implements IQueryHandler<GetPastJob> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async execute({ tenantId, jobId, moment }: GetPastJob): Promise<PastJobView> {
    const { pastJobs, pool } = this.store;
    const history = await pastJobs.history(tenantId, jobId);
    if (history === null) await requireHistory(pool, jobId, tenantId);
    if (history === null) throw new DomainError('job_not_found', `The job ${jobId} does not exist.`);
    return pastJobs.view(jobId, history, versionAt(history, moment));
  }
}
