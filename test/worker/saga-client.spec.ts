import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { answerPart, envelope, openEnvelope, TOO_LARGE_TOGETHER, type Answer } from '@lib/messaging/saga-messages';
import { READERS } from '@lib/messaging/read-requests';
import { HEARTBEAT_TO_ALL, heartbeatToAllSubject, SAGA_SUBJECTS, sagaSubject } from '@lib/messaging/subjects';
import { NO_ANSWER, type Transport } from '@lib/messaging/transport';
import { leaseTimes } from '@lib/settings/lease-times';
import { newId } from '@lib/store/new-id';
import type { SagaPort } from '../../src/saga/saga-port';
import { createSagaClient, SagaRefused } from '../../src/worker/saga-client';

/** A heartbeat is given up after 20 s, and repeated after 5. */
const TIMES = leaseTimes({ LEASE_MS: 30_000, HEARTBEAT_MS: 10_000 });
const HASTE = leaseTimes({ LEASE_MS: 1_400, HEARTBEAT_MS: 400 });
const GO_ON = { reply: { goOn: true } } as const;

let transport: Transport;
let client: SagaPort;
let silence: PromiseWithResolvers<unknown>;
beforeEach(() => {
  silence = Promise.withResolvers();
  transport = createMemoryTransport();
  client = createSagaClient(transport, TIMES);
});
afterEach(() => {
  silence.resolve(null);
  return transport.close();
});

const beat = (attempt: number) => ({ jobId: 'job_1', stepId: 'stp_1', attempt });
const claimOf = (claimId: string) => ({ jobId: 'job_1', stepId: 'stp_1', claimId });
const itemsOf = (payload: unknown) => openEnvelope(payload).items;

it('a claim and a heartbeat say how long the worker takes its lease to be, and a saga reads it', async () => {
  const ids = { jobId: newId('job'), stepId: newId('stp') };
  const read = Promise.withResolvers<unknown>();
  const beaten = Promise.withResolvers<unknown>();
  await transport.serve(SAGA_SUBJECTS.claim, async (payload) => {
    read.resolve(READERS.claim(itemsOf(payload)[0]));
    return answerPart([[0, { reply: { granted: false, reason: 'not_due' } }]]);
  });
  await transport.serve(SAGA_SUBJECTS.heartbeat, async (payload) => {
    beaten.resolve(READERS.heartbeat(itemsOf(payload)[0]));
    return answerPart([[0, GO_ON]]);
  });
  await client.heartbeat({ ...ids, attempt: 1 });
  void client.claim({ ...ids, claimId: 'mine' }, performance.now() + 50).catch(() => undefined);
  expect(await Promise.all([read.promise, beaten.promise])).toMatchObject([{ leaseMs: 30_000 }, { leaseMs: 30_000 }]);
});

