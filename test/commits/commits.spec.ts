import { pino } from 'pino';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Store } from '@lib/store/store';
import { logCommits } from '../../src/commits/log-commits';
import { publishCommits } from '../../src/commits/publish-commits';
import { complete, failure, report, start, success } from '../support/job-history';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { addMessage, onJob } from '../support/streams';

let test: TestStore;
let store: Store;
beforeEach(async () => {
  test = await createTestStore();
  store = test.store;
});
afterEach(() => test.close());

it('whoever listens is told that a job has changed, by the version of its last event', async () => {
  const published: [subject: string, payload: unknown][] = [];
  const transport = createMemoryTransport();
  transport.publish = (subject, payload) => void published.push([subject, payload]);
  publishCommits(store, transport);
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
  await transport.close();
});

it('each event is a line in the log, without content', async () => {
  const logged: string[] = [];
  logCommits(store, pino({ level: 'trace' }, { write: (line) => void logged.push(line) }));
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
