import { pino } from 'pino';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { jobChangedSubject } from '@lib/messaging/subjects';
import type { FindChanged } from '@lib/store/views/job-changes';
import { JobChanges, type JobWaiter, type JobWatch } from '../../src/live/job-changes';
import { eventually } from '../messaging/eventually';

const transport = createMemoryTransport();
afterAll(() => transport.close());

const NOTHING: FindChanged = async () => [];
const open = (findChanged = NOTHING, revoked: string[] = []) =>
  new JobChanges({
    transport,
    findChanged,
    findEnded: async () => revoked.map((keyId) => [keyId, 'key_revoked'] as const),
    logger: pino({ level: 'silent' }),
  });

/** Has seen version 3 of the job; counts its looks. */
function waiterFor(changes: JobChanges, jobId: string, look: (watch: JobWatch) => Promise<void> | void = () => undefined) {
  const told: string[] = [];
  const waiter: JobWaiter = {
    tenantId: 'acme',
    jobId,
    keyId: `key of ${jobId}`,
    kind: 'long poll',
    look: async () => {
      told.push('look');
      if (watch) await look(watch);
    },
    end: (why) => void told.push(why),
  };
  const watch = changes.watch(waiter);
  if (!watch) throw new Error('there was no room');
  watch.version = 3;
  return { watch, told };
}
/** Whoever was told has been by then. */
const turn = async () => {
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
};
const tell = (jobId: string, payload: unknown) => transport.publish(jobChangedSubject(jobId), payload);

it('whoever waits is told of later versions of its job alone, and of what came while it looked', async () => {
  const changes = open();
  const mine = waiterFor(changes, 'job_1');
  const other = waiterFor(changes, 'job_2');
  await turn();
  tell('job_1', { v: 1, version: 4 });
  await turn();
  expect(mine.told).toEqual([]);
  mine.watch.rest();
  other.watch.rest();
  await eventually('look', async () => mine.told.join());
  mine.watch.version = 4;
  for (const version of [3, 4]) tell('job_1', { v: 1, version });
  await turn();
  expect(mine.told).toEqual(['look']);
  mine.watch.stop();
  tell('job_1', { v: 1, version: 5 });
  await turn();
  expect([mine.told, other.told]).toEqual([['look'], []]);
  await changes.stop();
});

it('a process that stops ends all who wait, also while those whose turn it is wait for a database that does not answer', async () => {
  const changes = open();
  const answered = Promise.withResolvers<void>();
  const all = Array.from({ length: 40 }, (_, place) => waiterFor(changes, `job_${place}`, () => answered.promise));
  for (const { watch } of all) watch.rest();
  await turn();
  for (const { waiter } of all.map(({ watch }) => watch)) tell(waiter.jobId, { v: 1, version: 4 });
  await eventually(8, async () => all.filter(({ told }) => told.length > 0).length);
  const stopped = changes.stop();
  await eventually(true, async () => all.every(({ told }) => told.includes('stopping'))).finally(answered.resolve);
  await stopped;
  expect(all.filter(({ told }) => told.includes('look'))).toHaveLength(8);
});

it('a job whose looks take long holds up no other, and what is heard of it meanwhile is told together', async () => {
  const changes = open();
  const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wait = () => {
    begun.resolve();
    return answered.promise;
  };
  const slow = Array.from({ length: 20 }, (_, place) => waiterFor(changes, 'job_1', place < 19 ? wait : undefined));
  const other = waiterFor(changes, 'job_2');
  for (const { watch } of [...slow, other]) watch.rest();
  await turn();
  for (let version = 4; version < 24; version += 1) {
    tell('job_1', { v: 1, version });
    if (version === 4) await begun.promise;
    await turn();
  }
  tell('job_2', { v: 1, version: 4 });
  await eventually('look', async () => other.told.join()).finally(answered.resolve);
  await eventually('look,look', async () => slow[19]?.told.join());
  for (let turns = 0; turns < 20; turns += 1) await turn();
  expect(slow[19]?.told).toEqual(['look', 'look']);
  await changes.stop();
});

it('of a job that is gone whoever waits is told, whatever else is heard of it meanwhile', async () => {
  const changes = open();
  const answered = Promise.withResolvers<void>();
  const { watch, told } = waiterFor(changes, 'job_1', () => answered.promise);
  const behind = waiterFor(changes, 'job_1');
  behind.watch.version = 9;
  for (const each of [watch, behind.watch]) each.rest();
  await turn();
  tell('job_1', { v: 1, version: 4 });
  await eventually('look', async () => told.join());
  tell('job_1', { v: 1, version: 5 });
  tell('job_1', { v: 1, version: null });
  tell('job_1', { v: 1, version: 6 });
  answered.resolve();
  await eventually('look', async () => behind.told.join());
  await changes.stop();
  expect(behind.told).toEqual(['look', 'stopping']);
});