describe('a heartbeat', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['is unavailable to', async () => answerPart([[0, { error: 'unavailable', retryable: true }]])],
    ['gets no answer from', () => silence.promise],
    ['is rejected by', () => Promise.reject(new Error('broken'))],
  ])('that %s one saga is asked of all of them', async (_, answer) => {
    client = createSagaClient(transport, HASTE);
    const asked: string[] = [];
    await transport.serve(SAGA_SUBJECTS.heartbeat, () => {
      asked.push('one');
      return answer();
    });
    await transport.serve(HEARTBEAT_TO_ALL, async () => NO_ANSWER, 'every');
    await transport.serve(
      HEARTBEAT_TO_ALL,
      async () => {
        asked.push('all');
        return answerPart([[0, GO_ON]]);
      },
      'every',
    );
    expect(await client.heartbeat(beat(1))).toEqual({ goOn: true });
    expect(asked).toEqual(['one', 'all']);
  });

  it('of a lease that has ended meanwhile, as after a standstill, waits for no time that is over', async () => {
    const begun = jest.spyOn(globalThis, 'setTimeout');
    await transport.serve(SAGA_SUBJECTS.heartbeat, () => silence.promise);
    await expect(client.heartbeat(beat(1), performance.now() - 60_000)).rejects.toMatchObject({ name: 'RequestFailed' });
    expect(begun.mock.calls.filter(([, milliseconds = 0]) => milliseconds < 0)).toEqual([]);
    jest.restoreAllMocks();
  });

  it('goes back and forth until somebody answers, and gives up with the time of its lease', async () => {
    client = createSagaClient(transport, HASTE);
    let tries = 0;
    const unavailable = async () => {
      tries += 1;
      return answerPart([[0, { error: 'unavailable', retryable: true }]]);
    };
    const serving = await transport.serve(SAGA_SUBJECTS.heartbeat, unavailable);
    await expect(client.heartbeat(beat(1))).rejects.toThrow();
    expect(tries).toBeGreaterThan(2);
    await serving.stop();
    const answer = client.heartbeat(beat(1));
    await transport.serve(SAGA_SUBJECTS.heartbeat, async () => answerPart([[0, GO_ON]]));
    expect(await answer).toEqual({ goOn: true });
  });

  it('that one saga answers is asked of nobody else', async () => {
    let others = 0;
    await transport.serve(SAGA_SUBJECTS.heartbeat, async () => answerPart([[0, { reply: { goOn: false, run: 'cancel' } }]]));
    await transport.serve(HEARTBEAT_TO_ALL, async () => (others += 1), 'every');
    expect(await client.heartbeat(beat(1))).toEqual({ goOn: false, run: 'cancel' });
    expect(others).toBe(0);
  });
});

describe('an answer', () => {
  it('reaches each question of a message as soon as it is known, whatever becomes of the others', async () => {
    const rest = Promise.withResolvers<unknown>();
    await transport.serve(SAGA_SUBJECTS.claim, async (payload, say) => {
      expect(itemsOf(payload)).toHaveLength(3);
      say(answerPart([[2, { reply: { granted: false, reason: 'third' } }]]));
      say(answerPart([[0, { error: 'job_not_found', retryable: false }]]));
      return rest.promise;
    });
    const [first, second, third] = ['a', 'b', 'c'].map((claimId) => client.claim(claimOf(claimId)));
    await expect(first).rejects.toThrow(SagaRefused);
    expect(await third).toEqual({ granted: false, reason: 'third' });
    rest.resolve(answerPart([[1, { reply: { granted: false, reason: 'second' } }]]));
    expect(await second).toEqual({ granted: false, reason: 'second' });
  });

  it('lets the next message go, whatever the rest of it waits for', async () => {
    let messages = 0;
    await transport.serve(SAGA_SUBJECTS.claim, async (_, say) => {
      messages += 1;
      say(answerPart([[0, { reply: { granted: false, reason: 'first' } }]]));
      return silence.promise;
    });
    const begunAt = performance.now();
    // One more than may be out at a time; the second question of each stays open.
    for (let message = 1; message <= 5; message += 1) {
      const [first, second] = ['a', 'b'].map((claimId) => client.claim(claimOf(claimId)));
      void second?.catch(() => undefined);
      expect(await first).toEqual({ granted: false, reason: 'first' });
      expect(messages).toBe(message);
    }
    // Nothing had to be asked again.
    expect(performance.now() - begunAt).toBeLessThan(5_000);
  });

  it('of a saga that knows no parts is the answer to all', async () => {
    const answers: Answer<unknown>[] = [{ error: 'job_not_found', retryable: false }, { reply: { granted: false, reason: 'old' } }];
    await transport.serve(SAGA_SUBJECTS.claim, async () => envelope(answers));
    const [first, second] = ['a', 'b'].map((claimId) => client.claim(claimOf(claimId)));
    await expect(first).rejects.toThrow(SagaRefused);
    expect(await second).toEqual({ granted: false, reason: 'old' });
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'no'],
    ['an empty object', {}],
    ['too few answers', answerPart([])],
    ['a list of something else', { v: 1, answers: [7] }],
    ['a place that is none', { v: 1, answers: [[7, GO_ON]] }],
    ['a place before the first', { v: 1, answers: [[-1, GO_ON]] }],
    ['half a place', { v: 1, answers: [[0.5, GO_ON]] }],
    ['no answer at its place', { v: 1, answers: [[0, null]] }],
    ['neither reply nor error', { v: 1, answers: [[0, { error: 7 }]] }],
  ])('that is %s fails the question, which may be repeated', async (_, answer) => {
    await transport.serve(SAGA_SUBJECTS.claim, async () => answer);
    const failure: unknown = await client.claim(claimOf('a')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(SagaRefused);
  });
});

