import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import type { CompleteJob } from '@lib/domain/job/commands';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { connectNats } from '@lib/messaging/nats-transport';
import type { Transport } from '@lib/messaging/transport';
import type { Turn } from '@lib/store/agenda/agenda-table';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import type { RunTask } from '../../src/reports/report-pool';
import { Synthesizer } from '../../src/synthesizer/synthesizer';
import { TenantTurns } from '../../src/synthesizer/tenant-turns';
import { Arrivals } from '../messaging/arrivals';
import { eventually } from '../messaging/eventually';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, PROCESS, type TestStore } from '../support/store';
import fc from '../support/properties';
import { jobState, onJob } from '../support/streams';

jest.setTimeout(120_000);

/** Syntheses that a process does at a time. */
const SLOTS = 16;

/** A synthesis that has begun and lasts until the test says otherwise. Its job's question begins with the tenant's name. */
interface Begun {
  tenantId: string;
  finish: () => void;
}

let test: TestStore;
let begun: Arrivals<Begun>;
let running: Begun[];
/** From now on a synthesis ends as it begins. */
let isOver: boolean;
/** How often the synthesis of each job was begun. */
let begins: Map<string, number>;
const transports: Transport[] = [];
const synthesizers: Synthesizer[] = [];
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());
beforeEach(begin);
afterEach(end);

function begin(): void {
  begun = new Arrivals<Begun>();
  running = [];
  isOver = false;
  begins = new Map();
}

async function end(): Promise<void> {
  await Promise.all(synthesizers.splice(0).map((synthesizer) => synthesizer.stop(0)));
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
}

const runTask = ((_task: string, { query }: { query: string }) => {
  const { promise, resolve } = Promise.withResolvers<CompleteJob>();
  begins.set(query, (begins.get(query) ?? 0) + 1);
  if (isOver) resolve(complete);
  begun.push({ tenantId: query.split(' ')[0] ?? '', finish: () => resolve(complete) });
  return promise;
}) as RunTask;

/** One in a process of its own, as far as store and transport can tell. */
async function startSynthesizer(transport: Transport, store: Store = test.another()): Promise<void> {
  if (!transports.includes(transport)) transports.push(transport);
  const tools = { store, transport, process: PROCESS, runTask, model: null, logger: pino({ level: 'silent' }), heartbeatMs: 10_000 };
  const synthesizer = new Synthesizer(tools);
  await synthesizer.start();
  synthesizers.push(synthesizer);
}

/** Jobs of these tenants whose syntheses are due. */
const dueJobs = (tenants: readonly string[]): Promise<string[]> =>
  Promise.all(
    tenants.map(async (tenantId, place) => {
      const query = `${tenantId} ${place}`;
      const { jobId, stepIds } = await createJob(test.store, { tenantId, query, candidates: [candidate('provider-a')] });
      for (const stepId of stepIds) await onJob(test.store, jobId, start(stepId), report(stepId, 1, success()));
      return jobId;
    }),
  );

async function wake(transport: Transport, jobIds: readonly string[]): Promise<void> {
  for (const jobId of jobIds) await transport.dispatch({ kind: 'synthesis', jobId, first: true });
}

/** The next synthesis that begins. */
async function next(): Promise<Begun> {
  const one = await begun.next();
  running.push(one);
  return one;
}

/** Ends a running synthesis, and says which one begins in its place. */
function nextAfter(place = 0): Promise<Begun> {
  running.splice(place % running.length, 1)[0]?.finish();
  return next();
}

async function finishAll(jobIds: readonly string[]): Promise<void> {
  while (begins.size < jobIds.length) await nextAfter();
  isOver = true;
  for (const { finish } of [...running, ...begun.unseen]) finish();
  const statuses = async () =>
    [...new Set(await Promise.all(jobIds.map(async (jobId) => (await jobState(test.store, jobId)).status)))].join();
  await eventually('completed', statuses);
}

const doubled = () => [...begins].filter(([, many]) => many > 1);

const times = (tenantId: string, many: number) => Array.from({ length: many }, () => tenantId);

const nats = () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  return () => connectNats({ url: process.env.TEST_NATS_URL ?? '', prefix, name: 'test', keepsStream: true });
};
const memory = () => {
  const transport = createMemoryTransport();
  return () => Promise.resolve(transport);
};

