import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { holdings } from '@lib/memory/holdings';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { envelope, type Answer, type AnswerPart, type Envelope } from '@lib/messaging/saga-messages';
import { HEARTBEAT_TO_ALL, SAGA_SUBJECTS, WIRE_VERSION, type SagaCall } from '@lib/messaging/subjects';
import { RequestFailed, type RequestHandler, type Transport } from '@lib/messaging/transport';
import { leaseTimes } from '@lib/settings/lease-times';
import { newId } from '@lib/store/new-id';
import type { Store } from '@lib/store/store';
import { Saga } from '../../src/saga/saga';
import { serveSaga, type Serving } from '../../src/saga/saga-server';
import { createSagaClient } from '../../src/worker/saga-client';
import { eventually } from '../messaging/eventually';
import { faulty } from '../support/faulty-saga';
import { CALL, externalId, lose, start, success, USAGE } from '../support/job-history';
import { runHere } from '../support/run-task';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { eventTypes, jobState, onJob } from '../support/streams';
import { HOLD } from '../support/hold';

const TIMES = leaseTimes({ LEASE_MS: 30_000, HEARTBEAT_MS: 10_000 });

let test: TestStore;
let store: Store;
let transport: Transport;
let logged: string[];
/** A job whose only step runs. */
let ids: { jobId: string; stepId: string };
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  logged = [];
  transport = createMemoryTransport();
  const logger = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  await serveSaga({ transport, saga: new Saga(store, 30_000, runHere), logger });
  const {
    jobId,
    stepIds: [stepId = ''],
  } = await createJob(store);
  ids = { jobId, stepId };
  await ask('claim', { ...ids, claimId: 'mine' });
});
afterAll(async () => {
  await transport.close();
  await test.close();
});

/** Sends what may be no request at all. */
const send = (call: SagaCall, payload: unknown) => transport.request(SAGA_SUBJECTS[call], payload, 5_000);

async function ask(call: SagaCall, item: unknown): Promise<Answer<object>> {
  const { items } = (await send(call, envelope([item]))) as Envelope<Answer<object>>;
  expect(items).toHaveLength(1);
  return items[0] as Answer<object>;
}

it('serves no subject where one of them cannot be served, so that none is served twice after the next try', async () => {
  const served = createMemoryTransport();
  const refusing = Object.create(served, {
    serve: {
      value: (subject: string, ...how: [RequestHandler, ('one' | 'every')?]) =>
        subject === HEARTBEAT_TO_ALL ? Promise.reject(new Error('not permitted')) : served.serve(subject, ...how),
    },
  }) as Transport;
  const tools = { transport: refusing, saga: new Saga(store, 30_000, runHere), logger: pino({ level: 'silent' }) };
  await expect(serveSaga(tools)).rejects.toThrow('not permitted');
  for (const call of CALLS)
    await expect(served.request(SAGA_SUBJECTS[call], envelope([]), 5_000)).rejects.toMatchObject({ reason: 'no_responders' });
  await served.close();
});

const CALLS = Object.keys(SAGA_SUBJECTS) as SagaCall[];
const everyCall = <Payload>(payloads: Payload[]) => CALLS.flatMap((call) => payloads.map((payload) => [call, payload] as const));

/** A well-formed item of each call. */
const item = (call: SagaCall): Record<string, unknown> =>
  ({
    claim: { ...ids, claimId: 'another' },
    recordExternalId: { ...ids, attempt: 1, externalId: 'run-1' },
    heartbeat: { ...ids, attempt: 1 },
    report: { ...ids, attempt: 1, result: success() },
    abandonedRun: { ...ids, run: 1 },
    runCancelled: { ...ids, run: 1 },
  })[call];

async function expectNothingChanged(): Promise<void> {
  expect(await eventTypes(store, ids.jobId)).toEqual(['JobRequested', 'StepStarted']);
}