it('whose key was revoked is ended though what has changed cannot be found', async () => {
  const changes = open(() => Promise.reject(new Error('the statement took too long')), ['key of job_1']);
  const revoked = waiterFor(changes, 'job_1');
  const other = waiterFor(changes, 'job_2');
  for (const { watch } of [revoked, other]) watch.rest();
  await eventually('key_revoked', async () => revoked.told.join());
  expect(other.told).toEqual([]);
  await changes.stop();
});

it('what cannot be read may be a change', async () => {
  const changes = open();
  const { watch, told } = waiterFor(changes, 'job_1');
  watch.rest();
  await turn();
  for (const payload of [null, {}, { v: 2 }, { version: 'x' }, 'x', []]) {
    tell('job_1', payload);
    await turn();
  }
  expect(told).toHaveLength(6);
  await changes.stop();
});

it('one look finds what nobody told, for all of them, and ends those whose key was revoked', async () => {
  const asked: unknown[] = [];
  const changes = open(
    async (seen) => {
      asked.push(seen.map(({ jobId, version }) => `${jobId} ${version}`));
      return [
        { jobId: 'job_1', version: 4 },
        { jobId: 'job_3', version: null },
      ];
    },
    ['key of job_2'],
  );
  const waiters = ['job_1', 'job_2', 'job_3', 'job_1'].map((jobId) => waiterFor(changes, jobId));
  for (const { watch } of waiters) watch.rest();
  await eventually('look;key_revoked;look;look', async () => waiters.map(({ told }) => told.join()).join(';'));
  expect(asked).toEqual([['job_1 3', 'job_2 3', 'job_3 3']]);
  await changes.stop();
  expect(waiters.map(({ told }) => told.at(-1))).toEqual(['stopping', 'key_revoked', 'stopping', 'stopping']);
});

it('a look that fails is none, and is not repeated at once', async () => {
  const changes = open();
  const { watch, told } = waiterFor(changes, 'job_1', () => Promise.reject(new Error('the database is gone')));
  watch.rest();
  await turn();
  tell('job_1', { v: 1, version: 4 });
  await turn();
  await turn();
  expect(told).toEqual(['look']);
  tell('job_1', { v: 1, version: 4 });
  await eventually('look,look', async () => told.join());
  await changes.stop();
});

it('what cannot be listened to at first is listened to with a later look', async () => {
  const asked = { times: 0 };
  const late = Object.create(transport) as typeof transport;
  late.connectedForMs = () => null;
  late.subscribe = async (...wanted) => {
    asked.times += 1;
    if (asked.times === 1) throw new Error('no broker');
    return transport.subscribe(...wanted);
  };
  const logger = pino({ level: 'silent' });
  const changes = new JobChanges({ transport: late, findChanged: NOTHING, findEnded: async () => [], logger });
  const { watch, told } = waiterFor(changes, 'job_1');
  watch.rest();
  await eventually(2, async () => asked.times);
  await turn();
  tell('job_1', { v: 1, version: 4 });
  await eventually('look', async () => told.join());
  await changes.stop();
  expect({ told, asked }).toEqual({ told: ['look', 'stopping'], asked: { times: 2 } });
});

it('after a stop nobody waits', async () => {
  const changes = open();
  await changes.stop();
  expect(
    changes.watch({
      tenantId: 'acme',
      jobId: 'job_1',
      keyId: 'k',
      kind: 'event stream',
      look: async () => undefined,
      end: () => undefined,
    }),
  ).toBeNull();
});

it('one tenant takes at most half of the places, with however many keys, and gives back what it leaves', async () => {
  const changes = open();
  const waiterOf = (tenantId: string, keyId: string) =>
    changes.watch({ tenantId, jobId: 'job_1', keyId, kind: 'long poll', look: async () => undefined, end: () => undefined });
  const places: JobWatch[] = [];
  const next = () => waiterOf('greedy', `key_${places.length % 3}`);
  for (let place = next(); place; place = next()) places.push(place);
  expect(places).toHaveLength(16_384);
  expect(waiterOf('other', 'key_9')).not.toBeNull();
  places[0]?.stop();
  places[0]?.stop();
  expect(waiterOf('greedy', 'key_9')).not.toBeNull();
  expect(waiterOf('greedy', 'key_9')).toBeNull();
  await changes.stop();
});