it.each([
  ['memory', memory, 1],
  ['NATS, in two processes', nats, 2],
])('a lone job waits for no backlog of other tenants: %s', async (_name, connecting, processes) => {
  const connect = connecting();
  const transport = await connect();
  // Of two, so that it is asked each time, and not only every few milliseconds.
  const backlog = await dueJobs([...times('tenant-long', 120), ...times('tenant-middle', 60)]);
  await wake(transport, backlog);
  for (let started = 0; started < processes; started += 1) await startSynthesizer(started === 0 ? transport : await connect());
  for (let slots = 0; slots < processes * SLOTS; slots += 1) await next();
  const lone: string[] = [];
  // Before and after the others, in the order of their names.
  for (const tenantId of ['tenant-a', 'tenant-z']) {
    const [jobId = ''] = await dueJobs([tenantId]);
    lone.push(jobId);
    await wake(transport, [jobId]);
    let ahead = 0;
    while ((await nextAfter()).tenantId !== tenantId) ahead += 1;
    expect(ahead).toBeLessThanOrEqual(3 * processes);
  }
  await finishAll([...backlog, ...lone]);
  expect(doubled()).toEqual([]);
});

it('while many wait, no tenant has two turns before each other that waits has had one, and each synthesis is begun once', async () => {
  const tenants = fc.array(fc.constantFrom('tenant-a', 'tenant-b', 'tenant-c', 'tenant-d'), { minLength: 60, maxLength: 80 });
  await fc.assert(
    fc
      .asyncProperty(tenants, fc.infiniteStream(fc.nat()), async (ofJobs, places) => {
        const transport = createMemoryTransport();
        const jobIds = await dueJobs(ofJobs);
        await wake(transport, jobIds);
        await startSynthesizer(transport);
        const left = new Map<string, number>();
        for (const tenantId of ofJobs) left.set(tenantId, (left.get(tenantId) ?? 0) + 1);
        const took = ({ tenantId }: Begun) => void left.set(tenantId, (left.get(tenantId) ?? 0) - 1);
        for (let slots = 0; slots < SLOTS; slots += 1) took(await next());
        const since = new Map<string, Set<string>>();
        // The last sixteen wake-ups, and those in hand, may come in any order.
        while (begins.size < jobIds.length - 2 * SLOTS) {
          const one = await nextAfter(places.next().value as number);
          const others = [...left].filter(([tenantId, many]) => tenantId !== one.tenantId && many > 0).map(([tenantId]) => tenantId);
          const before = since.get(one.tenantId);
          if (before) expect(others.filter((tenantId) => !before.has(tenantId))).toEqual([]);
          for (const seen of since.values()) seen.add(one.tenantId);
          since.set(one.tenantId, new Set());
          took(one);
        }
        await finishAll(jobIds);
        expect(doubled()).toEqual([]);
      })
      .beforeEach(begin)
      .afterEach(end),
    { numRuns: 8, endOnFailure: true },
  );
});

it('it is asked whose turn it is only where many wait, and where one tenant waits alone only after a while', async () => {
  let [now, asked, othersWait] = [0, 0, true];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  let answer = (jobId: string): Promise<Turn> => Promise.resolve({ jobId, tenantId: 'tenant-a', isFirst: true, othersWait });
  const takeTurn = (jobId: string) => {
    asked += 1;
    return answer(jobId);
  };
  const turns = new TenantTurns({ takeTurn });
  const delivery = { deliveries: 1, ack: () => undefined, retryAfter: () => undefined };
  const asks = async (behind?: number) => {
    const before = asked;
    await turns.next({ ...delivery, behind, work: { kind: 'synthesis', jobId: 'job_1', first: true } });
    return asked - before;
  };
  // What was taken without the queue goes by what the queue said last.
  expect([await asks(16), await asks(), await asks(17), await asks(), await asks(17)]).toEqual([0, 0, 1, 1, 1]);
  othersWait = false;
  expect([await asks(17), await asks(17)]).toEqual([1, 0]);
  now = 20;
  expect(await asks(17)).toBe(1);
  // A database that takes a second to fail is left alone for four.
  now = 40;
  answer = () => {
    now += 1_000;
    return Promise.reject(new StoreUnavailable(new Error('no answer')));
  };
  expect([await asks(17), await asks(17)]).toEqual([1, 0]);
  expect(await turns.next({ ...delivery, behind: 17, work: { kind: 'synthesis', jobId: 'job_1', first: true } })).toBe('own');
  now += 4_000;
  expect(await asks(17)).toBe(1);
  jest.restoreAllMocks();
});

it('beside a synthesizer of the release before, which knows no turns, every job is done', async () => {
  const connect = nats();
  const transport = await connect();
  const jobIds = await dueJobs([...times('tenant-long', 100), ...times('tenant-other', 10)]);
  await wake(transport, jobIds);
  const store = test.another();
  const agenda = Object.assign(Object.create(store.agenda) as Store['agenda'], {
    takeTurn: (jobId: string) => Promise.resolve({ jobId, tenantId: '', isFirst: true, othersWait: true }),
    keepTaken: () => Promise.resolve(),
  });
  await startSynthesizer(transport, { ...store, agenda });
  await startSynthesizer(await connect());
  await finishAll(jobIds);
  expect(begins.size).toBe(jobIds.length);
});