describe('a message that is no batch of this version', () => {
  const payloads = [
    null,
    7,
    'text',
    [],
    {},
    { v: WIRE_VERSION },
    { v: WIRE_VERSION, items: {} },
    { v: 99, items: [] },
    { v: '1', items: [] },
    { items: [] },
    { v: WIRE_VERSION, items: [], withinMs: 5 },
    { v: WIRE_VERSION, items: [], withinMs: [5] },
    { v: WIRE_VERSION, items: [{}], withinMs: [] },
    { v: WIRE_VERSION, items: [{}], withinMs: [-1] },
    { v: WIRE_VERSION, items: [{}], withinMs: [1.5] },
    { v: WIRE_VERSION, items: [{}], withinMs: ['5'] },
    { v: WIRE_VERSION, items: [{}], withinMs: [2 ** 31] },
    { v: WIRE_VERSION, items: [{}], withinMs: { 0: 5, length: 1 } },
  ];

  it.each(everyCall(payloads))('is rejected: %s %j', async (call, payload) => {
    await expect(send(call, payload)).rejects.toThrow(RequestFailed);
    await expectNothingChanged();
  });

  it('is rejected whole, with no line of the log for each item, if it has more of them than any worker sends', async () => {
    const before = logged.length;
    await expect(send('claim', envelope(Array.from({ length: 100_000 }, () => 0)))).rejects.toThrow('100000 items are more than 10000');
    expect(logged.length - before).toBeLessThan(10);
    await expectNothingChanged();
  });

  it('says which release is missing', async () => {
    await expect(send('claim', { v: 99, items: [] })).rejects.toThrow('version 99 is not 1: run the same release everywhere');
  });
});

