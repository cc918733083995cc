import { pino } from 'pino';
import { DomainError } from '@lib/domain/errors';
import type { ProviderId } from '@lib/domain/vocabulary';
import type { Work } from '@lib/messaging/subjects';
import type { Transport } from '@lib/messaging/transport';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import { GeminiProvider } from '@lib/providers/gemini/adapter';
import { ProviderError, type ResearchProvider } from '@lib/providers/research-provider';
import type { SagaPort } from '../../src/saga/saga-port';
import { RunCanceller } from '../../src/worker/run-canceller';
import { SagaRefused } from '../../src/worker/saga-client';
import { cannedServer } from '../providers/canned-server';
import { ControlledProvider } from '../support/controlled-provider';

const IDS = { jobId: 'job_1', stepId: 'stp_1', run: 1, provider: 'provider-a' as ProviderId };

/** Hands over a wake-up for a run, and says what became of it and of the saga's knowledge. */
async function cancelRun(
  cancel: ResearchProvider['cancel'],
  {
    externalId = 'run-1',
    deliveries = 1,
    other,
    refusal,
    equipped = true,
  }: { externalId?: string | null; deliveries?: number; other?: Work; refusal?: Error; equipped?: boolean } = {},
) {
  const recorded: unknown[] = [];
  const saga = {
    abandonedRun: async () => {
      if (refusal) throw refusal;
      return { externalId };
    },
    runCancelled: async (request: unknown) => void recorded.push(request),
  } as unknown as SagaPort;
  const provider: ResearchProvider = Object.assign(new ControlledProvider(), { cancel });
  const queue = createMemoryTransport();
  let outcome: unknown = 'nothing';
  const consume: Transport['consume'] = async (_queue, _slots, handle) => {
    const work = other ?? ({ kind: 'cancel', ...IDS } as const);
    const delivery = { work, deliveries, ack: () => (outcome = 'acknowledged'), retryAfter: (delayMs: number) => (outcome = delayMs) };
    await handle(delivery);
    return { stop: async () => undefined };
  };
  const transport = Object.assign(Object.create(queue) as Transport, { consume });
  const adapters = new Map<ProviderId, ResearchProvider>(equipped ? [['provider-a', provider]] : []);
  await new RunCanceller(transport, saga, adapters, pino({ level: 'silent' })).start(['provider-a']);
  await queue.close();
  return { outcome, recorded };
}

it('tells the provider, and records that it agreed', async () => {
  const told: string[] = [];
  const { outcome, recorded } = await cancelRun(async (externalId) => void told.push(externalId));
  expect(told).toEqual(['run-1']);
  expect([outcome, recorded]).toEqual(['acknowledged', [{ ...IDS, outcome: 'agreed' }]]);
});

it('records that a provider offers no cancellation', async () => {
  const { outcome, recorded } = await cancelRun(async () => 'not_offered');
  expect([outcome, recorded]).toEqual(['acknowledged', [{ ...IDS, outcome: 'not_offered' }]]);
});

it('records a run whose name nobody knows any more, without a call', async () => {
  const told: string[] = [];
  const { outcome, recorded } = await cancelRun(async (externalId) => void told.push(externalId), { externalId: null });
  expect(told).toEqual([]);
  expect([outcome, recorded]).toEqual(['acknowledged', [{ ...IDS, outcome: 'unknown' }]]);
});

it.each(['invalid_request', 'model_gone', 'lost'] as const)('records a refusal that would come again: %s', async (errorClass) => {
  const { outcome, recorded } = await cancelRun(() => Promise.reject(new ProviderError(errorClass, 'No.', {})));
  expect([outcome, recorded]).toEqual(['acknowledged', [{ ...IDS, outcome: 'refused' }]]);
});

it('takes work of another kind from the queue and does not do it', async () => {
  const told: string[] = [];
  const { outcome, recorded } = await cancelRun(async (externalId) => void told.push(externalId), {
    other: { kind: 'explore', jobId: 'job_1' },
  });
  expect([outcome, told, recorded]).toEqual(['acknowledged', [], []]);
});