it('what did not fit into one message of answers is asked again at once, by itself, and a refusal is not', async () => {
  const asked: string[][] = [];
  await transport.serve(SAGA_SUBJECTS.claim, async (payload) => {
    const claims = itemsOf(payload).map((item) => (item as { claimId: string }).claimId);
    asked.push(claims);
    return answerPart(
      claims.map((claimId, place): [number, Answer<unknown>] => {
        if (claimId === 'none') return [place, { error: 'step_not_found', retryable: false }];
        if (asked.length === 1 && claimId === 'second') return [place, TOO_LARGE_TOGETHER];
        return [place, { reply: { granted: false, reason: claimId } }];
      }),
    );
  });
  const none = client.claim(claimOf('none'));
  const answers = ['first', 'second'].map((claimId) => client.claim(claimOf(claimId)));
  await expect(none).rejects.toThrow(SagaRefused);
  expect(await Promise.all(answers)).toEqual(['first', 'second'].map((reason) => ({ granted: false, reason })));
  expect(asked).toEqual([['none', 'first', 'second'], ['second']]);
});

describe('a heartbeat that fails', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is repeated at once, and then after a quarter of a try each time, until the time of its lease', async () => {
    client = createSagaClient(transport, HASTE);
    const begunAt = performance.now();
    const times: number[] = [];
    await transport.serve(SAGA_SUBJECTS.heartbeat, async () => {
      times.push(performance.now() - begunAt);
      throw new Error('broken');
    });
    const failed = expect(client.heartbeat(beat(1))).rejects.toThrow();
    await jest.advanceTimersByTimeAsync(5_000);
    await failed;
    // Every other try is asked of all of them. Parts of a millisecond may add up.
    for (const [place, at] of [0, 63, 188].entries()) expect(Math.abs((times[place] ?? -100) - at)).toBeLessThanOrEqual(4);
    expect(Math.max(...times)).toBeLessThan(HASTE.leaseMs - HASTE.heartbeatMs);
    expect(Math.max(...times)).toBeGreaterThan(HASTE.leaseMs - HASTE.heartbeatMs - HASTE.tryMs);
  });
});

