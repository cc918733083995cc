import type { Provider } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';

import { DomainError } from '@lib/domain/errors';
import { titleOf } from '@lib/domain/title';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { newId } from '@lib/store/new-id';
import type { EventView } from '@lib/store/views/event.view';
import type { JobTopicsView } from '@lib/store/views/topic.view';
import type { JobPursuedView, JobView } from '@lib/store/views/job.view';
import type { MessageAddedView, MessageView } from '@lib/store/views/message.view';
import type { JobPlace, JobRead } from '@lib/store/views/job-reads';
import type { EventPage, EventPlace } from '@lib/store/views/event-pages';
import type { FoundJob } from '@lib/store/views/job-places';
import { Reader, type ThreadRead, type ThreadsAsked, type ThreadsPage } from '@lib/store/views/reader';
import type { ThreadCreatedView, ThreadDeletedView, ThreadDetailView } from '@lib/store/views/thread.view';
import type { Caller } from '../../../src/access/caller';
import { createLogger } from '../../../src/api/logging';
import { JobChanges } from '../../../src/live/job-changes';
import { AddMessage } from '../../../src/threads/commands/add-message';
import { CreateThread } from '../../../src/threads/commands/create-thread';
import { DeleteThread } from '../../../src/threads/commands/delete-thread';
import { PursueJob } from '../../../src/threads/commands/pursue-job';
import { LogFollowers } from '../../../src/audit/log-followers';
import { KEEPS_LOG } from '../../../src/audit/tokens';
import { PLAN_SETTINGS, STORE } from '../../../src/api/tokens';
import { ADDRESS_RULES } from '../../../src/webhooks/address-rules';

/** Threads in memory behind the HTTP edge. It keeps what the edge handed over, so that tests can see it. */
export class InMemoryThreads extends Reader {
  readonly callers: Caller[] = [];
  readonly bodies: object[] = [];
  /** Thrown by every read and command while set. */
  failure: Error | null = null;

  private readonly threads = new Map<string, { tenantId: string; thread: ThreadDetailView; jobs: Map<string, JobView> }>();

  create({ caller, body }: CreateThread): ThreadCreatedView {
    this.record(caller, body);
    const createdAt = new Date().toISOString();
    const thread = { id: newId('thr'), title: titleOf(body.message), createdAt, updatedAt: createdAt, messages: [], jobs: [] };
    this.threads.set(thread.id, { tenantId: caller.tenantId, thread, jobs: new Map() });
    const { id, role, content } = this.addMessage(caller.tenantId, thread.id, body.message);
    const job = this.addJob(caller.tenantId, thread.id, body.message, body.budget);
    const { status, budgetTier, budgetCapCents } = job;
    const options = { researchMode: body.mode, spideringEnabled: body.spidering };
    return {
      id: thread.id,
      title: thread.title,
      message: { id, role, content },
      job: { id: job.id, status, budgetTier, budgetCapCents, ...options },
      createdAt,
    };
  }

  add({ caller, threadId, body }: AddMessage): MessageAddedView {
    this.record(caller, body);
    const { id, role, content, createdAt } = this.addMessage(caller.tenantId, threadId, body.message);
    return { id, threadId, role, content, createdAt };
  }

  pursue({ caller, threadId, parentJobId, body }: PursueJob): JobPursuedView {
    this.record(caller, body);
    if (!this.owned(caller.tenantId, threadId)?.jobs.has(parentJobId)) throw new DomainError('job_not_found');
    const { id, status, budgetTier, createdAt } = this.addJob(caller.tenantId, threadId, body.topic, body.budget);
    return { id, threadId, parentJobId, topic: body.topic, status, budgetTier, researchMode: body.mode, createdAt };
  }

  delete({ caller, threadId }: DeleteThread): ThreadDeletedView {
    this.failIfAsked();
    if (!this.owned(caller.tenantId, threadId)) throw new DomainError('thread_not_found');
    this.threads.delete(threadId);
    return { deleted: true };
  }

  async listThreads(tenantId: string, { limit, offset }: ThreadsAsked): Promise<ThreadsPage> {
    this.failIfAsked();
    const own = [...this.threads.values()].filter((entry) => entry.tenantId === tenantId).reverse();
    const threads = own
      .slice(offset, offset + limit)
      .map(({ thread: { id, title, createdAt, updatedAt } }) => ({ id, title, createdAt, updatedAt }));
    return { threads, threadsUnreadable: 0, next: null };
  }

  async readThread(tenantId: string, threadId: string): Promise<ThreadRead | null> {
    const thread = this.owned(tenantId, threadId)?.thread;
    return thread ? { tag: thread.updatedAt, next: null, pieces: inOnePiece(thread) } : null;
  }

