import { pino } from 'pino';
import { DomainError } from '@lib/domain/errors';
import type { StepResult } from '@lib/domain/job/commands';
import { readTraceparent } from '@lib/domain/trace-context';
import type { ProviderId } from '@lib/domain/vocabulary';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { ClaimGranted, HeartbeatReply, ReportRequest } from '@lib/messaging/saga-messages';
import type { Transport } from '@lib/messaging/transport';
import { readAnnouncement, workerLimitsSubject } from '@lib/messaging/worker-limits';
import { exchangeHeaders, promptDigest } from '@lib/providers/exchange';
import { promptText } from '@lib/providers/prompt';
import { ProviderError } from '@lib/providers/research-provider';
import type { SagaPort } from '../../src/saga/saga-port';
import { SagaRefused } from '../../src/worker/saga-client';
import { Tracing, type FinishedSpan } from '../../src/telemetry/tracing';
import type { MeasureCall } from '../../src/worker/attempt';
import { Worker } from '../../src/worker/worker';
import type { ProviderLimits } from '../../src/worker/worker-settings';
import { Arrivals } from '../messaging/arrivals';
import { eventually } from '../messaging/eventually';
import { ControlledProvider } from '../support/controlled-provider';
import { PROCESS } from '../support/store';

const MAX_REPORT_BYTES = 100_000;
const GRANT: ClaimGranted = {
  ...{ granted: true, attempt: 3, provider: 'provider-a', model: 'm', query: 'How?', brief: 'Be brief.', context: null },
  ...{ mode: 'fast', reservedMicros: 700, deadlineMs: 600_000, externalId: null },
};
const TRACE = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', sampled: true };
const FREE = { micros: 0, provenance: 'reported' };

let transport: Transport;
let provider: ControlledProvider;
let worker: Worker | null;
let reports: Arrivals<ReportRequest>;
let logged: { reason?: string }[];
beforeEach(() => {
  transport = createMemoryTransport();
  provider = new ControlledProvider();
  worker = null;
  reports = new Arrivals();
  logged = [];
});
afterEach(async () => {
  await worker?.stop(0);
  await transport.close();
});

/** What the worker shows with everything that it says of its attempt. */
const holder = () => ({
  ...{ jobId: 'job_1', stepId: `stp_${steps}`, attempt: 3, provider: 'provider-a' },
  claimSecret: expect.stringMatching(/^[\w-]{43}$/) as string,
});

interface Options {
  grant?: Partial<ClaimGranted>;
  saga?: Partial<SagaPort>;
  limits?: Partial<ProviderLimits>;
  /** Providers that it serves beside the first. */
  others?: ProviderId[];
  heartbeatMs?: number;
  /** Whether the worker has the provider's adapter. */
  equipped?: boolean;
  tracing?: Tracing;
  /** How long a grant is waited for. */
  claimMs?: number;
  measure?: MeasureCall;
}

/** A worker of one provider, at a saga that grants everything and keeps every report. */
async function startWorker(options: Options = {}) {
  await workerWith(options).start();
}

function workerWith({
  grant = {},
  saga: changes = {},
  limits = {},
  others: beside = [],
  heartbeatMs = 60_000,
  equipped = true,
  ...others
}: Options): Worker {
  const { tracing, claimMs, measure } = others;
  const saga = {
    claim: async () => ({ ...GRANT, ...grant }),
    recordExternalId: async () => ({ recorded: true }),
    heartbeat: async () => ({ goOn: true }),
    report: async (request: ReportRequest) => {
      reports.push(request);
      return { committed: true };
    },
    ...changes,
  } as unknown as SagaPort;
  const settings = {
    ...{
      heartbeatMs,
      claimMs,
      process: PROCESS,
      adapters: new Map<ProviderId, string>(),
      maxResponseBytes: 1_000_000,
      maxReportBytes: () => MAX_REPORT_BYTES,
    },
    providers: new Map(
      (['provider-a', ...beside] as const).map((id) => [id, { concurrency: 1, backgroundRuns: 0, requestsPerMinute: null, ...limits }]),
    ),
  };
  const logger = pino({ level: 'warn' }, { write: (line) => void logged.push(JSON.parse(line) as { reason?: string }) });
  // It may have the adapters of more providers than it serves.
  const adapters = new Map<ProviderId, ControlledProvider>([['provider-c', new ControlledProvider()]]);
  if (equipped) adapters.set('provider-a', provider);
  worker = new Worker(transport, saga, adapters, settings, logger, tracing ?? null, measure);
  return worker;
}