describe('a message', () => {
  interface Sent {
    subject: string;
    count: number;
    withinMs: number[] | null;
    timeoutMs: number;
  }

  /** A client whose every message is kept, and refused at the end of the test. */
  function listening(maxPayloadBytes = Infinity) {
    const sent: Sent[] = [];
    const request: Transport['request'] = (subject, payload, timeoutMs) => {
      const { items, withinMs } = openEnvelope(payload);
      sent.push({ subject, count: items.length, withinMs, timeoutMs });
      const refusals = items.map((_, place): [number, Answer<unknown>] => [place, { error: 'over', retryable: false }]);
      return silence.promise.then(() => answerPart(refusals));
    };
    const recording = Object.assign(Object.create(transport) as Transport, { request, maxPayloadBytes: () => maxPayloadBytes });
    return { sent, asking: createSagaClient(recording, TIMES) };
  }
  const ignore = (calls: Promise<unknown>[]) => void Promise.allSettled(calls);
  const turns = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((next) => setImmediate(next));
  };
  const external = (bytes: number, provider?: 'provider-a' | 'provider-c') => ({
    ...{ jobId: 'job_1', stepId: 'stp_1', attempt: 1, externalId: 'x'.repeat(bytes), provider },
  });
  const countsOf = (sent: readonly Sent[]) => sent.map(({ count }) => count);

  it('says how much time each of its questions has', async () => {
    const { sent, asking } = listening();
    const now = performance.now();
    ignore([asking.claim(claimOf('a')), asking.claim(claimOf('b'), now + 7_000), asking.claim(claimOf('c'), now - 100)]);
    ignore([asking.heartbeat(beat(1))]);
    await turns();
    const [claims, heartbeats] = sent;
    expect(claims?.withinMs?.map((milliseconds) => Math.ceil(milliseconds / 1_000))).toEqual([15, 7, 0]);
    expect(heartbeats?.withinMs?.map((milliseconds) => Math.ceil(milliseconds / 1_000))).toEqual([20]);
  });

  it('is listened to as long as the longest of its questions has time, and of claims a lease longer', async () => {
    const { sent, asking } = listening();
    const now = performance.now();
    ignore([asking.recordExternalId(external(1), now + 2_000), asking.recordExternalId(external(1), now + 9_000)]);
    ignore([asking.claim(claimOf('a'), now + 3_000)]);
    await turns();
    expect(sent.map(({ timeoutMs }) => Math.ceil(timeoutMs / 1_000))).toEqual([9, 33]);
  });

  it('holds no more than 256 KiB, and no more than half of what the transport carries', async () => {
    // A unit of a text may be three bytes.
    for (const [carries, counts] of [
      [Infinity, [2, 1]],
      [150_000, [1, 1, 1]],
    ] as const) {
      const { sent, asking } = listening(carries);
      ignore([1, 2, 3].map(() => asking.recordExternalId(external(30_000))));
      await turns();
      expect(countsOf(sent)).toEqual(counts);
    }
  });

  it('holds so many claims, and many more heartbeats', async () => {
    const { sent, asking } = listening();
    ignore(Array.from({ length: 70 }, (_, place) => asking.claim(claimOf(String(place)))));
    ignore(Array.from({ length: 300 }, (_, place) => asking.heartbeat(beat(place))));
    await turns();
    expect(countsOf(sent)).toEqual([64, 6, 300]);
  });

  it('is of one provider, by its own subject', async () => {
    const { sent, asking } = listening();
    ignore((['provider-a', 'provider-c', 'provider-a'] as const).map((provider) => asking.recordExternalId(external(1, provider))));
    await turns();
    expect(sent.map(({ subject, count }) => [subject, count])).toEqual([
      [sagaSubject('recordExternalId', 'provider-a'), 2],
      [sagaSubject('recordExternalId', 'provider-c'), 1],
    ]);
  });
});

describe('a question of one provider', () => {
  const claimOfProvider = { ...claimOf('a'), provider: 'provider-a' as const };

  it('is asked of those who know only shared subjects where nobody serves its own', async () => {
    await transport.serve(SAGA_SUBJECTS.claim, async () => answerPart([[0, { reply: { granted: false, reason: 'shared' } }]]));
    expect(await client.claim(claimOfProvider)).toEqual({ granted: false, reason: 'shared' });
  });

  it('is asked of nobody else where somebody serves it and fails', async () => {
    let others = 0;
    await transport.serve(sagaSubject('claim', 'provider-a'), () => Promise.reject(new Error('broken')));
    await transport.serve(SAGA_SUBJECTS.claim, async () => (others += 1));
    await expect(client.claim(claimOfProvider)).rejects.toThrow('broken');
    expect(others).toBe(0);
  });

  it('that is a heartbeat is asked of all by its own subject, too', async () => {
    client = createSagaClient(transport, HASTE);
    await transport.serve(sagaSubject('heartbeat', 'provider-a'), () => Promise.reject(new Error('broken')));
    await transport.serve(heartbeatToAllSubject('provider-a'), async () => answerPart([[0, GO_ON]]), 'every');
    expect(await client.heartbeat({ ...beat(1), provider: 'provider-a' })).toEqual({ goOn: true });
  });

  it('fails where nobody serves either', async () => {
    await expect(client.claim(claimOfProvider)).rejects.toThrow('nobody serves it');
  });
});