  async readMessages(tenantId: string, threadId: string): Promise<ThreadRead | null> {
    const thread = this.owned(tenantId, threadId)?.thread;
    return thread ? { tag: thread.updatedAt, next: null, pieces: inOnePiece({ messages: thread.messages }) } : null;
  }

  async readJob({ tenantId, threadId, jobId }: JobPlace): Promise<JobRead | null> {
    const job = this.owned(tenantId, threadId)?.jobs.get(jobId);
    return job ? { version: 1, status: job.status, createdAt: new Date(job.createdAt), json: Buffer.from(JSON.stringify(job)) } : null;
  }

  async findJob(tenantId: string, jobId: string): Promise<FoundJob | null> {
    const { thread } = [...this.threads.values()].find((entry) => entry.tenantId === tenantId && entry.jobs.has(jobId)) ?? {};
    const job = thread && (await this.readJob({ tenantId, threadId: thread.id, jobId }));
    return job ? { ...job, threadId: thread.id } : null;
  }

  async readEventPage({ tenantId, threadId, jobId }: EventPlace): Promise<EventPage | null> {
    return this.owned(tenantId, threadId)?.jobs.has(jobId) ? { events: [], version: 1, isFinal: false } : null;
  }

  async listEvents(tenantId: string, threadId: string, jobId: string): Promise<EventView[] | null> {
    return this.owned(tenantId, threadId)?.jobs.has(jobId) ? [] : null;
  }

  async listTopics(tenantId: string, threadId: string, jobId: string): Promise<JobTopicsView | null> {
    const known = this.owned(tenantId, threadId)?.jobs.has(jobId);
    return known ? { jobId, explored: [], stopReason: null, suggested: [] } : null;
  }

  private record(caller: Caller, body: object): void {
    this.failIfAsked();
    this.callers.push(caller);
    this.bodies.push(body);
  }

  private owned(tenantId: string, threadId: string) {
    this.failIfAsked();
    const entry = this.threads.get(threadId);
    return entry?.tenantId === tenantId ? entry : undefined;
  }

  private failIfAsked(): void {
    if (this.failure) throw this.failure;
  }

  private addMessage(tenantId: string, threadId: string, content: string): MessageView {
    const entry = this.owned(tenantId, threadId);
    if (!entry) throw new DomainError('thread_not_found', `The thread ${threadId} does not exist.`);
    const message: MessageView = { id: newId('msg'), role: 'user', content, costCents: null, createdAt: new Date().toISOString() };
    entry.thread.messages.push(message);
    return message;
  }

  private addJob(tenantId: string, threadId: string, query: string, budgetTier: JobView['budgetTier']): JobView {
    const unfinished = {
      synthesisMarkdown: null,
      synthesisClaimsJson: null,
      totalCustomerCostCents: 0,
      durationSeconds: null,
      completedAt: null,
    };
    const identity = { id: newId('job'), threadId, status: 'pending' as const, budgetTier, budgetCapCents: 1500, query };
    const job: JobView = { ...identity, ...unfinished, createdAt: new Date().toISOString(), steps: [] };
    this.owned(tenantId, threadId)?.jobs.set(job.id, job);
    return job;
  }
}

async function* inOnePiece(answer: object): AsyncGenerator<string, void, undefined> {
  yield JSON.stringify(answer);
}

/** What `ApiModule` needs, over one `InMemoryThreads`; its handlers of commands take the place of the service's. */
export function providersOf(threads: InMemoryThreads): Provider[] {
  @CommandHandler(CreateThread)
  class CreateThreadHandler implements ICommandHandler<CreateThread> {
    execute = async (command: CreateThread) => threads.create(command);
  }
  @CommandHandler(AddMessage)
  class AddMessageHandler implements ICommandHandler<AddMessage> {
    execute = async (command: AddMessage) => threads.add(command);
  }
  @CommandHandler(PursueJob)
  class PursueJobHandler implements ICommandHandler<PursueJob> {
    execute = async (command: PursueJob) => threads.pursue(command);
  }
  @CommandHandler(DeleteThread)
  class DeleteThreadHandler implements ICommandHandler<DeleteThread> {
    execute = async (command: DeleteThread) => threads.delete(command);
  }
  const transport = createMemoryTransport();
  const changes = new JobChanges({ transport, findChanged: async () => [], findEnded: async () => [], logger: createLogger('silent') });
  return [
    { provide: Reader, useValue: threads },
    { provide: JobChanges, useValue: changes },
    { provide: LogFollowers, useValue: null },
    { provide: STORE, useValue: { now: () => new Date() } },
    { provide: KEEPS_LOG, useValue: false },
    { provide: PLAN_SETTINGS, useValue: null },
    { provide: ADDRESS_RULES, useValue: { loopback: false } },
    ...[CreateThreadHandler, AddMessageHandler, PursueJobHandler, DeleteThreadHandler],
  ];
}
