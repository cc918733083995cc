import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Work } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import type { Store } from '@lib/store/store';
import { dispatchCommits, workOf } from '../../src/dispatch/dispatch';
import { failure, report, start, success } from '../support/job-history';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { onJob, passTime } from '../support/streams';

let test: TestStore;
let store: Store;
let transport: Transport;
let dispatched: Work[];
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
  dispatched = [];
  transport = createMemoryTransport();
  transport.dispatch = async (work) => {
    dispatched.push(work);
    return 'queued';
  };
  dispatchCommits(store, { transport });
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
    dispatchCommits(other, { transport, takers: [takes] });
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
