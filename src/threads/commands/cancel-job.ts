import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import type { Caller } from '../../access/caller';
import { requestedUnit } from '../requested-unit';
import { STORE } from '../../api/tokens';

/** Stops a job that is not final. Returns the job as it then is, including everything that was paid for. */
export class CancelJob extends Command<Buffer> {
  constructor(
    readonly caller: Caller,
    readonly threadId: string,
    readonly jobId: string,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(CancelJob)
export class CancelJobHandler implements ICommandHandler<CancelJob> {
  constructor(@Inject(STORE) private readonly store: Store) {}

  /** @returns the job as JSON, ready to be sent */
  async execute({ caller, threadId, jobId, request }: CancelJob): Promise<Buffer> {
    const { tenantId } = caller;
    const state = await this.store.jobs.load(jobId);
    const isItsOwn = state.tenantId === tenantId && state.threadId === threadId && !state.erased;
    if (!isItsOwn) throw new DomainError('job_not_found', `The job ${jobId} does not exist in the thread ${threadId}.`);
    const { meta, ...rest } = requestedUnit(caller, request, jobId);
    await this.store.jobs.execute(jobId, { type: 'CancelJob' }, meta, rest);
    const job = await this.store.views.getJob(tenantId, threadId, jobId);
    if (job === null) throw new DomainError('job_not_found', `The job ${jobId} was deleted with the thread ${threadId}.`);
    return job;
  }
}