describe('an item that is no request', () => {
  const UNKNOWN = [null, 7, 'text', [], {}, [[]]];
  const IDS = [
    '',
    'job_',
    'thr_01jabcdefghijkmnpqrstvwxyz',
    '*',
    'job_1.>',
    `job_${'z'.repeat(26)}`,
    'x'.repeat(100_000),
    7,
    null,
    {},
    '\ud800',
    '\0',
  ];
  const ATTEMPTS = [-1, 1.5, Number.NaN, Infinity, 2 ** 31, 2 ** 60, '1', null, undefined, {}];

  it.each(everyCall(UNKNOWN))('is refused for ever: %s %j', async (call, unknown) => {
    expect(await ask(call, unknown)).toMatchObject({ retryable: false });
    await expectNothingChanged();
  });

  it.each(everyCall(IDS))('is refused for its ids: %s %j', async (call, id) => {
    for (const name of ['jobId', 'stepId']) {
      const answer = await ask(call, { ...item(call), [name]: id });
      expect(answer).toMatchObject({ error: expect.stringContaining(name) as string, retryable: false });
      expect(JSON.stringify(answer).length).toBeLessThan(300);
    }
    await expectNothingChanged();
  });

  it.each((['recordExternalId', 'heartbeat', 'report'] as const).flatMap((call) => ATTEMPTS.map((attempt) => [call, attempt] as const)))(
    'is refused for its attempt: %s %j',
    async (call, attempt) => {
      expect(await ask(call, { ...item(call), attempt })).toMatchObject({
        error: expect.stringContaining('attempt') as string,
        retryable: false,
      });
      await expectNothingChanged();
    },
  );

  it.each<[SagaCall, string, unknown[]]>([
    ['claim', 'claimId', [7, null, undefined, 'x'.repeat(101), 'a\0b', '\ud800']],
    ['recordExternalId', 'externalId', [7, null, undefined, 'x'.repeat(1001), 'a\0b', '\udc00']],
  ])('is refused for its texts: %s %s', async (call, name, texts) => {
    for (const text of texts) {
      const answer = await ask(call, { ...item(call), [name]: text });
      expect(answer).toMatchObject({ error: expect.stringContaining(name) as string, retryable: false });
    }
    await expectNothingChanged();
  });

  it.each([7, null, [], {}, { instance: 'a b', build: '1' }, { instance: 'a', build: '' }, { instance: 'x'.repeat(101), build: '1' }])(
    'is refused for who asks: %j',
    async (process) => {
      const named = expect.stringMatching(/process|instance|build/) as string;
      expect(await ask('claim', { ...(item('claim') as object), process })).toMatchObject({ error: named, retryable: false });
      await expectNothingChanged();
    },
  );

  const completed = success();
  const failed = { outcome: 'failed', errorClass: 'auth', errorMessage: 'No.', charge: null, retryAfterMs: null, runEnded: true };
  const citation = {
    index: 1,
    url: 'https://example.org',
    title: null,
    snippet: null,
    startIndex: null,
    endIndex: null,
    publishedAt: null,
    domain: null,
  };
  const charged = (charge: unknown) => [{ ...completed, charge }, 'charge'] as const;
  it.each<readonly [unknown, string]>([
    [null, 'result'],
    [[], 'result'],
    [{}, 'charge'],
    [{ ...failed, errorClass: 'unheard of' }, 'errorClass'],
    [{ ...failed, errorMessage: 'x'.repeat(10_001) }, 'errorMessage'],
    [{ ...failed, errorMessage: '\ud800' }, 'errorMessage'],
    [{ ...failed, retryAfterMs: -1 }, 'retryAfterMs'],
    [{ ...failed, retryAfterMs: Infinity }, 'retryAfterMs'],
    charged(null),
    charged([]),
    [{ ...completed, charge: { micros: Number.NaN, provenance: 'reported' } }, 'micros'],
    [{ ...completed, charge: { micros: -1, provenance: 'reported' } }, 'micros'],
    [{ ...completed, charge: { micros: 1e13, provenance: 'reported' } }, 'micros'],
    [{ ...completed, charge: { micros: 0.5, provenance: 'reported' } }, 'micros'],
    [{ ...completed, charge: { micros: '5', provenance: 'reported' } }, 'micros'],
    [{ ...completed, charge: { micros: 5, provenance: 'hoped' } }, 'provenance'],
    [{ ...completed, charge: { micros: 5, provenance: 'computed', usage: [] } }, 'usage'],
    [{ ...completed, charge: { micros: 5, provenance: 'computed', usage: { ...USAGE, searches: -1 } } }, 'searches'],
    [{ ...completed, charge: { micros: 5, provenance: 'computed', usage: { ...USAGE, inputTokens: 'many' } } }, 'inputTokens'],
    [{ ...completed, charge: { micros: 5, provenance: 'computed', pricesSha256: 'cheap' } }, 'pricesSha256'],
    [{ ...completed, call: 'a call' }, 'call'],
    [{ ...completed, call: { ...CALL, sentSha256: 'what was sent' } }, 'sentSha256'],
    [{ ...completed, call: { ...CALL, requestId: 'r'.repeat(201) } }, 'requestId'],
    [{ ...failed, call: { ...CALL, status: 1_000 } }, 'status'],
    [{ ...completed, rawSha256: 'short' }, 'rawSha256'],
    [{ ...completed, model: 'm'.repeat(201) }, 'model'],
    [{ ...completed, reportMarkdown: 7 }, 'reportMarkdown'],
    [{ ...completed, reportMarkdown: 'a\0b' }, 'reportMarkdown'],
    [{ ...completed, reportMarkdown: '\ud83d' }, 'reportMarkdown'],
    [{ ...completed, citations: {} }, 'citations'],
    [{ ...completed, citations: [null] }, 'citation'],
    [{ ...completed, citations: [{ ...citation, index: -1 }] }, 'index'],
    [{ ...completed, citations: [{ ...citation, url: null }] }, 'url'],
    [{ ...completed, citations: [{ ...citation, snippet: '\0' }] }, 'snippet'],
    [{ ...completed, citations: [{ ...citation, endIndex: 1e400 }] }, 'endIndex'],
  ])('is refused for its result: %j names %s', async (result, name) => {
    expect(await ask('report', { ...item('report'), result })).toMatchObject({
      error: expect.stringContaining(name) as string,
      retryable: false,
    });
    await expectNothingChanged();
  });

  it('says nothing of what was in it beyond a few characters', async () => {
    const secret = 'secret '.repeat(50);
    await ask('report', { ...item('report'), result: { ...failed, errorClass: secret, errorMessage: secret } });
    await ask('claim', { ...ids, jobId: secret, claimId: secret });
    expect(logged.filter((line) => line.includes(secret))).toEqual([]);
    expect(logged.filter((line) => line.includes('malformed_message')).length).toBeGreaterThan(1);
  });
});

