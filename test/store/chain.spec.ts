import type { Store } from '@lib/store/store';
import { firstBadVersion } from '../support/chain';
import { complete, failure, report, start, success } from '../support/job-history';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { deleteThread, onJob } from '../support/streams';

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  // What somebody with all rights on the database could do.
  await store.pool.query('alter table event disable trigger user');
});
afterAll(() => test.close());

/** JobRequested, StepStarted, StepCompleted, StepStarted, StepFailed, SynthesisStarted, JobCompleted */
async function finishedJob(): Promise<{ threadId: string; jobId: string }> {
  const {
    threadId,
    jobId,
    stepIds: [one = '', two = ''],
  } = await createJob(store);
  await onJob(store, jobId, start(one), report(one, 1, success(5)));
  await onJob(store, jobId, start(two), report(two, 1, failure({ errorClass: 'auth' })), complete);
  return { threadId, jobId };
}

describe('the chain of a history', () => {
  it('is what the documented formula says, also when the content is erased', async () => {
    const { threadId, jobId } = await finishedJob();
    expect([await firstBadVersion(store.pool, threadId), await firstBadVersion(store.pool, jobId)]).toEqual([null, null]);
    await deleteThread(store, threadId);
    expect([await firstBadVersion(store.pool, threadId), await firstBadVersion(store.pool, jobId)]).toEqual([null, null]);
  });

  it.each<[string, string, number]>([
    ['a fact', `set facts = jsonb_set(facts, '{charge,micros}', '4') where version = 3`, 3],
    ['a fact that was added', `set facts = facts || '{"more": 1}' where version = 2`, 2],
    ['who did it', `set meta = jsonb_set(meta, '{actor}', '"key:another"') where version = 4`, 4],
    ['when it was', `set meta = jsonb_set(meta, '{occurredAt}', '"2020-01-01T00:00:00.000Z"') where version = 1`, 1],
    ['what it was', `set type = 'StepCompleted' where version = 5`, 5],
    ['the schema version', `set schema_version = schema_version + 1 where version = 6`, 6],
    ['the id', `set event_id = 'evt_another' where version = 7`, 7],
    ['sealed bytes', `set sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) where version = 1`, 1],
    ['sealed bytes with a digest that fits them', `set sealed = 'x', sealed_sha256 = sha256('x') where version = 3`, 3],
    ['a digest that was taken away', `set sealed_sha256 = null, sealed = null where version = 5`, 5],
    ['a hash', `set hash = set_byte(hash, 0, get_byte(hash, 0) # 1) where version = 2`, 2],
    ['what it is chained to', `set prev_hash = decode(repeat('00', 32), 'hex') where version = 4`, 4],
    ['the order of two events', `set version = case version when 3 then 104 else 103 end where version in (3, 4)`, 3],
  ])('shows that somebody changed %s', async (_, change, version) => {
    const { jobId } = await finishedJob();
    const { rowCount } = await store.pool.query(`update event ${change} and stream_id = $1`, [jobId]);
    expect(rowCount).toBeGreaterThan(0);
    await store.pool.query('update event set version = version - 100 where version > 100 and stream_id = $1', [jobId]);
    expect(await firstBadVersion(store.pool, jobId)).toBe(version);
  });

  it('shows that an event was taken out', async () => {
    const { jobId } = await finishedJob();
    await store.pool.query('delete from event where stream_id = $1 and version = 4', [jobId]);
    expect(await firstBadVersion(store.pool, jobId)).toBe(4);
  });

  it('shows that events of another job were put in', async () => {
    const [mine, theirs] = [await finishedJob(), await finishedJob()];
    await store.pool.query('delete from event where stream_id = $1 and version = 6', [mine.jobId]);
    await store.pool.query('update event set stream_id = $1 where stream_id = $2 and version = 6', [mine.jobId, theirs.jobId]);
    expect(await firstBadVersion(store.pool, mine.jobId)).toBe(6);
  });
});