let steps = 0;
const ask = () =>
  transport.dispatch({ kind: 'step', provider: 'provider-a', jobId: 'job_1', stepId: `stp_${(steps += 1)}`, resumes: false });

/** What is reported of a step whose provider does this. */
async function reportOf(answer: (call: Awaited<ReturnType<ControlledProvider['submits']['next']>>) => void): Promise<StepResult> {
  await ask();
  answer(await provider.submits.next());
  return (await reports.next()).result;
}

describe('an attempt', () => {
  it('asks the provider for what was granted', async () => {
    await startWorker();
    await ask();
    const { request } = await provider.submits.next();
    expect(request).toMatchObject({
      ...{ stepId: `stp_${steps}`, attempt: 3, provider: 'provider-a', model: 'm', query: 'How?', brief: 'Be brief.', context: null },
      ...{ mode: 'fast', limits: { reservedMicros: 700, deadlineMs: 600_000, maxResponseBytes: 1_000_000 } },
    });
  });

  it('reports what came, with its cost, its model and the digest of the answer', async () => {
    await startWorker();
    await ask();
    (await provider.submits.next()).finish({ model: `${'m'.repeat(199)}🦜` });
    expect(await reports.next()).toEqual({
      ...holder(),
      result: {
        outcome: 'completed',
        charge: { micros: 10_000, provenance: 'reported' },
        rawSha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        model: 'm'.repeat(199),
        reportMarkdown: 'The bridge was opened in 1932 [1].',
        citations: [expect.objectContaining({ index: 1 })],
        truncated: false,
        call: { sentSha256: promptDigest(promptText({ ...GRANT, brief: 'Be brief.' })), requestId: null, status: null },
      },
    });
    expect(await reportOf((call) => call.finish({ model: null }))).toMatchObject({ model: null });
  });

  it('is not called by a worker without the adapter, and costs nothing', async () => {
    await startWorker({ equipped: false });
    await ask();
    expect((await reports.next()).result).toEqual({
      ...{ outcome: 'failed', errorClass: 'not_called', errorMessage: 'Not called: this worker has no adapter for provider-a.' },
      ...{ charge: FREE, retryAfterMs: null, runEnded: false },
    });
  });

  it.each<[string, ConstructorParameters<typeof ProviderError>[2], object]>([
    ['nothing more', {}, { charge: null, retryAfterMs: null, runEnded: false }],
    ['its cost', { charge: { micros: 7, provenance: 'computed' } }, { charge: { micros: 7, provenance: 'computed' } }],
    ['that its run is over', { runEnded: true }, { runEnded: true }],
    ['no wait', { retryAfterMs: 0 }, { retryAfterMs: 0 }],
    ['half a millisecond', { retryAfterMs: 0.5 }, { retryAfterMs: 1 }],
    ['a wait of two days', { retryAfterMs: 172_800_000 }, { retryAfterMs: 86_400_000 }],
    ['a wait that is negative', { retryAfterMs: -1 }, { retryAfterMs: null }],
    ['a wait without an end', { retryAfterMs: Infinity }, { retryAfterMs: null }],
  ])('reports a failure that says %s', async (_, details, recorded) => {
    await startWorker();
    const result = await reportOf((call) => call.fail(new ProviderError('overloaded', 'Busy.', details)));
    expect(result).toMatchObject({ outcome: 'failed', errorClass: 'overloaded', errorMessage: 'Busy.', ...recorded });
  });

  it('tells of the call that failed, unless its provider was not called at all', async () => {
    await startWorker();
    const told = async (errorClass: ProviderError['errorClass']) =>
      (await reportOf((call) => call.fail(new ProviderError(errorClass, 'No.', {})))).call;
    expect(await told('overloaded')).toMatchObject({ sentSha256: promptDigest(promptText(GRANT)) });
    expect(await told('not_called')).toBeUndefined();
  });

  it('reports as much of a long message as a report may hold', async () => {
    await startWorker();
    const result = await reportOf((call) => call.fail(new ProviderError('overloaded', `${'x'.repeat(1_999)}🦜${'x'.repeat(100)}`, {})));
    expect(result).toMatchObject({ errorMessage: `${'x'.repeat(1_999)}\uFFFD` });
  });

  it('that is refused when it tells its run is given up: the run is cancelled, and nothing reported', async () => {
    await startWorker({ saga: { recordExternalId: () => Promise.reject(new SagaRefused('job_not_found')) } });
    await ask();
    const call = await provider.submits.next();
    await expect(call.started('run-1')).rejects.toThrow('job_not_found');
    call.goOn('run-1');
    expect(await provider.cancels.next()).toBe('run-1');
    await worker?.stop(60_000);
    expect(reports.unseen).toEqual([]);
  });

  it('tells its run again after an outage and a conflict', async () => {
    const failures = [new Error('unavailable'), new DomainError('conflict', 'somebody else wrote')];
    const told: unknown[] = [];
    const times: number[] = [];
    const recordExternalId = async (request: unknown) => {
      told.push(request);
      times.push(performance.now());
      const failure = failures.shift();
      if (failure) throw failure;
      return { recorded: true } as const;
    };
    await startWorker({ saga: { recordExternalId } });
    await ask();
    const call = await provider.submits.next();
    await call.started('run-1');
    expect(told).toEqual(Array(3).fill({ ...holder(), externalId: 'run-1' }));
    // After 200 and 400 ms. A timer counts from when its turn of the event loop began, so on a busy machine it is early by what ran before it.
    const [first = 0, second = 0, third = 0] = times;
    expect([second - first >= 150, third - second >= 350]).toEqual([true, true]);
    expect(logged.filter(({ reason }) => reason === 'saga_unanswered')).toHaveLength(2);
    call.finish();
    expect((await reports.next()).result).toMatchObject({ outcome: 'completed' });
  });
});

