import { DomainError } from '@lib/domain/errors';
import type { JobCommand } from '@lib/domain/job/commands';
import type { JobState } from '@lib/domain/job/state';
import type { Outcome } from '@lib/store/commit/unit';
import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import type { MessageListView, MessageView } from '@lib/store/views/message.view';
import type { Reader, ThreadRead } from '@lib/store/views/reader';
import type { ThreadDetailView } from '@lib/store/views/thread.view';
import { candidate, DEADLINES, META, TENANT } from './store';

/** The commands on one job, all or none. */
export const onJob = (store: Store, jobId: string, ...commands: JobCommand[]): Promise<Outcome> =>
  store.execute({ meta: META, commands: commands.map((command) => ({ kind: 'job', streamId: jobId, command })) });

export const addMessage = (store: Store, threadId: string, content = 'And then?'): Promise<Outcome> =>
  store.execute({
    meta: META,
    commands: [{ kind: 'thread', streamId: threadId, command: { type: 'AddMessage', tenantId: TENANT, messageId: newId('msg'), content } }],
  });

/** A job that follows on from another, as the route starts it. */
export async function pursue(store: Store, threadId: string, parentJobId: string, query = 'What follows?'): Promise<string> {
  const jobId = newId('job');
  const parent = { jobId: parentJobId, isOfThread: (await store.jobs.recall(parentJobId)).threadId === threadId };
  const request: JobCommand = {
    type: 'RequestJob',
    tenantId: TENANT,
    threadId,
    parentJobId,
    query,
    budgetTier: 'S',
    budgetCapCents: 500,
    researchMode: 'fast',
    spideringEnabled: false,
    markupBasisPoints: 0,
    synthesisReserveMicros: 0,
    deadlines: DEADLINES,
    candidates: [candidate('provider-a')],
  };
  await store.execute({
    meta: META,
    commands: [
      { kind: 'thread', streamId: threadId, command: { type: 'AddJob', tenantId: TENANT, jobId, parent } },
      { kind: 'job', streamId: jobId, command: request },
    ],
  });
  return jobId;
}

/** A thread and its messages as the routes answer them; null if there is none, or it is deleted meanwhile. */
export const readThread = (views: Reader, threadId: string): Promise<ThreadDetailView | null> =>
  whole(views.readThread(TENANT, threadId, { page: null, knownTag: undefined }));

export const readMessages = async (views: Reader, threadId: string): Promise<MessageView[] | null> =>
  (await whole<MessageListView>(views.readMessages(TENANT, threadId, { page: null, knownTag: undefined })))?.messages ?? null;

async function whole<View>(reading: Promise<ThreadRead | null>): Promise<View | null> {
  const { pieces } = (await reading) ?? {};
  if (!pieces) return null;
  let text = '';
  for await (const piece of pieces) text += piece;
  return JSON.parse(text) as View;
}

/** Ends a lease as a sweeper does: only if it has run out. */
export const loseAttempt = (store: Store, jobId: string, stepId: string, attempt: number): Promise<Outcome> =>
  store.execute({
    meta: META,
    endedLease: { jobId, kind: 'lease', ref: `${stepId}#${attempt}` },
    commands: [{ kind: 'job', streamId: jobId, command: { type: 'LoseAttempt', stepId, attempt } }],
  });

/** Deletes the thread as the route does, and waits until nothing is left of it. */
export async function deleteThread(store: Store, threadId: string): Promise<void> {
  await store.threads.delete(threadId, TENANT, META);
  await store.erasure.erase(threadId);
}

/** The job as it is stored, folded anew. */
export const jobState = (store: Store, jobId: string): Promise<JobState> => store.jobs.load(jobId);

export async function eventTypes(store: Store, streamId: string): Promise<string[]> {
  const { rows } = await store.pool.query<{ type: string }>('select type from event where stream_id = $1 order by version', [streamId]);
  return rows.map(({ type }) => type);
}

/** How the promise was rejected: the domain's code, or the error's name. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'nothing was refused';
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    return error instanceof Error ? error.name : String(error);
  }
}

/** Lets the time pass that the agenda's rows and the providers' gates wait for, on the database's clock. */
export async function passTime(store: Store, milliseconds: number): Promise<void> {
  await store.pool.query(
    `update agenda set due_at = due_at - $1::int4 * interval '1 millisecond', look_at = look_at - $1::int4 * interval '1 millisecond'`,
    [milliseconds],
  );
  await passGateTime(store, milliseconds);
}

/** The same for the providers' gates alone. */
export const passGateTime = (store: Store, milliseconds: number): Promise<unknown> =>
  store.pool.query(
    `update provider_gate set held_from = held_from - $1::int4 * interval '1 millisecond', admitted_at = admitted_at - $1::int4 * interval '1 millisecond'`,
    [milliseconds],
  );