it.each([new SagaRefused('job_not_found'), new DomainError('job_not_found'), new DomainError('step_not_found')])(
  'takes from the queue what can never be served: %s',
  async (refusal) => {
    expect(await cancelRun(async () => undefined, { refusal })).toEqual({ outcome: 'acknowledged', recorded: [] });
  },
);

it('has stopped once each of its queues has', async () => {
  const queues: PromiseWithResolvers<void>[] = [];
  const consume: Transport['consume'] = async () => ({
    stop: () => {
      const queue = Promise.withResolvers<void>();
      queues.push(queue);
      return queue.promise;
    },
  });
  const transport = Object.assign(Object.create(createMemoryTransport()) as Transport, { consume });
  const canceller = new RunCanceller(transport, {} as SagaPort, new Map(), pino({ level: 'silent' }));
  await canceller.start(['provider-a', 'provider-c']);
  let hasStopped = false;
  const stopped = canceller.stop().then(() => (hasStopped = true));
  expect(queues).toHaveLength(2);
  queues[0]?.resolve();
  await new Promise((next) => setImmediate(next));
  expect(hasStopped).toBe(false);
  queues[1]?.resolve();
  await stopped;
});

describe('what passes', () => {
  it.each([new DomainError('conflict'), new Error('unavailable')])('is waited for where the saga says it: %s', async (refusal) => {
    const { outcome, recorded } = await cancelRun(async () => undefined, { refusal });
    expect(outcome).toBeGreaterThan(0);
    expect(recorded).toEqual([]);
  });

  it('is that this worker cannot speak to the provider: another one may, and nobody has agreed', async () => {
    const { outcome, recorded } = await cancelRun(async () => undefined, { equipped: false });
    expect([outcome, recorded]).toEqual([10_000, []]);
  });

  it('is that a run goes on although its provider took the request: nobody has agreed until the run is over', async () => {
    const going = { body: { id: 'run-1', status: 'in_progress' } };
    const { url } = await cannedServer([going, going, going, { body: { id: 'run-1', status: 'cancelled' } }]);
    const prices = {
      inputMicrosPerMillionTokens: 1,
      cachedInputMicrosPerMillionTokens: 1,
      outputMicrosPerMillionTokens: 1,
      perSearchMicros: 1,
    };
    const provider = new GeminiProvider({ baseUrl: url, prices, pollMs: 5 }, 'key-for-tests');
    expect(await cancelRun((externalId) => provider.cancel(externalId))).toEqual({ outcome: 10_000, recorded: [] });
    const { outcome, recorded } = await cancelRun((externalId) => provider.cancel(externalId), { deliveries: 2 });
    expect([outcome, recorded]).toEqual(['acknowledged', [{ ...IDS, outcome: 'agreed' }]]);
  });

  const busy = (errorClass: ProviderError['errorClass']) => () => Promise.reject(new ProviderError(errorClass, 'Busy.', {}));

  it.each(['rate_limited', 'overloaded', 'timeout', 'unavailable', 'auth', 'quota', 'not_called'] as const)(
    'is waited for: %s',
    async (errorClass) => {
      const { outcome, recorded } = await cancelRun(busy(errorClass));
      expect(outcome).toBeGreaterThan(0);
      expect(recorded).toEqual([]);
    },
  );

  it('is waited for twice as long each time, and never for ever', async () => {
    const waitAt = async (deliveries: number) => Number((await cancelRun(busy('overloaded'), { deliveries })).outcome);
    const first = await waitAt(1);
    expect(first).toBe(10_000);
    expect(await waitAt(2)).toBe(2 * first);
    expect(await waitAt(3)).toBe(4 * first);
    expect(await waitAt(1_000)).toBe(await waitAt(900));
    expect(Number.isFinite(await waitAt(1_000))).toBe(true);
  });

  it('is also an error that no provider throws, such as a lost connection to the saga', async () => {
    expect((await cancelRun(() => Promise.reject(new TypeError('x')))).outcome).toBeGreaterThan(0);
  });
});