describe('a run that is followed', () => {
  it('is asked about a little later than told, so that runs do not stay together', async () => {
    const random = Math.random;
    Math.random = () => 1;
    try {
      provider.submit = async () => ({ state: 'running', externalId: 'run-1', pollAfterMs: 300 });
      await startWorker();
      const begunAt = performance.now();
      // Timers of one process fire in their order, however busy it is.
      let isOver = false;
      const timer = setTimeout(() => (isOver = true), 2_000);
      await ask();
      const poll = await provider.polls.next();
      clearTimeout(timer);
      expect([performance.now() - begunAt >= 329, isOver]).toEqual([true, false]);
      poll.finish();
      await reports.next();
    } finally {
      Math.random = random;
    }
  });

  it('that another attempt began has no prompt of this one, and its span says so', async () => {
    const spans: FinishedSpan[] = [];
    const tracing = new Tracing((span) => void spans.push(span), { ratio: 1, followsCaller: true });
    await startWorker({ grant: { externalId: 'run-1' }, tracing });
    const step = { kind: 'step', provider: 'provider-a', jobId: 'job_1', stepId: `stp_${(steps += 1)}`, resumes: true } as const;
    await transport.dispatch(step, TRACE);
    const poll = await provider.polls.next();
    expect(poll.externalId).toBe('run-1');
    poll.finish();
    expect((await reports.next()).result).toMatchObject({ outcome: 'completed', call: { sentSha256: null } });
    await worker?.stop(60_000);
    expect(spans.find(({ name }) => name === 'research')?.attributes).toMatchObject({ 'research.resumed': true });
  });

  it('is measured once it has ended, in seconds, and so is one that is left', async () => {
    const realNow = performance.now.bind(performance);
    let now = Math.ceil(realNow());
    const measured: unknown[] = [];
    await startWorker({ measure: (...call) => void measured.push(call) });
    performance.now = () => now;
    try {
      await ask();
      const call = await provider.submits.next();
      now += 900;
      call.finish();
      await reports.next();
      await ask();
      await provider.submits.next();
      now += 250;
      await worker?.stop(0);
      expect(measured).toEqual([
        ['provider-a', expect.objectContaining({ outcome: 'completed' }), 0.9],
        ['provider-a', null, 0.25],
      ]);
    } finally {
      performance.now = realNow;
    }
  });
});