it('a job that a newer build wrote to is left to a saga of that build, which is no failure of this one', async () => {
  const {
    jobId,
    stepIds: [stepId],
  } = await createJob(store);
  await store.pool.query(
    `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
      select stream_id, version + 1, 'evt_newer_' || stream_id, 'StepDreamt', 1, '{}', meta, hash, hash from event where stream_id = $1`,
    [jobId],
  );
  const before = logged.length;
  expect(await ask('claim', { jobId, stepId, claimId: 'mine' })).toEqual({ error: 'unavailable', retryable: true });
  const lines = logged.slice(before).join('');
  expect(lines).toContain('"reason":"newer_history"');
  expect(lines).not.toContain('saga_call_failed');
});

describe('an item that fits nothing here', () => {
  const STEP_CALLS = ['claim', 'recordExternalId', 'report'] as const;
  it.each(STEP_CALLS)('is refused for ever: %s', async (call) => {
    expect(await ask(call, { ...item(call), jobId: newId('job') })).toEqual({ error: 'job_not_found', retryable: false });
    expect(await ask(call, { ...item(call), stepId: newId('stp') })).toEqual({ error: 'step_not_found', retryable: false });
    if (call !== 'claim') expect(await ask(call, { ...item(call), attempt: 9 })).toEqual({ error: 'attempt_not_found', retryable: false });
    await expectNothingChanged();
  });

  it('is refused for ever where it tells of a run that does not exist, and answered with none where it asks for one', async () => {
    expect(await ask('runCancelled', { ...item('runCancelled'), jobId: newId('job') })).toEqual({
      error: 'job_not_found',
      retryable: false,
    });
    expect(await ask('runCancelled', { ...item('runCancelled'), run: 9 })).toEqual({ error: 'attempt_not_found', retryable: false });
    expect(await ask('abandonedRun', { ...item('abandonedRun'), jobId: newId('job') })).toEqual({ reply: { externalId: null } });
    await expectNothingChanged();
  });

  it('is told to stop: heartbeat', async () => {
    expect(await ask('heartbeat', { ...item('heartbeat'), jobId: newId('job') })).toEqual({ reply: { goOn: false, run: 'cancel' } });
    expect(await ask('heartbeat', { ...item('heartbeat'), attempt: 0 })).toEqual({ reply: { goOn: false, run: 'leave' } });
  });

  it('is neither told to go on nor to stop while somebody holds its row, and others of its message are: heartbeat', async () => {
    const {
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store);
    await ask('claim', { jobId, stepId, claimId: 'mine' });
    const holder = await test.another().pool.connect();
    await holder.query(HOLD);
    await holder.query(`select 1 from agenda where job_id = $1 and kind = 'lease' for update`, [jobId]);
    const beat = { jobId, stepId, attempt: 1 };
    const { items } = (await send('heartbeat', envelope([beat, item('heartbeat')]))) as Envelope<object>;
    expect(items).toEqual([{ error: 'locked', retryable: true }, { reply: { goOn: true } }]);
    await holder.query('commit');
    holder.release();
    expect(await ask('heartbeat', beat)).toEqual({ reply: { goOn: true } });
  });

  it('does not keep the others of its message from theirs', async () => {
    const items = [null, item('heartbeat'), {}, { ...item('heartbeat'), attempt: Number.NaN }, item('heartbeat')];
    const answers = ((await send('heartbeat', envelope(items))) as Envelope<object>).items;
    expect(answers).toMatchObject([
      { retryable: false },
      { reply: { goOn: true } },
      { retryable: false },
      { retryable: false },
      { reply: { goOn: true } },
    ]);
    expect((await send('heartbeat', envelope([]))) as object).toEqual(envelope([]));
  });
});

