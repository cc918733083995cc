import { randomBytes } from 'node:crypto';
import { PROVIDERS } from '@lib/domain/vocabulary';
import { holdings, type Holding } from '@lib/memory/holdings';
import { emptyStream, evolve, type StoredEvent, type Stream } from '@lib/store/history/aggregates';
import { Streams } from '@lib/store/history/streams';
import { newId } from '@lib/store/new-id';
import { Contents } from '@lib/store/sealing/contents';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { ThreadKeys } from '@lib/store/sealing/thread-keys';
import { livingBytes } from '../support/heap';
import { externalId, failure, historyOf, report, request, start } from '../support/job-history';
import { candidate, createJob, createTestStore, TENANT, type TestStore } from '../support/store';

/** So much more than it says may a cache take. */
const ALLOWED = 1.5;

let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());

function held(names: string[]): { bytes: number; maxBytes: number } {
  const found = holdings().filter(({ name }) => names.includes(name));
  return { bytes: sumOf(found, 'bytes'), maxBytes: sumOf(found, 'maxBytes') };
}
const sumOf = (found: Holding[], field: 'bytes' | 'maxBytes'): number => found.reduce((sum, holding) => sum + holding[field], 0);

/** An open job as it is loaded from the database: nothing of it is shared with another one. */
function openJob(steps: number, attempts: number): Stream {
  const candidates = PROVIDERS.slice(0, steps).map((provider) => candidate(provider));
  const again = ({ stepId }: { stepId: string }, number: number) => [
    start(stepId, newId('evt')),
    externalId(stepId, number, newId('evt')),
    report(stepId, number, failure({ runEnded: true, charge: { micros: 1, provenance: 'reported' } })),
  ];
  const tries = Array.from({ length: attempts }, (_, place) => candidates.flatMap((one) => again(one, place + 1))).flat();
  const events = JSON.stringify(historyOf(request({ candidates, tenantId: TENANT, threadId: newId('thr') }), ...tries));
  const at = new Date().toISOString();
  return (JSON.parse(events) as StoredEvent[]).reduce(
    (stream, event) => evolve(stream, event, at.slice(), Buffer.allocUnsafeSlow(32)),
    emptyStream(newId('job')),
  );
}

/** What is filled, so that it lives until it was weighed. */
const filledOnes: unknown[] = [];

/** @returns what a new cache takes that was filled to its bound, what it says of it, and that bound */
async function filled(names: string[], fill: () => Promise<unknown>): Promise<{ took: number; said: number; bound: number }> {
  filledOnes.length = 0;
  const [living, before] = [await livingBytes(), held(names)];
  filledOnes.push(await fill());
  const took = (await livingBytes()) - living;
  const after = held(names);
  return { took, said: after.bytes - before.bytes, bound: after.maxBytes - before.maxBytes };
}

async function expectBounded(names: string[], fill: () => Promise<unknown>): Promise<void> {
  const { took, said, bound } = await filled(names, fill);
  expect(said).toBeGreaterThan(0.9 * bound);
  expect(said).toBeLessThanOrEqual(bound);
  expect(took).toBeLessThan(ALLOWED * bound);
}

describe('what is remembered takes what it says, and its bound holds', () => {
  const { keys, ring } = { keys: () => new ThreadKeys(test.store.pool, ring), ring: new KeyRing([randomBytes(32)]) };

  it.each([
    ['short', '研', 100, 50_000],
    ['Latin', 'a', 10_000, 4_000],
    ['Chinese', '研究', 10_000, 1_500],
  ])('contents: %s', async (_, letters, length, written) => {
    await expectBounded(['contents'], async () => {
      const contents = new Contents(test.store.pool, keys());
      for (let version = 1; version <= written; version += 1) {
        const text = JSON.stringify({ query: `${version} ${letters.repeat(length)}` });
        // As it is when it is sealed.
        Buffer.from(text);
        contents.remember(`job_${version}`, version, text);
      }
      return contents;
    });
  });

  it('keys of threads', async () => {
    await expectBounded(['thread keys'], async () => {
      const filled = keys();
      for (let made = 0; made < 30_000; made += 1) filled.remember(newId('thr'), ring.create('').key);
      return filled;
    });
  });

  it.each([
    ['of one step', 1, 0, 20_000],
    ['of many steps that were tried again', 8, 2, 2_300],
  ])('states of jobs %s', async (_, steps, attempts, jobs) => {
    await expectBounded(['job states'], async () => {
      const streams = new Streams(
        test.store.pool,
        () => undefined,
        () => undefined,
      );
      for (let made = 0; made < jobs; made += 1) streams.remember(openJob(steps, attempts));
      return streams;
    });
  });
});

it('all that a process remembers of open jobs stays within its bounds, however many there are', async () => {
  const candidates = () => PROVIDERS.map((provider) => candidate(provider));
  const work = async () => {
    const store = test.another();
    for (let made = 0; made < 2_400; made += 20) {
      const query = () => `${made} ${'研究'.repeat(4_000)}`;
      const jobs = await Promise.all(Array.from({ length: 20 }, () => createJob(store, { query: query(), candidates: candidates() })));
      await Promise.all(jobs.map(({ threadId, jobId }) => store.views.getJob(TENANT, threadId, jobId)));
    }
    return store;
  };
  await expectBounded(['contents', 'job answers'], work);
  for (const { name, bytes, maxBytes } of holdings()) expect([name, bytes <= maxBytes]).toEqual([name, true]);
}, 300_000);

it('what nobody refers to any more is not told', async () => {
  const before = held(['contents']).maxBytes;
  filledOnes.push(new Contents(test.store.pool, new ThreadKeys(test.store.pool, new KeyRing([randomBytes(32)]))));
  expect(held(['contents']).maxBytes).toBeGreaterThan(before);
  filledOnes.length = 0;
  await livingBytes();
  expect(held(['contents']).maxBytes).toBe(before);
});