describe('a claim that is traced', () => {
  it.each<[string, SagaPort['claim'], string]>([
    ['refused', async () => ({ granted: false, reason: 'step_settled' }), 'refused'],
    ['not answered', () => new Promise(() => undefined), 'unanswered'],
  ])('says that it was %s', async (_, claim, outcome) => {
    const spans = new Arrivals<FinishedSpan>();
    const tracing = new Tracing((span) => spans.push(span), { ratio: 1, followsCaller: true });
    await startWorker({ saga: { claim }, tracing, claimMs: 20 });
    const step = { kind: 'step', provider: 'provider-a', jobId: 'job_1', stepId: `stp_${(steps += 1)}`, resumes: false } as const;
    await transport.dispatch(step, TRACE);
    expect((await spans.next()).attributes).toEqual({ 'research.claim': outcome });
    expect(logged).toMatchObject(outcome === 'unanswered' ? [{ reason: 'claim_unanswered', traceId: TRACE.traceId }] : []);
  });
});

describe('a step that is traced', () => {
  it('has a span of each call, and of the provider’s a link to the trace of its own that the provider hears of', async () => {
    const spans: FinishedSpan[] = [];
    const claims: { traceparent?: string | undefined }[] = [];
    const claim: SagaPort['claim'] = async (request) => {
      claims.push(request);
      return GRANT;
    };
    const heard: Record<string, string>[] = [];
    const submit = provider.submit.bind(provider);
    provider.submit = (...given) => {
      heard.push(exchangeHeaders());
      return submit(...given);
    };
    await startWorker({ saga: { claim }, tracing: new Tracing((span) => void spans.push(span), { ratio: 1, followsCaller: true }) });
    await transport.dispatch(
      { kind: 'step', provider: 'provider-a', jobId: 'job_1', stepId: `stp_${(steps += 1)}`, resumes: false },
      TRACE,
    );
    (await provider.submits.next()).finish();
    const { traceparent } = await reports.next();
    await worker?.stop(60_000);
    expect(spans.map(({ name, kind, context }) => ({ name, kind, traceId: context.traceId }))).toEqual(
      ['claim', 'research', 'report'].map((name) => ({ name, kind: 'client', traceId: TRACE.traceId })),
    );
    const [claimed, researched, reported] = spans as [FinishedSpan, FinishedSpan, FinishedSpan];
    expect(claimed.attributes).toEqual({ 'research.claim': 'granted' });
    expect(researched.attributes).toMatchObject({
      ...{ 'research.provider': 'provider-a', 'research.job_id': 'job_1', 'research.step_id': `stp_${steps}`, 'research.attempt': 3 },
      ...{ 'research.resumed': false, 'research.outcome': 'completed' },
    });
    const own = readTraceparent(heard[0]?.traceparent);
    expect(researched.links).toEqual([own]);
    expect(own?.traceId).not.toBe(TRACE.traceId);
    expect([claims[0]?.traceparent, traceparent].map((text) => readTraceparent(text)?.spanId)).toEqual([
      claimed.context.spanId,
      reported.context.spanId,
    ]);
  });

  it('tells its provider of no trace where nothing is traced', async () => {
    const heard: Record<string, string>[] = [];
    const submit = provider.submit.bind(provider);
    provider.submit = (...given) => {
      heard.push(exchangeHeaders());
      return submit(...given);
    };
    await startWorker();
    await transport.dispatch(
      { kind: 'step', provider: 'provider-a', jobId: 'job_1', stepId: `stp_${(steps += 1)}`, resumes: false },
      TRACE,
    );
    (await provider.submits.next()).finish();
    expect((await reports.next()).traceparent).toBeUndefined();
    expect(heard).toEqual([{}]);
  });
});