describe('a claim that nobody waits for any more', () => {
  const timed = async (items: object[], withinMs: number[]): Promise<Answer<object>[]> => {
    const { answers } = (await send('claim', envelope(items, withinMs))) as AnswerPart<object>;
    return answers.map(([, answer]) => answer);
  };

  it('is not decided when its turn comes; the same claim gets its grant once somebody waits for it', async () => {
    const { jobId, stepIds } = await createJob(store);
    const claim = { jobId, stepId: stepIds[0] ?? '', claimId: 'mine' };
    const blocker = await store.pool.connect();
    await blocker.query(HOLD);
    await blocker.query('select from job where id = $1 for update', [jobId]);
    const answer = timed([claim], [600]);
    await sleep(1_000);
    await blocker.query('commit');
    blocker.release();
    expect(await answer).toMatchObject([{ retryable: true }]);
    // Whatever waited for the row would have it by the time another unit of the same job is through.
    await onJob(store, jobId, { type: 'StartStep', stepId: stepIds[1] ?? '', claimId: 'another' });
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted']);
    expect(await timed([claim], [5_000])).toMatchObject([{ reply: { granted: true, attempt: 1 } }]);
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested', 'StepStarted', 'StepStarted']);
  });

  it('is not even begun if its time is over already', async () => {
    const { jobId, stepIds } = await createJob(store);
    expect(await timed([{ jobId, stepId: stepIds[0] ?? '', claimId: 'mine' }], [0])).toEqual([{ error: 'too_late', retryable: true }]);
    expect(await eventTypes(store, jobId)).toEqual(['JobRequested']);
  });
});

