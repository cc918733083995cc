import { pino } from 'pino';
import { DomainError } from '@lib/domain/errors';
import { claimIdOfSecret } from '@lib/messaging/claim-secret';
import type { ClaimGranted, ClaimReply, ClaimRequest } from '@lib/messaging/saga-messages';
import type { SagaPort } from '../../src/saga/saga-port';
import { claim, type Claimed } from '../../src/worker/claim';
import { SagaRefused } from '../../src/worker/saga-client';
import { eventually } from '../messaging/eventually';
import { PROCESS } from '../support/store';

const random = Math.random;
afterEach(() => {
  Math.random = random;
});

const IDS = { jobId: 'job_1', stepId: 'stp_1' };
const GRANT: ClaimGranted = {
  ...{ granted: true, attempt: 1, provider: 'provider-a', model: null, query: 'How?', brief: null, context: null },
  ...{ mode: 'fast', reservedMicros: 1, deadlineMs: 60_000, externalId: null },
};
/** Nobody waits so long in a test. */
const LONG_MS = 15_000;

/** Claims from a saga that answers with these in turn; an answer can be told later. */
function claimFrom(answers: (ClaimReply | Error | Promise<ClaimReply>)[], withinMs = LONG_MS) {
  const begunAt = performance.now();
  const asked: { request: ClaimRequest; until: number; atMs: number }[] = [];
  const unwanted: Claimed[] = [];
  const saga = {
    claim: async (request: ClaimRequest, until = Infinity) => {
      const answer = answers[asked.length] ?? new Error('unavailable');
      asked.push({ request, until, atMs: performance.now() - begunAt });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as unknown as SagaPort;
  const tools = {
    saga,
    logger: pino({ level: 'silent' }),
    process: PROCESS,
    withinMs,
    unwanted: (late: Claimed) => void unwanted.push(late),
  };
  const answer = claim(IDS, tools);
  return { answer, asked, unwanted, begunAt };
}

it('gives the grant, and when it was asked for', async () => {
  const { answer, asked, begunAt, unwanted } = claimFrom([GRANT]);
  const granted = (await answer) as Claimed;
  expect(granted).toEqual({ ...GRANT, claimedAt: expect.any(Number) as number, claimSecret: asked[0]?.request.claimSecret });
  expect(asked[0]?.request.claimId).toBe(claimIdOfSecret(granted.claimSecret));
  expect(granted.claimedAt).toBeGreaterThanOrEqual(begunAt);
  expect(granted.claimedAt).toBeLessThanOrEqual(performance.now());
  expect(asked).toMatchObject([{ request: { ...IDS, claimId: expect.any(String) as string }, until: granted.claimedAt + LONG_MS }]);
  expect(unwanted).toEqual([]);
});

it.each<[string, ClaimReply | Error]>([
  ['an answer', { granted: false, reason: 'step_not_queued' }],
  ['a saga over the transport', new SagaRefused('job_not_found')],
  ['the domain', new DomainError('job_not_found', 'there is none')],
])('is refused once by %s', async (_, refusal) => {
  const { answer, asked } = claimFrom([refusal, GRANT]);
  expect([await answer, asked.length]).toEqual(['refused', 1]);
});

it.each<[string, Error]>([
  ['an outage', new Error('unavailable')],
  ['a conflict', new DomainError('conflict', 'somebody else wrote')],
])('asks again after %s, a little later each time, with the same id, so that it finds the same grant', async (_, error) => {
  Math.random = () => 1;
  const { answer, asked } = claimFrom([error, error, GRANT]);
  // Timers of one process fire in their order, however busy it is.
  let askedBefore = 0;
  setTimeout(() => (askedBefore = asked.length), 500);
  expect(await answer).toMatchObject({ granted: true });
  expect(new Set(asked.map(({ request }) => request.claimId)).size).toBe(1);
  const [first = 0, second = 0, third = 0] = asked.map(({ atMs }) => atMs);
  expect(second - first).toBeGreaterThanOrEqual(199);
  expect(third - second).toBeGreaterThanOrEqual(399);
  expect(askedBefore).toBe(2);
});

it('of two steps has ids of their own', async () => {
  const [one, other] = [claimFrom([GRANT]), claimFrom([GRANT])];
  await Promise.all([one.answer, other.answer]);
  expect(one.asked[0]?.request.claimId).not.toBe(other.asked[0]?.request.claimId);
});

it('is unanswered after three failures', async () => {
  Math.random = () => 0;
  const { answer, asked } = claimFrom([]);
  expect([await answer, asked.length]).toEqual(['unanswered', 3]);
});

it('is unanswered as soon as the last try has failed', async () => {
  Math.random = () => 0;
  const last = Promise.withResolvers<ClaimReply>();
  const unavailable = new Error('unavailable');
  const { answer, asked } = claimFrom([unavailable, unavailable, last.promise]);
  await eventually(3, async () => asked.length);
  last.reject(unavailable);
  const turn = new Promise((next) => setImmediate(() => setImmediate(next, 'still waits')));
  expect(await Promise.race([answer, turn])).toBe('unanswered');
});

it('waits for an answer that takes a while', async () => {
  const reply = Promise.withResolvers<ClaimReply>();
  const { answer, asked } = claimFrom([reply.promise]);
  setTimeout(() => reply.resolve(GRANT), 30);
  expect(await answer).toMatchObject({ granted: true });
  expect(asked).toHaveLength(1);
});

it('is not asked again after its time', async () => {
  Math.random = () => 1;
  const { answer, asked } = claimFrom([new Error('unavailable'), GRANT], 100);
  expect([await answer, asked.length]).toEqual(['unanswered', 1]);
});

it('is not asked again at the very end of its time', async () => {
  const realNow = performance.now.bind(performance);
  // Whole, so that sums are exact.
  let now = Math.ceil(realNow());
  performance.now = () => now;
  try {
    Math.random = () => 0;
    const refusal = new Error('unavailable');
    const { answer, asked } = claimFrom([refusal, GRANT]);
    now += LONG_MS;
    expect([await answer, asked.length]).toEqual(['unanswered', 1]);
  } finally {
    performance.now = realNow;
  }
});

describe('an answer that comes after its time', () => {
  const late = async (answer: (promise: PromiseWithResolvers<ClaimReply>) => void) => {
    const reply = Promise.withResolvers<ClaimReply>();
    const claimed = claimFrom([reply.promise], 20);
    expect(await claimed.answer).toBe('unanswered');
    answer(reply);
    await new Promise((next) => setImmediate(next));
    return claimed;
  };

  it('is not wanted if it is a grant', async () => {
    const { unwanted, begunAt, asked } = await late(({ resolve }) => resolve(GRANT));
    expect(unwanted).toEqual([{ ...GRANT, claimedAt: expect.any(Number) as number, claimSecret: asked[0]?.request.claimSecret }]);
    expect(unwanted[0]?.claimedAt).toBeGreaterThanOrEqual(begunAt);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, (promise: PromiseWithResolvers<ClaimReply>) => void]>([
    ['a refusal', ({ resolve }) => resolve({ granted: false, reason: 'no' })],
    ['a failure', ({ reject }) => reject(new Error('unavailable'))],
  ])('is nothing if it is %s', async (_, answer) => {
    expect((await late(answer)).unwanted).toEqual([]);
  });
});
