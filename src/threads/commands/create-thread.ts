import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import type { Caller } from '../../access/caller';
import { sentProperties } from '../../api/body.pipe';
import type { CreateThreadBody } from '../threads.dto';
import { titleOf } from '@lib/domain/title';
import { threadStateIn } from '@lib/store/history/aggregates';
import { newId } from '@lib/store/new-id';
import type { IdempotentRequest } from '@lib/store/requests/idempotent-requests';
import type { Store } from '@lib/store/store';
import { killPoint } from '../../runtime/kill-point';
import { planJob, type PlanSettings } from '../plan';
import { requestedUnit } from '../requested-unit';
import { PLAN_SETTINGS, STORE } from '../../api/tokens';

/** Creates a thread with its first message and starts a research job on it. */
export class CreateThread extends Command<ThreadCreatedView> {
  constructor(
    readonly caller: Caller,
    readonly body: CreateThreadBody,
    readonly request: IdempotentRequest | null,
  ) {
    super();
  }
}

@CommandHandler(CreateThread)
export class CreateThreadHandler implements ICommandHandler<CreateThread> {
  constructor(
    @Inject(STORE) private readonly store: Store,
    @Inject(PLAN_SETTINGS) private readonly settings: PlanSettings,
  ) {}

  /** One transaction: the thread, its message and its job, or nothing. */
  async execute({ caller, body, request }: CreateThread): Promise<ThreadCreatedView> {
    const { tenantId } = caller;
    const { message, mode, budget, spidering } = body;
    const [threadId, messageId, jobId] = [newId('thr'), newId('msg'), newId('job')];
    const title = titleOf(message);
    const plan = planJob(body, this.settings, sentProperties(body));
    const { streams } = await this.store.execute({
      ...requestedUnit(caller, request, jobId),
      limits: caller.limits,
      commands: [
        { kind: 'thread', streamId: threadId, command: { type: 'CreateThread', tenantId, title } },
        { kind: 'thread', streamId: threadId, command: { type: 'AddMessage', tenantId, messageId, content: message } },
        { kind: 'thread', streamId: threadId, command: { type: 'AddJob', tenantId, jobId, parent: null } },
        {
          kind: 'job',
          streamId: jobId,
          command: { type: 'RequestJob', tenantId, threadId, messageId, parentJobId: null, query: message, ...plan },
        },
      ],
    });
    killPoint('create.after-commit');
    const { createdAt } = threadStateIn(streams.get(threadId));
    const { budgetCapCents } = plan;
    return {
      id: threadId,
      title,
      message: { id: messageId, role: 'user', content: message },
      job: { id: jobId, status: 'pending', budgetTier: budget, budgetCapCents, researchMode: mode, spideringEnabled: spidering },
      createdAt,
    };
  }
}