describe('a saga that decides nothing', () => {
  const report = { ...success(), reportMarkdown: 'x'.repeat(4_400_000) };
  let serving: Serving;
  let own: Transport;
  let undecided: PromiseWithResolvers<never>;
  beforeEach(async () => {
    own = createMemoryTransport();
    undecided = Promise.withResolvers();
    const saga = faulty(() => ({ report: () => undecided.promise }))(new Saga(store, 30_000, runHere));
    serving = await serveSaga({ transport: own, saga, logger: pino({ level: 'silent' }) });
  });
  afterEach(async () => {
    undecided.reject(new Error('at last'));
    await own.close();
  });

  const reports = async (count: number): Promise<Answer<object>[]> => {
    const items = Array.from({ length: count }, () => ({ ...ids, attempt: 1, result: report }));
    const answers: Answer<object>[] = [];
    const hear = (part: unknown) => answers.push(...(part as AnswerPart<object>).answers.map(([, answer]) => answer));
    hear(await own.request(SAGA_SUBJECTS.report, envelope(items, Array<number>(count).fill(60_000)), 60_000, hear));
    return answers;
  };

  it('refuses at once what is more than it may hold, and tells the others to ask another saga when it leaves', async () => {
    const answered = reports(8);
    expect(await reports(1)).toEqual([{ error: 'overloaded', retryable: true }]);
    // As many as would not fit any more either.
    const beats = Array.from({ length: 6_000 }, () => ({ ...ids, attempt: 1 }));
    const { items } = (await own.request(SAGA_SUBJECTS.heartbeat, envelope(beats), 60_000)) as Envelope<object>;
    expect(new Set(items.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"reply":{"goOn":true}}']));
    const held = holdings().find(({ name, items }) => name === 'requests of workers' && items === 5);
    expect(held?.bytes).toBeLessThanOrEqual(held?.maxBytes ?? 0);
    serving.leave();
    const unavailable = { error: 'unavailable', retryable: true };
    const overloaded = { error: 'overloaded', retryable: true };
    expect(await answered).toEqual([overloaded, overloaded, overloaded, ...Array.from({ length: 5 }, () => unavailable)]);
    await expect(reports(1)).rejects.toThrow('nobody serves it');
  });
});

it('a claim that is asked again while a slow database decides it is decided once, for all who ask', async () => {
  const own = createMemoryTransport();
  const slow = Promise.withResolvers<void>();
  let decided = 0;
  const later = faulty((saga) => ({
    claim: async (request, until) => {
      decided += 1;
      await slow.promise;
      return saga.claim(request, until);
    },
  }));
  await serveSaga({ transport: own, saga: later(new Saga(store, 30_000, runHere)), logger: pino({ level: 'silent' }) });
  const { jobId, stepIds } = await createJob(store);
  const claim = { jobId, stepId: stepIds[0] ?? '', claimId: 'mine' };
  const ask = (items: object[]) => own.request(SAGA_SUBJECTS.claim, envelope(items), 60_000) as Promise<Envelope<object>>;
  const answers = [ask([claim]), ask([claim, { ...claim, claimId: 'another' }])];
  await eventually(2, async () => decided);
  slow.resolve();
  const [first, again] = await Promise.all(answers);
  expect(first?.items).toMatchObject([{ reply: { granted: true, attempt: 1 } }]);
  expect(again?.items).toEqual([...(first?.items ?? []), { reply: { granted: false, reason: 'claimed_by_another' } }]);
  // What was decided by then is asked of the history, as ever.
  expect((await ask([claim])).items).toMatchObject([{ reply: { granted: true, attempt: 1 } }]);
  expect(decided).toBe(3);
});

describe('answers that are larger together than a message may be', () => {
  it('reach every worker all the same', async () => {
    const small = createMemoryTransport();
    const limit = 100_000;
    small.maxPayloadBytes = () => limit;
    const request = small.request.bind(small);
    const sizes: number[] = [];
    small.request = async (subject, payload, timeoutMs, hear) => {
      const measured = (answer: unknown) => {
        sizes.push(Buffer.byteLength(JSON.stringify(answer)));
        return answer;
      };
      return measured(await request(subject, payload, timeoutMs, (part) => hear?.(measured(part))));
    };
    await serveSaga({ transport: small, saga: new Saga(store, 30_000, runHere), logger: pino({ level: 'silent' }) });
    const client = createSagaClient(small, TIMES);
    const jobs = await Promise.all(Array.from({ length: 12 }, () => createJob(store, { query: 'ü'.repeat(15_000) })));
    const replies = await Promise.all(jobs.map(({ jobId, stepIds }) => client.claim({ jobId, stepId: stepIds[0] ?? '', claimId: 'mine' })));
    expect(replies.filter(({ granted }) => granted)).toHaveLength(12);
    expect(sizes.length).toBeGreaterThan(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
    await small.close();
  });
});

describe('a grant that is larger than a message may be', () => {
  it('leaves a run that the provider already has to the next attempt, which pays for no other', async () => {
    const {
      jobId,
      stepIds: [stepId = ''],
    } = await createJob(store, { query: 'ü'.repeat(15_000) });
    await onJob(store, jobId, start(stepId), externalId(stepId, 1), lose(stepId, 1));
    const small = createMemoryTransport();
    small.maxPayloadBytes = () => 20_000;
    await serveSaga({ transport: small, saga: new Saga(store, 30_000, runHere), logger: pino({ level: 'silent' }) });
    await createSagaClient(small, TIMES)
      .claim({ jobId, stepId, claimId: 'second' })
      .catch(() => undefined);
    await eventually(true, async () => (await eventTypes(store, jobId)).includes('StepFailed'));
    const [step] = (await jobState(store, jobId)).steps;
    expect(step).toMatchObject({ status: 'queued', retry: { resumes: true, run: 1 } });
    expect(step?.runs).toMatchObject([{ run: 1, held: true, settled: false, ended: false }]);
    await small.close();
  });
});

describe('reports that wait together', () => {
  it('travel in messages that the broker takes, whatever they are made of', async () => {
    const small = createMemoryTransport();
    const limit = 1_000_000;
    small.maxPayloadBytes = () => limit;
    const sizes: number[] = [];
    const request = small.request.bind(small);
    small.request = (subject, payload, timeoutMs, hear) => {
      sizes.push(Buffer.byteLength(JSON.stringify(payload)));
      return request(subject, payload, timeoutMs, hear);
    };
    await serveSaga({ transport: small, saga: new Saga(store, 30_000, runHere), logger: pino({ level: 'silent' }) });
    const client = createSagaClient(small, TIMES);
    const jobs = await Promise.all(Array.from({ length: 12 }, () => createJob(store)));
    await Promise.all(jobs.map(({ jobId, stepIds }) => client.claim({ jobId, stepId: stepIds[0] ?? '', claimId: 'mine' })));
    const source = { index: 1, title: null, startIndex: null, endIndex: null, publishedAt: null, domain: null };
    const citations = Array.from({ length: 20 }, (_, place) => ({
      ...source,
      url: `https://example.org/${place}`,
      snippet: '漢'.repeat(5_000),
    }));
    const result = { ...success(), reportMarkdown: '漢'.repeat(20_000), citations };
    await Promise.all(jobs.map(({ jobId, stepIds }) => client.report({ jobId, stepId: stepIds[0] ?? '', attempt: 1, result })));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(limit);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limit);
    await small.close();
  });
});
