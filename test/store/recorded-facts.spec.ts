import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { KeyRing } from '@lib/store/sealing/key-ring';
import { eventPlace, unseal } from '@lib/store/sealing/seal';
import { complete, externalId, failure, lose, planTopics, report, start, success, told } from '../support/job-history';
import { candidate, createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';
import { addMessage, deleteThread, onJob, passTime } from '../support/streams';

let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());

interface Row {
  version: number;
  type: string;
  facts: Record<string, unknown>;
  meta: Record<string, unknown>;
  sealed: Buffer | null;
}
const eventsOf = async (streamId: string): Promise<Row[]> =>
  (
    await test.store.pool.query<Row>('select version, type, facts, meta, sealed from event where stream_id = $1 order by version', [
      streamId,
    ])
  ).rows;

/** Each event with the type of the one that it reacts to. */
const causes = (events: Row[]): [string, string | null][] =>
  events.map(({ type, facts }) => [type, events.find(({ version }) => version === facts.causeVersion)?.type ?? null]);

/** The digest as docs/audit.md describes it, from the master key and what lies in the database. */
async function threadKey(threadId: string): Promise<KeyObject> {
  const { rows } = await test.store.pool.query<{ kek_id: string; wrapped: Buffer }>('select * from thread_key where thread_id = $1', [
    threadId,
  ]);
  const [{ kek_id: kekId, wrapped }] = rows as [{ kek_id: string; wrapped: Buffer }];
  return new KeyRing([test.masterKey]).unwrap(threadId, kekId, wrapped);
}
function documentedDigest(key: KeyObject, name: string, text: string): string {
  const derived = Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), 'research-threads keyed digests', 32));
  return createHmac('sha256', derived)
    .update(Buffer.from(`${name}\n${text}`, 'utf8'))
    .digest('hex');
}

