import { pino } from 'pino';
import { DomainError } from '@lib/domain/errors';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { envelope, type AnswerPart, type Envelope } from '@lib/messaging/saga-messages';
import { HEARTBEAT_TO_ALL, heartbeatToAllSubject, SAGA_SUBJECTS } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import { newId } from '@lib/store/new-id';
import { RowLocked, StoreBusy, StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { SagaPort } from '../../src/saga/saga-port';
import { serveSaga, type Serving } from '../../src/saga/saga-server';

const IDS = { jobId: newId('job'), stepId: newId('stp') };
const CLAIM = { ...IDS, claimId: 'mine' };
const beat = (attempt: number) => ({ ...IDS, attempt });

let transport: Transport;
let serving: Serving;
let logged: string[];
let doubts: number;
beforeEach(() => {
  transport = createMemoryTransport();
  logged = [];
  doubts = 0;
});
afterEach(async () => {
  await serving.stop();
  await transport.close();
});

async function serve(saga: Partial<SagaPort>): Promise<void> {
  const logger = pino({ level: 'warn' }, { write: (line) => void logged.push((JSON.parse(line) as { reason: string }).reason) });
  serving = await serveSaga({ transport, saga: saga as SagaPort, logger, doubt: () => (doubts += 1) });
}

async function claim(withinMs?: number): Promise<unknown> {
  const payload = envelope([CLAIM], withinMs === undefined ? undefined : [withinMs]);
  const answer = await transport.request(SAGA_SUBJECTS.claim, payload, 5_000);
  return withinMs === undefined ? (answer as Envelope<unknown>).items[0] : (answer as AnswerPart<unknown>).answers[0]?.[1];
}

describe('a call that fails', () => {
  it.each<[string, Error, object]>([
    ['for ever, by the domain', new DomainError('job_not_found', 'there is none'), { error: 'job_not_found', retryable: false }],
    ['since somebody else wrote first', new DomainError('conflict', 'somebody else wrote'), { error: 'conflict', retryable: true }],
    ['since too much waits', new StoreBusy(), { error: 'overloaded', retryable: true }],
    ['since somebody holds its row', new RowLocked(), { error: 'locked', retryable: true }],
  ])('%s says so, and nobody doubts that this saga is well', async (_, error, answer) => {
    await serve({ claim: () => Promise.reject(error) });
    expect(await claim()).toEqual(answer);
    expect([doubts, logged]).toEqual([0, []]);
  });

  it.each([new StoreUnavailable(new Error('away')), new TypeError('a mistake')])('may be asked of another saga: %s', async (error) => {
    await serve({ claim: () => Promise.reject(error) });
    expect(await claim()).toEqual({ error: 'unavailable', retryable: true });
    expect([doubts, logged]).toEqual([1, ['saga_call_failed']]);
  });

  it('after its time says only that', async () => {
    await serve({
      claim: async (_, until = 0) => {
        while (performance.now() < until) await new Promise((next) => setTimeout(next, 5));
        throw new StoreUnavailable(new Error('away'));
      },
    });
    expect(await claim(20)).toEqual({ error: 'too_late', retryable: true });
    expect([doubts, logged]).toEqual([0, []]);
  });

  it('is told until when somebody waits, or that nobody says so', async () => {
    const untils: (number | undefined)[] = [];
    await serve({
      claim: async (_, until) => {
        untils.push(until);
        return { granted: false, reason: 'no' };
      },
    });
    const before = performance.now();
    await claim(1_000);
    await claim();
    expect(untils[0]).toBeGreaterThanOrEqual(before + 1_000);
    expect(untils[0]).toBeLessThanOrEqual(performance.now() + 1_000);
    expect(untils[1]).toBe(Infinity);
  });
});

describe('a call that comes after a quiet time', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => jest.useRealTimers());
  const refuse = { claim: async () => ({ granted: false, reason: 'not_due' }) as const };

  it('has its whole time: a saga that waits is not one that stood still', async () => {
    await serve(refuse);
    jest.advanceTimersByTime(10_000);
    expect(await claim(1_000)).toEqual({ reply: { granted: false, reason: 'not_due' } });
  });

  it('has none left where the saga stood still for so long', async () => {
    await serve(refuse);
    const now = performance.now.bind(performance);
    performance.now = () => now() + 1_500;
    expect(await claim(1_000)).toEqual({ error: 'too_late', retryable: true });
    expect(await claim(2_000)).toEqual({ reply: { granted: false, reason: 'not_due' } });
  });

  it('leaves no timer behind once it has stopped', async () => {
    await serve(refuse);
    expect(jest.getTimerCount()).toBeGreaterThan(0);
    await serving.stop();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('heartbeats that every saga is asked about', () => {
  const askAll = (items: object[], subject = HEARTBEAT_TO_ALL) =>
    transport.request(subject, envelope(items, Array<number>(items.length).fill(400)), 500);

  it.each([
    ['of all providers', HEARTBEAT_TO_ALL],
    ['of one provider', heartbeatToAllSubject('provider-a')],
  ])('are answered by one that can decide about all of them, also where it refuses one for ever: %s', async (_, subject) => {
    await serve({
      heartbeat: async ({ attempt }) => {
        if (attempt === 1) throw new DomainError('job_not_found', 'there is none');
        return { goOn: true };
      },
    });
    expect(await askAll([beat(1), beat(2)], subject)).toMatchObject({
      answers: [
        [0, { error: 'job_not_found', retryable: false }],
        [1, { reply: { goOn: true } }],
      ],
    });
  });

  it('are left to the others by one that cannot decide about one of them', async () => {
    await serve({
      heartbeat: async ({ attempt }) => {
        if (attempt === 2) throw new StoreUnavailable(new Error('away'));
        return { goOn: true };
      },
    });
    await expect(askAll([beat(1), beat(2)])).rejects.toThrow();
  });
});

describe('a saga that leaves', () => {
  it('tells those whose message was on its way to ask another one', async () => {
    const handlers: Parameters<Transport['serve']>[1][] = [];
    const serveAs: Transport['serve'] = async (_, handle) => {
      handlers.push(handle);
      return { stop: async () => undefined };
    };
    transport = Object.assign(Object.create(transport) as Transport, { serve: serveAs });
    let claims = 0;
    await serve({
      claim: async () => {
        claims += 1;
        return { granted: false, reason: 'not_due' };
      },
    });
    const place = Object.keys(SAGA_SUBJECTS).indexOf('claim');
    const answered = async () => (await handlers[place]?.(envelope([CLAIM]), () => undefined)) as Envelope<unknown>;
    expect((await answered()).items).toEqual([{ reply: { granted: false, reason: 'not_due' } }]);
    serving.leave();
    expect((await answered()).items).toEqual([{ error: 'unavailable', retryable: true }]);
    expect(claims).toBe(1);
  });

  it('decides nothing that comes after that', async () => {
    let claims = 0;
    const undecided = Promise.withResolvers<never>();
    await serve({
      claim: () => {
        claims += 1;
        return undecided.promise;
      },
    });
    const waiting = claim(60_000);
    await new Promise((next) => setImmediate(next));
    serving.leave();
    expect(await waiting).toEqual({ error: 'unavailable', retryable: true });
    undecided.reject(new Error('at last'));
    await expect(claim(1_000)).rejects.toThrow();
    expect(claims).toBe(1);
  });
});
