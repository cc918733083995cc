import { pino } from 'pino';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Work } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import type { Store } from '@lib/store/store';
import { dispatchCommits, workOf } from '../../src/dispatch/dispatch';
import { complete, failure, report, start, success } from '../support/job-history';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { addMessage, onJob, passTime } from '../support/streams';

let test: TestStore;
let store: Store;
let transport: Transport;
let dispatched: Work[];
let published: [subject: string, payload: unknown][];
let logged: string[];
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
  [dispatched, published, logged] = [[], [], []];
  transport = createMemoryTransport();
  transport.dispatch = async (work) => {
    dispatched.push(work);
    return 'queued';
  };
  transport.publish = (subject, payload) => void published.push([subject, payload]);
  dispatchCommits(store, { transport, logger: pino({ level: 'trace' }, { write: (line) => void logged.push(line) }) });
});
afterEach(async () => {
  await transport.close();
  await test.close();
});

describe('after a commit', () => {
  it('what is due at once is dispatched, with ids and nothing else', async () => {
    const {
      jobId,
      stepIds: [one, two],
    } = await createJob(store, { query: 'a secret question' });
    expect(dispatched).toEqual([
      { kind: 'step', provider: 'provider-a', jobId, stepId: one, resumes: false },
      { kind: 'step', provider: 'provider-c', jobId, stepId: two, resumes: false },
    ]);
    expect(JSON.stringify(dispatched)).not.toContain('secret');
  });

  it('what a role of this process takes at once is not dispatched as well', async () => {
    const offered: Work[] = [];
    const takes = (work: Work): boolean => offered.push(work) === 1;
    const other = test.another();
    dispatchCommits(other, { transport, logger: pino({ level: 'silent' }), takers: [takes] });
    const {
      jobId,
      stepIds: [one, two],
    } = await createJob(other);
    expect(offered).toMatchObject([
      { kind: 'step', jobId, stepId: one },
      { kind: 'step', jobId, stepId: two },
    ]);
    expect(dispatched).toMatchObject([{ kind: 'step', jobId, stepId: two }]);
  });

  it('a wave is dispatched when its turn has come', async () => {
    const {
      jobId,
      stepIds: [one = '', two = ''],
    } = await createJob(store, { researchMode: 'methodical' });
    expect(dispatched).toMatchObject([{ stepId: one }]);
    await onJob(store, jobId, start(one), report(one, 1, success()));
    expect(dispatched).toMatchObject([{ stepId: one }, { stepId: two }]);
  });

  it('a retry waits on the agenda, and a synthesis does not', async () => {
    const {
      jobId,
      stepIds: [one = '', two = ''],
    } = await createJob(store);
    dispatched.length = 0;
    await onJob(store, jobId, start(one), report(one, 1, failure({ retryAfterMs: 60_000 })));
    expect(dispatched).toEqual([]);
    await onJob(store, jobId, report(one, 1, success()), start(two), report(two, 1, success()));
    await passTime(store, 60_000);
    await onJob(store, jobId, start(one, 'c2'), report(one, 2, success()));
    expect(dispatched).toEqual([{ kind: 'synthesis', jobId, first: true }]);
  });

  it('whoever listens is told that a job has changed, by the version of its last event', async () => {
    const {
      threadId,
      jobId,
      stepIds: [one = '', two = ''],
    } = await createJob(store);
    await addMessage(store, threadId);
    await onJob(store, jobId, start(one));
    await onJob(store, jobId, report(one, 1, success()), start(two), report(two, 1, success()));
    await onJob(store, jobId, complete);
    const versions = published.map(([subject, payload]) => [subject, (payload as { version: number }).version]);
    expect(versions).toEqual([1, 2, 6, 7].map((version) => [`job.changed.${jobId}`, version]));
    expect(published.every(([, payload]) => (payload as { v: number }).v === 1)).toBe(true);
  });

  it('each event is a line in the log, without content', async () => {
    const {
      jobId,
      stepIds: [one = ''],
    } = await createJob(store, { query: 'a secret question' });
    await onJob(store, jobId, start(one), report(one, 1, failure({ errorClass: 'auth', errorMessage: 'a secret refusal' })));
    const lines = logged.map((line) => JSON.parse(line) as { reason: string; jobId?: string; failure?: string });
    expect(lines.map(({ reason }) => reason)).toEqual([
      ...['ThreadCreated', 'MessageAdded', 'JobAdded', 'JobRequested', 'StepStarted', 'StepFailed'],
    ]);
    expect(lines.at(-1)).toMatchObject({ jobId, stepId: one, attempt: 1, failure: 'auth', correlationId: 'test' });
    expect(logged.join()).not.toContain('secret');
  });

  it('nothing is dispatched for what was refused or came too late', async () => {
    const {
      jobId,
      stepIds: [one = ''],
    } = await createJob(store);
    dispatched.length = 0;
    await onJob(store, jobId, { type: 'CancelJob' });
    await onJob(store, jobId, start(one));
    await onJob(store, jobId, { type: 'CancelJob' });
    expect(dispatched).toEqual([]);
  });
});

describe('the work of an agenda entry', () => {
  const step = { jobId: 'job_1', stepId: 'stp_1', provider: 'provider-a' as const };
  const entry = { ...step, run: null };

  it.each(['dispatch step', 'retry'] as const)('of kind %s is the step', (kind) => {
    expect(workOf({ ...entry, kind })).toEqual({ kind: 'step', ...step, resumes: false });
    expect(workOf({ ...entry, kind, run: 1 })).toEqual({ kind: 'step', ...step, resumes: true });
    expect(workOf({ ...entry, kind, stepId: null })).toBeNull();
    expect(workOf({ ...entry, kind, provider: null })).toBeNull();
  });

  it('is the run to be cancelled', () => {
    expect(workOf({ ...step, kind: 'cancel run', run: 2 })).toEqual({ kind: 'cancel', ...step, run: 2 });
    expect(workOf({ ...entry, kind: 'cancel run' })).toBeNull();
  });

  it('is the synthesis, or none', () => {
    expect(workOf({ ...entry, kind: 'dispatch synthesis' })).toEqual({ kind: 'synthesis', jobId: 'job_1', first: false });
    for (const kind of ['lease', 'job deadline'] as const) expect(workOf({ ...entry, kind })).toBeNull();
  });
});
