import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { JobPursuedView } from '@lib/store/views/job.view';
import type { Caller } from '../../access/caller';
import { sentProperties } from '../../api/body.pipe';
import type { PursueJobBody } from '../threads.dto';
import { jobStateIn } from '@lib/store/history/aggregates';
import { newId } from '@lib/store/new-id';
import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import { planJob, type PlanSettings } from '../plan';
import { requestedUnit } from '../requested-unit';
import { PLAN_SETTINGS, STORE } from '../../api/tokens';

/** Starts a job on a topic that follows on from another job of the thread, whatever that job's status. */
export class PursueJob extends Command<JobPursuedView> {
  constructor(
    readonly caller: Caller,
    readonly threadId: string,
    readonly parentJobId: string,
    readonly body: PursueJobBody,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(PursueJob)
export class PursueJobHandler implements ICommandHandler<PursueJob> {
  constructor(
    @Inject(STORE) private readonly store: Store,
    @Inject(PLAN_SETTINGS) private readonly settings: PlanSettings,
  ) {}

  async execute({ caller, threadId, parentJobId, body, request }: PursueJob): Promise<JobPursuedView> {
    const { tenantId } = caller;
    const { topic, budget, mode } = body;
    const jobId = newId('job');
    const plan = planJob(body, this.settings, sentProperties(body));
    const parent = { jobId: parentJobId, isOfThread: (await this.store.jobs.recall(parentJobId)).threadId === threadId };
    const { streams } = await this.store.execute({
      ...requestedUnit(caller, request, jobId),
      limits: caller.limits,
      commands: [
        { kind: 'thread', streamId: threadId, command: { type: 'AddJob', tenantId, jobId, parent } },
        { kind: 'job', streamId: jobId, command: { type: 'RequestJob', tenantId, threadId, parentJobId, query: topic, ...plan } },
      ],
    });
    const { createdAt } = jobStateIn(streams.get(jobId));
    return { id: jobId, threadId, parentJobId, topic, status: 'pending', budgetTier: budget, researchMode: mode, createdAt };
  }
}