describe('a grant that comes late', () => {
  const realNow = performance.now.bind(performance);
  afterEach(() => {
    performance.now = realNow;
  });
  /** Granted so long after the claim was sent; the clock stands still but for that. */
  const after = (milliseconds: number) => {
    // Whole, so that sums are exact.
    let now = Math.ceil(realNow());
    performance.now = () => now;
    return async () => {
      now += milliseconds;
      return GRANT;
    };
  };
  const free = (why: string) => ({
    ...{ outcome: 'failed', errorClass: 'not_called', errorMessage: `Not called: ${why}.`, charge: FREE },
    ...{ retryAfterMs: null, runEnded: false },
  });

  it.each<[string, SagaPort['heartbeat']]>([
    ['its grant had ended', async () => ({ goOn: false, run: 'leave' })],
    ['the saga could not be asked', () => Promise.reject(new Error('unavailable'))],
  ])('is given back where %s, and nothing is paid', async (why, heartbeat) => {
    await startWorker({ saga: { claim: after(2_500), heartbeat } });
    await ask();
    expect((await reports.next()).result).toEqual(free(why));
    expect(provider.paid).toBe(0);
  });

  it.each([
    [2_001, 1],
    [2_000, 0],
  ])('by %d ms is asked about %d times, and used where it holds', async (milliseconds, times) => {
    let beats = 0;
    const heartbeat = async (): Promise<HeartbeatReply> => {
      beats += 1;
      return { goOn: true };
    };
    await startWorker({ saga: { claim: after(milliseconds), heartbeat } });
    expect(await reportOf((call) => call.finish())).toMatchObject({ outcome: 'completed' });
    expect(beats).toBe(times);
  });

  it('after its claim was given up is given back, and held until that is told', async () => {
    const late = Promise.withResolvers<ClaimGranted>();
    const told = Promise.withResolvers<{ committed: true }>();
    const report: SagaPort['report'] = (request) => {
      reports.push(request);
      return told.promise;
    };
    await startWorker({ saga: { claim: () => late.promise, report }, claimMs: 20 });
    await ask();
    await eventually(true, async () => logged.some(({ reason }) => reason === 'claim_unanswered'));
    await eventually(0, async () => worker?.held());
    late.resolve(GRANT);
    expect((await reports.next()).result).toEqual(free('its grant came too late'));
    expect([worker?.held(), provider.paid]).toEqual([1, 0]);
    told.resolve({ committed: true });
    await eventually(0, async () => worker?.held());
  });

  it('to a worker whose time is over is told once, whether anybody hears it or not', async () => {
    const late = Promise.withResolvers<ClaimGranted>();
    let claims = 0;
    const claim = () => ((claims += 1) === 1 ? Promise.resolve(GRANT) : late.promise);
    const report = (request: ReportRequest) => {
      reports.push(request);
      return Promise.reject(new Error('unavailable'));
    };
    await startWorker({ saga: { claim, report }, claimMs: 20, limits: { concurrency: 2 } });
    await ask();
    await provider.submits.next();
    await ask();
    await eventually(2, async () => claims);
    // Its first attempt is left, since it does not end in time.
    await worker?.stop(1);
    late.resolve(GRANT);
    expect((await reports.next()).result).toEqual(free('its grant came too late'));
    await eventually(true, async () => logged.some(({ reason }) => reason === 'report_refused'));
    expect([reports.unseen, logged.filter(({ reason }) => reason === 'saga_unanswered')]).toEqual([[], []]);
  });

  it('is given back by a worker that is stopping', async () => {
    const claimed = Promise.withResolvers<ClaimGranted>();
    const asked = Promise.withResolvers<void>();
    const claim = () => {
      asked.resolve();
      return claimed.promise;
    };
    await startWorker({ saga: { claim } });
    await ask();
    await asked.promise;
    const stopped = worker?.stop(60_000);
    claimed.resolve(GRANT);
    expect((await reports.next()).result).toEqual(free('the worker was stopping'));
    await stopped;
  });
});

it('a worker says what it takes at a time, that it takes nothing while it drains, and what it still holds', async () => {
  const told = new Arrivals<unknown>();
  await transport.subscribe(workerLimitsSubject('provider-a'), (payload) => told.push(readAnnouncement(payload)));
  await startWorker({ limits: { concurrency: 3, requestsPerMinute: 60 } });
  const { instance, build } = PROCESS;
  const limits = new Map([['provider-a', { slots: 3, requestsPerMinute: 60 }]]);
  expect(await told.next()).toEqual({ worker: instance, build, limits, drainsWith: null });
  await ask();
  const call = await provider.submits.next();
  worker?.pause();
  expect(await told.next()).toEqual({ worker: instance, build, limits: new Map(), drainsWith: 1 });
  call.finish();
  await reports.next();
  await worker?.stop(60_000);
  expect(await told.next()).toMatchObject({ limits: new Map(), drainsWith: expect.any(Number) as number });
  expect(await told.next()).toMatchObject({ limits: new Map(), drainsWith: null });
});

