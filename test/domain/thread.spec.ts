import type { DomainError } from '@lib/domain/errors';
import {
  decideThread,
  evolveThread,
  initialThread,
  MAX_THREAD,
  type AddJob,
  type ThreadCommand,
  type ThreadEvent,
  type ThreadState,
} from '@lib/domain/thread';
import { AT, specificationOf } from '../support/decider';

const created: ThreadEvent = { type: 'ThreadCreated', facts: { tenantId: 'acme' }, content: { title: 'Why?' } };
const jobAdded = (jobId: string): ThreadEvent => ({ type: 'JobAdded', facts: { jobId, parentJobId: null } });
const deleted: ThreadEvent = { type: 'ThreadDeleted', facts: { jobCount: 0 } };
const decideHere = (command: ThreadCommand, state: ThreadState) => decideThread(command, state, 'thr_1');
const given = (...history: ThreadEvent[]) =>
  specificationOf<ThreadCommand, ThreadEvent, ThreadState>({ initial: initialThread, decide: decideHere, evolve: evolveThread })(
    ...history,
  );

const addMessage: ThreadCommand = { type: 'AddMessage', tenantId: 'acme', messageId: 'msg_1', content: 'And 😀?' };
const addJob = (parent: AddJob['parent'] = null): ThreadCommand => ({ type: 'AddJob', tenantId: 'acme', jobId: 'job_2', parent });
const deleteIt: ThreadCommand = { type: 'DeleteThread', tenantId: 'acme' };

describe('a thread', () => {
  it('is created once', () => {
    given().when({ type: 'CreateThread', tenantId: 'acme', title: 'Why?' }).then(created);
    given(created).when({ type: 'CreateThread', tenantId: 'acme', title: 'Another?' }).thenNothing();
    given(created, deleted).when({ type: 'CreateThread', tenantId: 'acme', title: 'Again?' }).thenNothing();
  });

  it('takes messages, and says of each how long it is in code points', () => {
    given(created)
      .when(addMessage)
      .then({ type: 'MessageAdded', facts: { messageId: 'msg_1', role: 'user', codePoints: 6 }, content: { content: 'And 😀?' } });
  });

  it('takes as many messages and jobs as it may have, whichever of the other kind it has', () => {
    const { messages, jobs } = MAX_THREAD;
    const stateWith = (messageCount: number, jobCount: number): ThreadState => {
      const at = { createdAt: AT, updatedAt: AT };
      return { ...initialThread, ...at, tenantId: 'acme', version: 1 + messageCount + jobCount, jobCount };
    };
    const codeOf = (command: ThreadCommand, state: ThreadState) => {
      try {
        return decideHere(command, state)[0]?.type;
      } catch (error) {
        return (error as DomainError).code;
      }
    };
    for (const others of [1, 9_999, jobs]) {
      expect(codeOf(addMessage, stateWith(messages - 1, others))).toBe('MessageAdded');
      expect(codeOf(addMessage, stateWith(messages, others))).toBe('thread_full');
    }
    for (const others of [1, messages]) {
      expect(codeOf(addJob(), stateWith(others, jobs - 1))).toBe('JobAdded');
      expect(codeOf(addJob(), stateWith(others, jobs))).toBe('thread_full');
      expect(codeOf(deleteIt, stateWith(others, jobs))).toBe('ThreadDeleted');
    }
    expect([messages, jobs]).toEqual([100_000, 10_000]);
  });

  it('that is full says of what, and what to do', () => {
    const stateWith = (version: number, jobCount: number) => ({ ...initialThread, tenantId: 'acme', version, jobCount });
    const full = (holds: string) => `The thread has ${holds}, as many as a thread may have: begin another one.`;
    expect(() => decideHere(addMessage, stateWith(100_001, 0))).toThrow(full('100000 messages'));
    expect(() => decideHere(addJob(), stateWith(10_001, 10_000))).toThrow(full('10000 jobs'));
  });

  it('is deleted only if nothing happened to it since, where that is asked', () => {
    const deleteAt = (ifVersion: number): ThreadCommand => ({ type: 'DeleteThread', tenantId: 'acme', ifVersion });
    const used = given(created, jobAdded('job_1'));
    used.when(deleteAt(2)).thenTypes('ThreadDeleted');
    used.when(deleteAt(1)).thenThrows('conflict');
    expect(() => used.when(deleteAt(1)).events()).toThrow('The thread was used meanwhile, so it is not deleted.');
  });

  it('takes jobs that follow on from its own jobs only', () => {
    given(created).when(addJob()).thenTypes('JobAdded');
    given(created, jobAdded('job_1'))
      .when(addJob({ jobId: 'job_1', isOfThread: true }))
      .then({ type: 'JobAdded', facts: { jobId: 'job_2', parentJobId: 'job_1' } });
    given(created, jobAdded('job_1'))
      .when(addJob({ jobId: 'job_9', isOfThread: false }))
      .thenThrows('job_not_found');
  });

  it.each([addMessage, addJob(), deleteIt])('is not found before it exists, for another tenant, and after its deletion: %o', (command) => {
    given().when(command).thenThrows('thread_not_found');
    given(created)
      .when({ ...command, tenantId: 'globex' })
      .thenThrows('thread_not_found');
    given(created, deleted).when(command).thenThrows('thread_not_found');
    expect(given(created, deleted).when(command).events).toThrow('The thread thr_1 does not exist.');
  });

  it('is deleted with however many jobs it has', () => {
    const history = [created, jobAdded('job_1'), jobAdded('job_2')];
    given(...history)
      .when(deleteIt)
      .then({ type: 'ThreadDeleted', facts: { jobCount: 2 } });
  });

  it('moves with its messages and jobs, and keeps the time of its creation', () => {
    const later = '2026-11-21T11:00:00.000Z';
    const { state } = given(created);
    expect(state).toMatchObject({ createdAt: AT, updatedAt: AT, tenantId: 'acme', version: 1 });
    expect(evolveThread(state, jobAdded('job_1'), later)).toMatchObject({ createdAt: AT, updatedAt: later, jobCount: 1, version: 2 });
    const message: ThreadEvent = { type: 'MessageAdded', facts: { messageId: 'msg_1', role: 'user', codePoints: 1 } };
    expect(evolveThread(state, message, later)).toMatchObject({ createdAt: AT, updatedAt: later });
  });

  it('does not guess at an event of a newer build', () => {
    expect(() => evolveThread(initialThread, { type: 'ThreadPainted' } as never, AT)).toThrow(
      'unknown thread event {"type":"ThreadPainted"}: this version is older than the history it reads',
    );
  });
});