describe('every event', () => {
  it('says its tenant, the trace of the request behind it, and which event led to it', async () => {
    const { threadId, jobId, stepIds } = await createJob(test.store, { spideringEnabled: true });
    const [one = '', two = ''] = stepIds;
    await onJob(test.store, jobId, start(one), externalId(one, 1), lose(one, 1));
    await onJob(test.store, jobId, start(one, 'again'), report(one, 2, success()));
    await onJob(test.store, jobId, start(two), report(two, 1, failure()));
    await passTime(test.store, 60_000);
    const meta = { actor: 'role:saga', correlationId: 'another piece of work' };
    const ofNoRequest = (command: Parameters<typeof test.store.jobs.execute>[1]) => test.store.jobs.execute(jobId, command, meta);
    await ofNoRequest(start(two, 'once more'));
    await ofNoRequest(report(two, 2, success()));
    await ofNoRequest(planTopics(1, candidate('provider-a')));
    const events = await eventsOf(jobId);
    expect(causes(events)).toEqual([
      ['JobRequested', null],
      ['StepStarted', 'JobRequested'],
      ['StepExternalIdRecorded', 'StepStarted'],
      ['StepAttemptLost', 'StepStarted'],
      ['StepStarted', 'StepAttemptLost'],
      ['StepCompleted', 'StepStarted'],
      ['StepStarted', 'JobRequested'],
      ['StepFailed', 'StepStarted'],
      ['StepStarted', 'StepFailed'],
      ['StepCompleted', 'StepStarted'],
      ['ExploreStarted', 'StepCompleted'],
      ['TopicsPlanned', 'ExploreStarted'],
    ]);
    // Of two tries of the step it is the right one.
    expect(events.map(({ facts }) => facts.causeVersion)).toEqual([null, 1, 2, 2, 4, 5, 1, 7, 8, 9, 10, 11]);
    for (const { facts, meta: recorded } of [...events, ...(await eventsOf(threadId))]) {
      expect(facts).toMatchObject({ tenantId: TENANT, traceId: META.traceId });
      expect(Object.keys(recorded).sort()).toEqual(['actor', 'causationId', 'correlationId', 'occurredAt', 'traceparent']);
    }
  });

  it('of a synthesis leads back to the report that made it due, and a wave to the last step of the one before', async () => {
    const { jobId, stepIds } = await createJob(test.store, { researchMode: 'methodical' });
    const [one = '', two = ''] = stepIds;
    await onJob(test.store, jobId, start(one), report(one, 1, success()), start(two), report(two, 1, success()), complete);
    expect(causes(await eventsOf(jobId))).toEqual([
      ['JobRequested', null],
      ['StepStarted', 'JobRequested'],
      ['StepCompleted', 'StepStarted'],
      ['StepStarted', 'StepCompleted'],
      ['StepCompleted', 'StepStarted'],
      ['SynthesisStarted', 'StepCompleted'],
      ['JobCompleted', 'SynthesisStarted'],
    ]);
  });

  it('that a request asks for has that request’s trace, and none of its stream behind it', async () => {
    const { jobId } = await createJob(test.store);
    const traceId = 'b2'.repeat(16);
    await test.store.jobs.execute(jobId, { type: 'CancelJob' }, { actor: 'key:abc', correlationId: 'mine', traceId });
    const cancelled = (await eventsOf(jobId)).slice(1);
    expect(cancelled.map(({ facts }) => facts.traceId)).toEqual(cancelled.map(() => traceId));
    expect(cancelled.map(({ facts }) => facts.causeVersion)).toEqual([null, 2, 2]);
  });

  it('with content has a keyed digest of it, which anybody with the thread’s key can make again', async () => {
    const { threadId, jobId, stepIds } = await createJob(test.store, { query: 'Wie hoch? 🦜', candidates: [candidate('provider-a')] });
    const [one = ''] = stepIds;
    await addMessage(test.store, threadId, 'Wie hoch? 🦜');
    await onJob(test.store, jobId, start(one), externalId(one, 1), report(one, 1, told(success())), complete);
    const key = await threadKey(threadId);
    const digests: unknown[] = [];
    for (const streamId of [threadId, jobId]) {
      for (const { version, type, facts, sealed } of await eventsOf(streamId)) {
        const place = eventPlace(streamId, version, type);
        expect([type, facts.contentDigest]).toEqual([
          type,
          sealed === null ? undefined : documentedDigest(key, `content ${place}`, unseal(key, place, sealed)),
        ]);
        digests.push(...(sealed === null ? [] : [facts.contentDigest]));
      }
    }
    // Two messages of the same words do not show it.
    expect(new Set(digests).size).toBe(7);
    const facts = Object.fromEntries((await eventsOf(jobId)).map((event) => [event.type, event.facts]));
    expect(facts.StepExternalIdRecorded?.externalIdDigest).toBe(documentedDigest(key, 'external id', 'run-1'));
    expect(facts.StepCompleted).toMatchObject({
      rawDigest: documentedDigest(key, 'raw response', 'ab'.repeat(32)),
      call: {
        sentDigest: documentedDigest(key, 'sent', 'cd'.repeat(32)),
        requestIdDigest: documentedDigest(key, 'request id', 'req-1'),
        status: 200,
      },
    });
  });
});

it('what comes after an erasure has no digests any more', async () => {
  const { threadId, jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a')] });
  const [one = ''] = stepIds;
  await onJob(test.store, jobId, start(one));
  await deleteThread(test.store, threadId);
  await onJob(test.store, jobId, report(one, 1, told(success(7))));
  const late = (await eventsOf(jobId)).at(-1);
  expect(late).toMatchObject({ type: 'StepResultLate', facts: { call: { sentDigest: null, requestIdDigest: null, status: 200 } } });
  expect(late?.facts.charge).toMatchObject({
    micros: 7,
    usage: { outputTokens: 200 },
  });
});

it('a process that remembers a job records the same as one that loads it', async () => {
  const { jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a')] });
  const [one = ''] = stepIds;
  const meta = { actor: 'role:saga', correlationId: 'mine' };
  await test.store.jobs.execute(jobId, start(one), meta);
  await test.another().jobs.execute(jobId, report(one, 1, failure({ errorClass: 'auth' })), meta);
  for (const { facts } of await eventsOf(jobId)) expect(facts).toMatchObject({ traceId: META.traceId, tenantId: TENANT });
});