it('a worker holds what it asks for and what it was granted, until that has ended', async () => {
  const granted = Promise.withResolvers<ClaimGranted>();
  const asked = Promise.withResolvers<void>();
  const claim = () => {
    asked.resolve();
    return granted.promise;
  };
  await startWorker({ saga: { claim } });
  expect(worker?.held()).toBe(0);
  await ask();
  await asked.promise;
  expect(worker?.held()).toBe(1);
  granted.resolve(GRANT);
  const call = await provider.submits.next();
  expect(worker?.held()).toBe(1);
  call.finish();
  await reports.next();
  await eventually(0, async () => worker?.held());
});

it('a worker that goes on after a pause says so, and no longer that it drains', async () => {
  const told = new Arrivals<unknown>();
  await startWorker();
  await transport.subscribe(workerLimitsSubject('provider-a'), (payload) => told.push(readAnnouncement(payload)));
  worker?.pause();
  await worker?.resume();
  expect(await told.next()).toMatchObject({ limits: new Map(), drainsWith: 0 });
  expect(await told.next()).toMatchObject({ limits: new Map(), drainsWith: null });
  expect(await told.next()).toMatchObject({ limits: new Map([['provider-a', { slots: 1, requestsPerMinute: null }]]), drainsWith: null });
  expect(await reportOf((call) => call.finish())).toMatchObject({ outcome: 'completed' });
});

it('a worker that cannot take work of one of its providers takes none, and takes each once when it is asked again', async () => {
  const { consume } = transport;
  const taken = new Map<string, number>();
  let isRefused = false;
  transport.consume = async (queue, slots, handle) => {
    const name = 'provider' in queue ? queue.provider : queue.kind;
    if (isRefused && name === 'provider-c') throw new Error('the stream is being made anew');
    const subscription = await consume.call(transport, queue, slots, handle);
    taken.set(name, (taken.get(name) ?? 0) + 1);
    return {
      stop: () => {
        taken.set(name, (taken.get(name) ?? 0) - 1);
        return subscription.stop();
      },
    };
  };
  const both = workerWith({ others: ['provider-c'] });
  await both.start();
  both.pause();
  isRefused = true;
  await expect(both.resume()).rejects.toThrow('the stream is being made anew');
  expect(Object.fromEntries(taken)).toEqual({ 'provider-a': 0, 'provider-c': 0 });
  isRefused = false;
  await both.resume();
  expect(Object.fromEntries(taken)).toEqual({ 'provider-a': 1, 'provider-c': 1 });
  expect(await reportOf((call) => call.finish())).toMatchObject({ outcome: 'completed' });
});

