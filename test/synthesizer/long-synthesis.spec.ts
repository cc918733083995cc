import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import type { CompleteJob } from '@lib/domain/job/commands';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { connectNats } from '@lib/messaging/nats-transport';
import type { Transport } from '@lib/messaging/transport';
import type { RunTask } from '../../src/reports/report-pool';
import { Synthesizer } from '../../src/synthesizer/synthesizer';
import { eventually } from '../messaging/eventually';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, PROCESS, type TestStore } from '../support/store';
import { jobState, onJob } from '../support/streams';

const ACK_WAIT_MS = 1_000;

let test: TestStore;
const transports: Transport[] = [];
const synthesizers: Synthesizer[] = [];
/** Syntheses that were begun, by any process; each lasts until the test says otherwise. */
let begun: number;
let end: () => void;
let runTask: RunTask;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());
beforeEach(() => {
  begun = 0;
  const { promise, resolve } = Promise.withResolvers<CompleteJob>();
  end = () => resolve(complete);
  runTask = (() => {
    begun += 1;
    return promise;
  }) as RunTask;
});
afterEach(async () => {
  await Promise.all(synthesizers.splice(0).map((synthesizer) => synthesizer.stop(0)));
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
});

/** One in a process of its own, as far as store and transport can tell. */
async function startSynthesizer(transport: Transport, heartbeatMs = 10_000): Promise<Synthesizer> {
  transports.push(transport);
  const logger = pino({ level: 'silent' });
  const tools = { store: test.another(), transport, process: PROCESS, runTask, model: null, logger, heartbeatMs };
  const synthesizer = new Synthesizer(tools);
  await synthesizer.start();
  synthesizers.push(synthesizer);
  return synthesizer;
}

async function reportedJob(): Promise<string> {
  const { jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a')] });
  for (const stepId of stepIds) await onJob(test.store, jobId, start(stepId), report(stepId, 1, success()));
  return jobId;
}

const statusOf = async (jobId: string) => (await jobState(test.store, jobId)).status;
const rowOf = async (jobId: string) => {
  const text = `select tries, extract(epoch from look_at - clock_timestamp())::float8 as "lookInS" from agenda where job_id = $1 and kind = 'dispatch synthesis'`;
  return (await test.store.pool.query<{ tries: number; lookInS: number }>(text, [jobId])).rows[0];
};

it('a synthesis that takes longer than its wake-up waits is made by one process, and no further try is counted', async () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const connection = { url: process.env.TEST_NATS_URL ?? '', prefix, name: 'test', ackWaitMs: ACK_WAIT_MS, keepsStream: true };
  for (let processes = 1; processes <= 3; processes += 1) await startSynthesizer(await connectNats(connection));
  const jobId = await reportedJob();
  await transports[0]?.dispatch({ kind: 'synthesis', jobId, first: true });
  await eventually(1, () => Promise.resolve(begun));
  await sleep(ACK_WAIT_MS * 3);
  expect([begun, (await rowOf(jobId))?.tries]).toEqual([1, 0]);
  end();
  await eventually('completed', () => statusOf(jobId));
});

it('a synthesis that this process made due keeps others from being woken for it while it lasts', async () => {
  const synthesizer = await startSynthesizer(createMemoryTransport());
  const jobId = await reportedJob();
  await test.store.agenda.lookAgain({ jobId, kind: 'dispatch synthesis', ref: '' }, 3_500);
  expect(synthesizer.take({ kind: 'synthesis', jobId, first: true })).toBe(true);
  await eventually(true, async () => ((await rowOf(jobId))?.lookInS ?? 0) > 5);
  end();
  await eventually('completed', () => statusOf(jobId));
  expect(begun).toBe(1);
});

it('a synthesis whose job was cancelled is left with the next heartbeat, so that others have its place', async () => {
  const transport = createMemoryTransport();
  await startSynthesizer(transport, 5);
  const jobId = await reportedJob();
  await transport.dispatch({ kind: 'synthesis', jobId, first: true });
  await eventually(1, () => Promise.resolve(begun));
  await onJob(test.store, jobId, { type: 'CancelJob' });
  const held = async () => (await transport.backlog()).map(({ pending, unacknowledged }) => pending + unacknowledged).join();
  await eventually('0', held);
  expect(begun).toBe(1);
});
