import { pino } from 'pino';
import { SagaReplica } from '../../src/saga/replica';
import type { Serving } from '../../src/saga/saga-server';
import { Arrivals } from '../messaging/arrivals';

const PROBE_MS = 100;
const TRY_MS = 400;

let logged: unknown[];
let errors: unknown[];
/** What happens to the workers' requests: `taken`, `left`, `stopped`. */
let happened: Arrivals<string>;
let probes: Arrivals<{ withinMs: number; succeed: () => void; fail: (error: Error) => void }>;
let replica: SagaReplica;
/** Why requests cannot be taken. */
let refused: Error | null;
let now: number;
const realNow = performance.now.bind(performance);
beforeEach(async () => {
  now = 0;
  performance.now = () => now;
  logged = [];
  errors = [];
  happened = new Arrivals();
  probes = new Arrivals();
  refused = null;
  const serve = async (): Promise<Serving> => {
    if (refused) throw refused;
    happened.push('taken');
    return { leave: () => void happened.push('left'), stop: async () => void happened.push('stopped') };
  };
  const requireCommit = (withinMs: number) =>
    new Promise<void>((resolve, reject) => probes.push({ withinMs, succeed: resolve, fail: reject }));
  const write = (line: string): void => {
    const { reason, err } = JSON.parse(line) as { reason: string; err?: { message: string } };
    logged.push(reason);
    if (err) errors.push(err.message);
  };
  const logger = pino({ level: 'info' }, { write });
  replica = new SagaReplica({ serve, requireCommit, times: { probeMs: PROBE_MS, tryMs: TRY_MS }, logger });
  await replica.start();
  expect(await happened.next()).toBe('taken');
});
afterEach(async () => {
  performance.now = realNow;
  await replica.stop();
});

const isServing = () => {
  try {
    replica.requireServing();
    return true;
  } catch {
    return false;
  }
};

/** The process has lost its database, and has noticed. */
async function lose(): Promise<void> {
  replica.doubt();
  (await probes.next()).fail(new Error('away'));
  expect(await happened.next()).toBe('left');
}

it('leaves the requests as soon as a doubt is confirmed, and says why', async () => {
  await lose();
  expect(isServing()).toBe(false);
  expect(() => replica.requireServing()).toThrow('this process cannot commit (away), so it takes no requests of workers');
  expect(logged).toEqual(['requests_left']);
});

it('keeps them where the doubt is not confirmed', async () => {
  replica.doubt();
  const probe = await probes.next();
  expect(probe.withinMs).toBe(TRY_MS);
  probe.succeed();
  replica.doubt();
  await probes.next();
  expect([isServing(), happened.unseen, logged]).toEqual([true, [], []]);
});

it('leaves them where a probe takes longer than a try', async () => {
  replica.doubt();
  await probes.next();
  expect(await happened.next()).toBe('left');
  expect(isServing()).toBe(false);
  expect(errors).toEqual([`no commit within ${TRY_MS} ms`]);
});

it('looks after a doubt though it has just committed', async () => {
  replica.committed();
  replica.doubt();
  (await probes.next()).fail(new Error('away'));
  expect(await happened.next()).toBe('left');
});

it('takes them again by itself once it can commit, and leaves them only once', async () => {
  await lose();
  (await probes.next()).fail(new Error('away'));
  (await probes.next()).succeed();
  expect(await happened.next()).toBe('taken');
  await new Promise((next) => setImmediate(next));
  expect(happened.unseen).toEqual([]);
  expect([isServing(), logged]).toEqual([true, ['requests_left', 'requests_taken']]);
});

it('says why it cannot take them though it can commit again, once for each reason', async () => {
  await lose();
  refused = new Error('the transport is closed');
  for (let look = 0; look < 3; look += 1) (await probes.next()).succeed();
  const probe = await probes.next();
  expect(() => replica.requireServing()).toThrow(
    'this process cannot take requests (the transport is closed), so it takes no requests of workers',
  );
  expect(errors).toEqual(['away', 'the transport is closed']);
  refused = null;
  probe.succeed();
  expect(await happened.next()).toBe('taken');
  await new Promise((next) => setImmediate(next));
  expect([isServing(), logged]).toEqual([true, ['requests_left', 'requests_left', 'requests_taken']]);
});

it('asks nothing while it commits', async () => {
  replica.committed();
  await new Promise((next) => setTimeout(next, 3 * PROBE_MS));
  expect(probes.unseen).toEqual([]);
  now = PROBE_MS;
  await probes.next();
  expect(isServing()).toBe(true);
});

it('ends at once when it is told to, with what it has in hand answered, and takes nothing again', async () => {
  await lose();
  const probe = await probes.next();
  const stopped = replica.stop();
  probe.succeed();
  await stopped;
  expect(happened.unseen).toEqual([]);
});

it('stops serving when it is told to stop', async () => {
  await replica.stop();
  expect(await happened.next()).toBe('stopped');
});
