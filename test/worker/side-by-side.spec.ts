import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { connectNats } from '@lib/messaging/nats-transport';
import { HEARTBEAT_TO_ALL, SAGA_SUBJECTS } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import { announcementPayload, WORKER_LIMITS_SUBJECT } from '@lib/messaging/worker-limits';
import { leaseTimes } from '@lib/settings/lease-times';
import { Capacity } from '../../src/dispatch/capacity';
import { Saga } from '../../src/saga/saga';
import type { SagaPort } from '../../src/saga/saga-port';
import { serveSaga } from '../../src/saga/saga-server';
import { announceLimits } from '../../src/worker/announcements';
import { claim, type Claimed } from '../../src/worker/claim';
import { createSagaClient } from '../../src/worker/saga-client';
import { eventually } from '../messaging/eventually';
import { success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { createJob, createTestStore, PROCESS, type TestStore } from '../support/store';
import { eventTypes } from '../support/streams';

/** The release before: it serves and hears the subjects that all providers share, and knows no secrets of claims. */
const BEFORE: readonly string[] = [...Object.values(SAGA_SUBJECTS), HEARTBEAT_TO_ALL, WORKER_LIMITS_SUBJECT];
const TIMES = leaseTimes({ LEASE_MS: 30_000, HEARTBEAT_MS: 10_000 });
const logger = pino({ level: 'silent' });
const NOTHING = { stop: async () => undefined };

let test: TestStore;
const transports: Transport[] = [];
beforeAll(async () => {
  test = await createTestStore();
});
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
});
afterAll(() => test.close());

async function transportsOf(count: number): Promise<Transport[]> {
  const prefix = `side-${randomBytes(6).toString('hex')}`;
  const open = () => connectNats({ url: process.env.TEST_NATS_URL ?? '', prefix, name: 'test' });
  const opened = await Promise.all(Array.from({ length: count }, open));
  transports.push(...opened);
  return opened;
}

function asBefore(transport: Transport): Transport {
  const unheard = Promise.resolve(NOTHING);
  const served: Transport['serve'] = (subject, handle, asked) =>
    BEFORE.includes(subject) ? transport.serve(subject, handle, asked) : unheard;
  const subscribe: Transport['subscribe'] = (subject, handle) =>
    BEFORE.includes(subject) ? transport.subscribe(subject, handle) : unheard;
  return Object.assign(Object.create(transport) as Transport, { serve: served, subscribe });
}

const serve = (transport: Transport) => serveSaga({ transport, saga: new Saga(test.store, TIMES.leaseMs, runHere), logger });

/** What a worker of the release before says. */
const sayingAsBefore = (saga: SagaPort): SagaPort => {
  const told = <Request extends object>(request: Request): Request => ({ ...request, provider: undefined, claimSecret: undefined });
  return {
    claim: (request, until) => saga.claim({ ...told(request), claimId: 'a random claim', process: undefined }, until),
    recordExternalId: (request, until) => saga.recordExternalId(told(request), until),
    heartbeat: (request, until) => saga.heartbeat(told(request), until),
    report: (request, until) => saga.report(told(request), until),
    abandonedRun: (request, until) => saga.abandonedRun(told(request), until),
    runCancelled: (request, until) => saga.runCancelled(told(request), until),
  };
};

/** An attempt from its claim to its report; the saga may change in the middle. */
async function attempt(saga: SagaPort, meanwhile: () => Promise<unknown> = async () => undefined): Promise<string[]> {
  const { jobId, stepIds } = await createJob(test.store);
  const ids = { jobId, stepId: stepIds[0] ?? '', provider: 'provider-a' } as const;
  const { claimSecret, ...granted } = (await claim(ids, {
    saga,
    logger,
    process: PROCESS,
    withinMs: 15_000,
    unwanted: () => undefined,
  })) as Claimed;
  expect(granted).toMatchObject({ granted: true, attempt: 1 });
  await meanwhile();
  const own = { ...ids, attempt: 1, claimSecret };
  expect(await saga.heartbeat(own)).toEqual({ goOn: true });
  await saga.recordExternalId({ ...own, externalId: 'run-1' });
  await saga.report({ ...own, result: success() });
  expect(await saga.abandonedRun({ ...ids, run: 1 })).toEqual({ externalId: null });
  lastJobId = jobId;
  return eventTypes(test.store, jobId);
}
let lastJobId = '';
const processOf = async () =>
  (
    await test.store.pool.query<{ process: unknown }>(
      `select facts -> 'process' as process from event where stream_id = $1 and type = 'StepStarted'`,
      [lastJobId],
    )
  ).rows;

const WHOLE = ['JobRequested', 'StepStarted', 'StepExternalIdRecorded', 'StepCompleted'];

it('an older worker works beside a newer saga', async () => {
  const [here, there] = (await transportsOf(2)) as [Transport, Transport];
  await serve(here);
  expect(await attempt(sayingAsBefore(createSagaClient(there, TIMES)))).toEqual(WHOLE);
  expect(await processOf()).toEqual([{ process: null }]);
});

it('a newer worker works beside an older saga', async () => {
  const [here, there] = (await transportsOf(2)) as [Transport, Transport];
  await serve(asBefore(here));
  expect(await attempt(createSagaClient(there, TIMES))).toEqual(WHOLE);
  expect(await processOf()).toEqual([{ process: PROCESS }]);
});

it.each([
  ['older', 'newer', asBefore, (transport: Transport) => transport],
  ['newer', 'older', (transport: Transport) => transport, asBefore],
])('an attempt that an %s saga granted goes on with a %s one', async (_, __, first, second) => {
  const [here, later, there] = (await transportsOf(3)) as [Transport, Transport, Transport];
  const granting = await serve(first(here));
  const change = async () => {
    await granting.stop();
    await serve(second(later));
  };
  expect(await attempt(createSagaClient(there, TIMES), change)).toEqual(WHOLE);
});

it('workers of both releases are counted; an older saga takes newer ones for one worker of the usual size', async () => {
  const [here, there] = (await transportsOf(2)) as [Transport, Transport];
  const [older, newer] = [new Capacity(), new Capacity()];
  await Promise.all([older.listen(asBefore(here)), newer.listen(here)]);
  const limits = new Map(PROVIDERS.map((provider) => [provider, { slots: 4, requestsPerMinute: null }]));
  const announcing = announceLimits(there, PROCESS, limits);
  there.publish(WORKER_LIMITS_SUBJECT, announcementPayload({ worker: 'of the release before', limits }));
  const sizes = async () => [older, newer].map((capacity) => capacity.windowOf('provider-b').size).join();
  await eventually('2,4', sizes);
  announcing.stop();
  await eventually('2,2', sizes);
  expect([new Capacity(), older].map((capacity) => capacity.windowOf('provider-c').size)).toEqual([32, 2]);
});