describe('a worker that stops', () => {
  it('before it has started ends at once, and takes nothing after that', async () => {
    let queues = 0;
    const consume: Transport['consume'] = async () => {
      queues += 1;
      return { stop: async () => undefined };
    };
    transport = Object.assign(Object.create(transport) as Transport, { consume });
    const stopping = workerWith({});
    await stopping.stop(60_000);
    await stopping.resume();
    expect(queues).toBe(0);
  });

  it('while it starts takes nothing, and says nothing of what it would take', async () => {
    const told: unknown[] = [];
    await transport.subscribe(workerLimitsSubject('provider-a'), (payload) => told.push(payload));
    const begun = Promise.withResolvers<void>();
    let isServed = false;
    const consume: Transport['consume'] = async () => {
      await begun.promise;
      isServed = true;
      return { stop: async () => void (isServed = false) };
    };
    transport = Object.assign(Object.create(transport) as Transport, { consume });
    const stopping = workerWith({});
    const started = stopping.start();
    const stopped = stopping.stop(60_000);
    begun.resolve();
    await Promise.all([started, stopped]);
    expect([isServed, told]).toEqual([false, []]);
  });

  it('leaves no timer behind', async () => {
    jest.useFakeTimers();
    try {
      await startWorker();
      await worker?.stop(60_000);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});

it('a worker does not start where one of its queues cannot be read', async () => {
  const consume = () => Promise.reject(new Error('no such queue'));
  transport = Object.assign(Object.create(transport) as Transport, { consume });
  await expect(startWorker()).rejects.toThrow('no such queue');
});

describe('a step that is delivered', () => {
  /** What becomes of deliveries that are handed to the worker one after the other. */
  async function delivered(count: number, options: Options): Promise<(string | number)[]> {
    const outcomes: (string | number)[] = [];
    const handled = Promise.withResolvers<Parameters<Transport['consume']>[2]>();
    const consume: Transport['consume'] = async (_queue, _slots, handle) => {
      handled.resolve(handle);
      return { stop: async () => undefined };
    };
    transport = Object.assign(Object.create(transport) as Transport, { consume });
    await startWorker(options);
    const handle = await handled.promise;
    for (let place = 0; place < count; place += 1) {
      const work = { kind: 'step', provider: 'provider-a', jobId: 'job_1', stepId: `stp_${place}`, resumes: false } as const;
      const told = { ack: () => void outcomes.push('acknowledged'), retryAfter: (delayMs: number) => void outcomes.push(delayMs) };
      const ended = handle({ work, deliveries: 1, ...told });
      if (outcomes.length <= place) await Promise.race([ended, provider.submits.next().then((call) => call.finish())]);
      await ended;
    }
    return outcomes;
  }

  it('while its provider has no room comes again once it has, and is not claimed before', async () => {
    let claims = 0;
    const claim = async () => {
      claims += 1;
      return GRANT;
    };
    // Half a minute is the longest that a step stays away.
    expect(await delivered(2, { saga: { claim }, limits: { requestsPerMinute: 1 } })).toEqual(['acknowledged', 30_000]);
    expect(claims).toBe(1);
  });

  it('comes again after five seconds where no saga answers its claim', async () => {
    const claim = () => Promise.reject(new Error('unavailable'));
    expect(await delivered(1, { saga: { claim } })).toEqual([5_000]);
  });

  it('is done with where its claim is refused', async () => {
    const claim = async () => ({ granted: false, reason: 'step_settled' }) as const;
    expect(await delivered(1, { saga: { claim } })).toEqual(['acknowledged']);
    expect([provider.paid, reports.unseen]).toEqual([0, []]);
  });
});

describe('a report that is refused', () => {
  const refusing = (error: Error) => {
    const refused: StepResult[] = [];
    const report: SagaPort['report'] = async (request) => {
      if (refused.length === 0) {
        refused.push(request.result);
        throw error;
      }
      reports.push(request);
      return { committed: true };
    };
    return { refused, report };
  };

  it('is followed by one that only says so, with its cost and its call, and that the run is over', async () => {
    const { report } = refusing(new SagaRefused('report_unreadable'));
    await startWorker({ saga: { report } });
    expect(await reportOf((call) => call.finish())).toEqual({
      ...{ outcome: 'failed', errorClass: 'malformed', errorMessage: 'The report could not be recorded: report_unreadable' },
      ...{ charge: { micros: 10_000, provenance: 'reported' }, retryAfterMs: null, runEnded: true },
      call: expect.objectContaining({ sentSha256: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    });
  });

  it.each([
    [
      'of a failure',
      new SagaRefused('no'),
      (call: { fail: (error: ProviderError) => void }) => call.fail(new ProviderError('auth', 'No.', {})),
    ],
    ['by the domain', new DomainError('job_not_found', 'no'), (call: { finish: () => void }) => call.finish()],
  ])('%s is given up', async (_, error, answer) => {
    const { refused, report } = refusing(error);
    await startWorker({ saga: { report } });
    await ask();
    answer(await provider.submits.next());
    await worker?.stop(60_000);
    expect([refused.length, reports.unseen]).toEqual([1, []]);
    expect(logged).toMatchObject([{ reason: 'report_refused' }]);
  });
});

describe('a heartbeat', () => {
  it('is not sent again while the one before is still on its way', async () => {
    const answer = Promise.withResolvers<HeartbeatReply>();
    const beats = new Arrivals<unknown>();
    const heartbeat = (ids: unknown) => {
      beats.push(ids);
      return answer.promise;
    };
    await startWorker({ saga: { heartbeat }, heartbeatMs: 10 });
    await ask();
    const call = await provider.submits.next();
    expect(await beats.next()).toEqual(holder());
    await new Promise((next) => setTimeout(next, 60));
    expect(beats.unseen).toEqual([]);
    answer.resolve({ goOn: true });
    await beats.next();
    call.finish();
    await reports.next();
    expect(call.request.signal.aborted).toBe(false);
  });

  it.each([
    ['cancel', ['run-1']],
    ['leave', []],
  ] as const)('that ends the attempt with %j decides about the run', async (run, cancelled) => {
    let told = false;
    const heartbeat = async (): Promise<HeartbeatReply> => (told ? { goOn: false, run } : { goOn: true });
    await startWorker({ saga: { heartbeat }, heartbeatMs: 10, limits: { backgroundRuns: 1 } });
    await ask();
    (await provider.submits.next()).goOn('run-1');
    const call = await provider.polls.next();
    const aborted = new Promise((resolve) => call.request.signal.addEventListener('abort', resolve));
    told = true;
    await aborted;
    await worker?.stop(60_000);
    expect([provider.cancels.unseen, reports.unseen]).toEqual([cancelled, []]);
    expect(logged).toEqual([]);
  });
});

describe('a run in the background', () => {
  it('gives its place there back when it ends', async () => {
    await startWorker({ limits: { backgroundRuns: 1 } });
    for (const run of ['run-1', 'run-2', 'run-3']) {
      await ask();
      (await provider.submits.next()).goOn(run);
      const poll = await provider.polls.next();
      // The slot is free again, so that the next step is submitted.
      await ask();
      (await provider.submits.next()).finish();
      await reports.next();
      poll.finish();
      await reports.next();
    }
    expect(provider.paid).toBe(6);
  });

  it('holds its slot where the places are taken', async () => {
    await startWorker({ limits: { backgroundRuns: 1 } });
    for (const run of ['run-1', 'run-2']) {
      await ask();
      (await provider.submits.next()).goOn(run);
    }
    const polls = [await provider.polls.next(), await provider.polls.next()];
    await ask();
    await new Promise((next) => setTimeout(next, 30));
    expect(provider.submits.unseen).toEqual([]);
    // They may be asked about in any order; the second is the one without a place.
    const pollOf = (run: string) => polls.find(({ externalId }) => externalId === run);
    pollOf('run-2')?.finish();
    (await provider.submits.next()).finish();
    pollOf('run-1')?.finish();
    for (let reported = 0; reported < 3; reported += 1) await reports.next();
    expect(provider.paid).toBe(3);
  });

  it('that breaks off is said to have, and gives its place back', async () => {
    let isBroken = false;
    const measure = () => {
      if (isBroken) throw new Error('broken');
    };
    await startWorker({ limits: { backgroundRuns: 1 }, measure });
    for (const run of ['run-1', 'run-2']) {
      await ask();
      (await provider.submits.next()).goOn(run);
      const poll = await provider.polls.next();
      // The slot is free again, so that the next step is submitted.
      expect(await reportOf((call) => call.finish())).toMatchObject({ outcome: 'completed' });
      isBroken = true;
      poll.finish();
      await eventually(true, async () => logged.length > 0);
      expect(logged.splice(0)).toMatchObject([{ reason: 'attempt_failed', jobId: 'job_1' }]);
      isBroken = false;
    }
    await eventually(0, async () => worker?.held());
  });

  it('has a place of its own only where the worker has one', async () => {
    await startWorker({ limits: { backgroundRuns: 0 } });
    await ask();
    await ask();
    (await provider.submits.next()).goOn('run-1');
    const poll = await provider.polls.next();
    expect(provider.paid).toBe(1);
    poll.finish();
    await reports.next();
    (await provider.submits.next()).finish();
    await reports.next();
  });
});

it('work of another kind is taken from the queue and not done', async () => {
  let outcome = 'nothing';
  const consume: Transport['consume'] = async (_queue, _slots, handle) => {
    const work = { kind: 'explore', jobId: 'job_1' } as const;
    await handle({ work, deliveries: 1, ack: () => (outcome = 'acknowledged'), retryAfter: () => (outcome = 'again') });
    return { stop: async () => undefined };
  };
  transport = Object.assign(Object.create(transport) as Transport, { consume });
  await startWorker();
  expect([outcome, provider.paid]).toEqual(['acknowledged', 0]);
});
