import { Inject, Injectable } from '@nestjs/common';

import { DomainError } from '@lib/domain/errors';
import type { Store } from '@lib/store/store';
import type { JobPursuedView } from '@lib/store/views/job.view';
import type { MessageAddedView } from '@lib/store/views/message.view';
import type { ThreadCreatedView } from '@lib/store/views/thread.view';
import { STORE } from '../api/tokens';

/**
 * Repeats a request's first answer, rebuilt from the first events of the thread or job: a job is `pending` in it, whatever its status is now.
 * @throws DomainError if the thread was deleted meanwhile
 */
@Injectable()
export class FirstAnswers {
  constructor(@Inject(STORE) private readonly store: Store) {}

  async threadCreated(jobId: string): Promise<ThreadCreatedView> {
    const { threadId, budgetTier, budgetCapCents, researchMode, spideringEnabled } = await this.store.jobs.recall(jobId);
    const [title, message, { createdAt }] = await Promise.all([
      this.store.contents.ofThread(threadId).title(),
      this.store.views.messageFrom(threadId, 1),
      this.store.threads.load(threadId),
    ]);
    if (title === null || message === null) throw new DomainError('thread_not_found', `The thread ${threadId} was deleted.`);
    const { id, role, content } = message;
    const job = { id: jobId, status: 'pending' as const, budgetTier, budgetCapCents, researchMode, spideringEnabled };
    return { id: threadId, title, message: { id, role, content }, job, createdAt };
  }

  async messageAdded(threadId: string, version: number): Promise<MessageAddedView> {
    const message = await this.store.views.messageFrom(threadId, version);
    if (message === null) throw new DomainError('thread_not_found', `The thread ${threadId} was deleted.`);
    const { id, role, content, createdAt } = message;
    return { id, threadId, role, content, createdAt };
  }

  async jobPursued(jobId: string): Promise<JobPursuedView> {
    const { threadId, parentJobId, budgetTier, researchMode, createdAt } = await this.store.jobs.recall(jobId);
    const [topic, message] = await Promise.all([
      this.store.contents.ofJob(jobId, threadId).question(),
      this.store.views.messageFrom(threadId, 1),
    ]);
    // A deletion removes the first message at once, even if other data is still cached.
    if (topic === null || message === null || parentJobId === null) {
      throw new DomainError('thread_not_found', `The thread ${threadId} was deleted.`);
    }
    return { id: jobId, threadId, parentJobId, topic, status: 'pending', budgetTier, researchMode, createdAt };
  }
}
