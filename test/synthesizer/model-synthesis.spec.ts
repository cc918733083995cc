import { pino } from 'pino';
import { DomainError } from '@lib/domain/errors';
import type { RequestJob } from '@lib/domain/job/commands';
import type { TraceContext } from '@lib/domain/trace-context';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Transport } from '@lib/messaging/transport';
import type { LanguageModel } from '@lib/providers/language-model/language-model';
import { ProviderError } from '@lib/providers/research-provider';
import { newId } from '@lib/store/new-id';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { Store } from '@lib/store/store';
import type { RunTask } from '../../src/reports/report-pool';
import { Synthesizer, type SynthesizerTools } from '../../src/synthesizer/synthesizer';
import { Tracing, type FinishedSpan } from '../../src/telemetry/tracing';
import { report, start, success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { candidate, createJob, createTestStore, DEADLINES, PROCESS, TENANT, type TestStore } from '../support/store';
import { eventTypes, jobState, onJob } from '../support/streams';
import { citation } from '../synthesis/steps';

const RESERVE = 50_000;
const CHARGE = { micros: 30_000, provenance: 'computed' as const };
const SENTENCE = 'Hooks send their errors to the error handler.';
const TEXT = JSON.stringify({ sections: [{ sentences: [{ text: SENTENCE, claims: ['clm_01'] }] }] });
const WRITTEN = { text: TEXT, isCutOff: false, charge: CHARGE };

let test: TestStore;
let store: Store;
let another: Store;
/** What the model was asked: the most that each answer may cost. */
let asked: number[];
let write: LanguageModel['write'];
const model = {
  languageModel: {
    write: async (...given: Parameters<LanguageModel['write']>) => {
      asked.push(given[1]);
      return write(...given);
    },
  },
  name: 'model-1',
  priceDate: '2026-11-21',
};
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
  another = test.another();
});
afterAll(() => test.close());
beforeEach(() => {
  asked = [];
  write = async () => WRITTEN;
});

type Outcome = 'acknowledged' | 'again' | 'nothing';

/** A synthesizer that is woken by hand; `outcome` says what it made of the last wake-up so far. */
async function synthesizer(changes: Partial<SynthesizerTools> = {}) {
  let wakeUp: Parameters<Transport['consume']>[2] = async () => undefined;
  let inHand = Promise.resolve();
  const consume: Transport['consume'] = async (_queue, _slots, handle) => {
    wakeUp = handle;
    return { stop: () => inHand };
  };
  const transport = { ...createMemoryTransport(), consume };
  const tools = {
    store,
    transport,
    process: PROCESS,
    runTask: runHere,
    model,
    logger: pino({ level: 'silent' }),
    heartbeatMs: 10_000,
    ...changes,
  };
  const started = new Synthesizer(tools);
  await started.start();
  let outcome: Outcome = 'nothing';
  return {
    outcome: () => outcome,
    stop: (graceMs: number) => started.stop(graceMs),
    wake: async (jobId: string, trace: TraceContext | null = null): Promise<Outcome> => {
      outcome = 'nothing';
      const delivery = { trace, ack: () => (outcome = 'acknowledged'), retryAfter: () => (outcome = 'again') };
      inHand = wakeUp({ work: { kind: 'synthesis', jobId, first: true }, deliveries: 1, ...delivery });
      await inHand;
      return outcome;
    },
  };
}

/** A job whose steps have reported this, with something kept back for a model. */
async function reportedJob(changes: Partial<RequestJob> = {}, ...reports: string[]) {
  const request = { query: 'What of errors?', candidates: [candidate('provider-a')], synthesisReserveMicros: RESERVE, ...changes };
  const { threadId, jobId, stepIds } = await createJob(store, request);
  for (const [place, stepId] of stepIds.entries()) {
    const reportMarkdown = reports[place] ?? `${SENTENCE.slice(0, -1)} [1].`;
    const citations = [citation(1, `https://${'abc'.charAt(place)}.example/page`)];
    await onJob(store, jobId, start(stepId), report(stepId, 1, { ...success(), ...{ reportMarkdown, citations } }));
  }
  return { threadId, jobId };
}

/** Two providers say the same in words that are not found to agree without a model. */
const OPENED = 'The Sydney Harbour Bridge was opened to traffic in March 1932';
const OPENED_TOO = 'In March 1932 the Sydney Harbour Bridge opened for cars and trams';
const ABOUT_BRIDGE = JSON.stringify({ sections: [{ sentences: [{ text: `${OPENED}.`, claims: ['clm_01'] }] }] });
const comparedJob = () => {
  // A model knows the reports by the order of their steps' ids.
  const [one = '', other = ''] = [newId('stp'), newId('stp')].toSorted();
  const candidates = [
    { ...candidate('provider-a'), stepId: one },
    { ...candidate('provider-c'), stepId: other },
  ];
  return reportedJob({ candidates }, `${OPENED} [1].`, `${OPENED_TOO} [1].`);
};
const JOINED = JSON.stringify({
  claims: [{ quotes: [OPENED, OPENED_TOO].map((quote, place) => ({ report: `R${place + 1}`, quote })) }],
  disputes: [],
});

async function markdownOf({ threadId, jobId }: { threadId: string; jobId: string }): Promise<string> {
  const document = JSON.parse(String(await store.views.getJob(TENANT, threadId, jobId))) as { synthesisMarkdown: string };
  return document.synthesisMarkdown;
}

/** The store, where something happens before each of these reads or writes of a job. */
function storeWhere(before: { load?: (jobId: string) => unknown; complete?: () => unknown }): Store {
  const execute: Store['jobs']['execute'] = async (jobId, command, ...rest) => {
    if (command.type === 'CompleteJob') await before.complete?.();
    return store.jobs.execute(jobId, command, ...rest);
  };
  const load: Store['jobs']['load'] = async (jobId) => {
    await before.load?.(jobId);
    return store.jobs.load(jobId);
  };
  return { ...store, jobs: Object.assign(Object.create(store.jobs) as Store['jobs'], { execute, load }) };
}

/** A model that answers when it is told to, or breaks off with the reason of the signal. */
function slowModel() {
  const begun = Promise.withResolvers<AbortSignal>();
  const answer = Promise.withResolvers<typeof WRITTEN>();
  write = (_prompt, _reserved, signal) => {
    begun.resolve(signal);
    signal.addEventListener('abort', () => answer.reject(signal.reason as Error));
    return answer.promise;
  };
  return { begun: begun.promise, answer: () => answer.resolve(WRITTEN) };
}

describe('a report by a model', () => {
  it('is claimed in the name of the model and of its prices, and paid once', async () => {
    const job = await reportedJob();
    expect(await (await synthesizer()).wake(job.jobId)).toBe('acknowledged');
    expect(await markdownOf(job)).toContain(`## Summary\n\n${SENTENCE} [1] (clm_01)`);
    const { rows } = await store.pool.query<{ facts: object; meta: object }>(
      `select facts, meta from event where stream_id = $1 and type in ('SynthesisClaimed', 'JobCompleted') order by version`,
      [job.jobId],
    );
    expect(rows[0]?.facts).toMatchObject({ attempt: 1, model: 'model-1', priceDate: '2026-11-21', reservedMicros: RESERVE });
    for (const { meta } of rows) expect(meta).toMatchObject({ actor: 'role:synthesizer', correlationId: job.jobId });
    for (const { facts } of rows) expect(facts).toMatchObject({ process: PROCESS });
  });

  it('records each call of the model by a keyed digest of what it was sent', async () => {
    const { jobId } = await reportedJob();
    await (await synthesizer()).wake(jobId);
    const { rows } = await store.pool.query<{ calls: object[] }>(
      `select facts -> 'calls' as calls from event where stream_id = $1 and type = 'SynthesisSettled'`,
      [jobId],
    );
    const call = { sentDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string, requestIdDigest: null, status: null };
    expect(asked.length).toBeGreaterThan(0);
    expect(rows).toEqual([{ calls: asked.map(() => call) }]);
  });

  it('may cost the model no more than what is left of the reserve without the markup', async () => {
    const { jobId } = await reportedJob({ markupBasisPoints: 2_500 });
    await (await synthesizer()).wake(jobId);
    expect(asked).toEqual([40_000]);
  });

  it('is acknowledged as soon as it is claimed, and left alone by everybody else who is woken', async () => {
    const { jobId } = await reportedJob();
    const slow = slowModel();
    const first = await synthesizer();
    const writing = first.wake(jobId);
    await slow.begun;
    expect(first.outcome()).toBe('acknowledged');
    expect(await (await synthesizer({ store: another })).wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).status).toBe('synthesizing');
    slow.answer();
    await writing;
    expect(asked).toHaveLength(1);
    expect((await jobState(store, jobId)).status).toBe('completed');
  });

  it('is broken off with the first heartbeat after its job was cancelled, and not at one that the database does not answer', async () => {
    const { jobId } = await reportedJob();
    const slow = slowModel();
    const heartbeats = { unanswered: 0 };
    const failing = storeWhere({
      load: () => {
        if (asked.length === 0 || heartbeats.unanswered === 3) return;
        heartbeats.unanswered += 1;
        throw new StoreUnavailable(new Error('away'));
      },
    });
    const { wake } = await synthesizer({ store: failing, heartbeatMs: 5 });
    const writing = wake(jobId);
    const signal = await slow.begun;
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    while (heartbeats.unanswered < 3) await new Promise((next) => setTimeout(next, 5));
    expect(signal.aborted).toBe(false);
    await onJob(another, jobId, { type: 'CancelJob' });
    await aborted;
    await writing;
    expect((await eventTypes(store, jobId)).slice(-2)).toEqual(['SynthesisClaimed', 'JobCancelled']);
  });

  it('is left by a process that is told to stop, and its wake-up has been answered', async () => {
    const { jobId } = await reportedJob();
    const slow = slowModel();
    const stopping = await synthesizer();
    const writing = stopping.wake(jobId);
    await slow.begun;
    await stopping.stop(1);
    await writing;
    expect(stopping.outcome()).toBe('acknowledged');
    expect((await eventTypes(store, jobId)).at(-1)).toBe('SynthesisClaimed');
  });

  it('that is written within the grace of a process that is told to stop is kept', async () => {
    const { jobId } = await reportedJob();
    const slow = slowModel();
    const stopping = await synthesizer();
    void stopping.wake(jobId);
    await slow.begun;
    const stopped = stopping.stop(60_000);
    slow.answer();
    await stopped;
    expect((await jobState(store, jobId)).status).toBe('completed');
  });

  it('goes on being written while its job is under way, and the job is not asked for once it is written', async () => {
    const { jobId } = await reportedJob();
    const slow = slowModel();
    let loads = 0;
    const thrice = Promise.withResolvers<void>();
    const load = () => {
      loads += 1;
      if (asked.length > 0 && loads > 4) thrice.resolve();
    };
    const { wake } = await synthesizer({ store: storeWhere({ load }), heartbeatMs: 5 });
    const writing = wake(jobId);
    const signal = await slow.begun;
    await thrice.promise;
    expect(signal.aborted).toBe(false);
    slow.answer();
    await writing;
    expect((await jobState(store, jobId)).status).toBe('completed');
    const before = loads;
    // Timers end in the order in which they are due: a heartbeat would come before this one.
    await new Promise((next) => setTimeout(next, 20));
    expect(loads).toBe(before);
  });

  it('whose job no longer wants it is not committed again', async () => {
    const { jobId } = await reportedJob();
    let tries = 0;
    const complete = (): never => {
      tries += 1;
      throw new DomainError('job_not_found', 'erased meanwhile');
    };
    await (await synthesizer({ store: storeWhere({ complete }) })).wake(jobId);
    expect(tries).toBe(1);
  });

  it('that the database does not take is left at once by a process whose grace is over', async () => {
    const { jobId } = await reportedJob();
    const refused = Promise.withResolvers<void>();
    const complete = (): never => {
      refused.resolve();
      throw new StoreUnavailable(new Error('away'));
    };
    const stopping = await synthesizer({ store: storeWhere({ complete }) });
    const writing = stopping.wake(jobId);
    await refused.promise;
    // It is tried again after a second.
    const pause = AbortSignal.timeout(900);
    await stopping.stop(1);
    await writing;
    expect(pause.aborted).toBe(false);
    expect((await eventTypes(store, jobId)).at(-1)).toBe('SynthesisClaimed');
  });

  it('that is told in spans of its job’s trace says what each call was for', async () => {
    const { jobId } = await comparedJob();
    write = async (_prompt, micros) => ({
      ...WRITTEN,
      text: asked.length === 1 ? JOINED : ABOUT_BRIDGE,
      charge: { ...CHARGE, micros: micros / 5 },
    });
    const spans: FinishedSpan[] = [];
    const tracing = new Tracing((span) => void spans.push(span), { ratio: 1, followsCaller: true });
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };
    await (await synthesizer({ tracing })).wake(jobId, trace);
    for (const { context, parentSpanId } of spans) expect([context.traceId, parentSpanId]).toEqual([trace.traceId, trace.spanId]);
    expect(spans.map(({ name, kind, attributes }) => [name, kind, attributes['research.purpose'], attributes['research.job_id']])).toEqual([
      ['call model', 'client', 'compare', jobId],
      ['call model', 'client', 'summarize', jobId],
      ['synthesize', 'internal', undefined, undefined],
    ]);
  });

  it('that the process was told to leave while it waits for a thread is left at once', async () => {
    const { jobId } = await reportedJob();
    const failed = Promise.withResolvers<void>();
    const runTask: RunTask = async (task, ...given) => {
      if (task !== 'synthesizeWithSummary') return runHere(task, ...given);
      failed.resolve();
      throw new Error('a thread that ended');
    };
    const stopping = await synthesizer({ runTask });
    const writing = stopping.wake(jobId);
    await failed.promise;
    // The pause takes half a second at least.
    const pause = AbortSignal.timeout(450);
    await stopping.stop(1);
    await writing;
    expect(pause.aborted).toBe(false);
  });

  it('that no thread can put together is tried with growing pauses until the claim is about to end, and then left', async () => {
    const { jobId } = await reportedJob({ deadlines: { ...DEADLINES, synthesisMs: 6_000 } });
    let tries = 0;
    const runTask: RunTask = async (task, ...given) => {
      if (task !== 'synthesizeWithSummary') return runHere(task, ...given);
      tries += 1;
      throw new Error('a thread that ended');
    };
    const begun = performance.now();
    // Of the lease of two seconds, 0.4 are left for the commit.
    await (await synthesizer({ runTask })).wake(jobId);
    expect(performance.now() - begun).toBeGreaterThan(1_500);
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThan(6);
    expect((await jobState(store, jobId)).status).toBe('synthesizing');
  });
});

describe('reports of several providers', () => {
  const CHARGES = [10_000, 20_000];
  const paying = (texts: string[]): void => {
    write = async (prompt) => {
      prompts.push(prompt.input);
      const place = asked.length - 1;
      return { text: texts[place] ?? '', isCutOff: false, charge: { ...CHARGE, micros: CHARGES[place] ?? 0 } };
    };
  };
  let prompts: string[];
  beforeEach(() => {
    prompts = [];
  });

  it('are compared first, for half of the reserve, and written about for what is left', async () => {
    const job = await comparedJob();
    paying([JOINED, ABOUT_BRIDGE]);
    expect(await (await synthesizer()).wake(job.jobId)).toBe('acknowledged');
    expect(asked).toEqual([RESERVE / 2, RESERVE - 10_000]);
    expect(prompts[1]).toContain('clm_01');
    expect(prompts[1]).not.toContain('clm_02');
    expect(await markdownOf(job)).toContain(`1. ${OPENED}. [1][2] (provider-a, provider-c; high)`);
    expect(await markdownOf(job)).toContain('1 agreement and 0 disputes that a model proposed');
    expect((await jobState(store, job.jobId)).totals).toMatchObject({ chargedMicros: 30_000, lostMicros: 0 });
  });

  it('of which nothing readable is proposed are written about as they are found without it', async () => {
    const job = await comparedJob();
    paying(['No.', ABOUT_BRIDGE]);
    await (await synthesizer()).wake(job.jobId);
    expect(prompts[1]).toContain('clm_02');
    expect((await jobState(store, job.jobId)).totals).toMatchObject({ chargedMicros: 30_000, lostMicros: 0 });
  });

  it.each([0, 1])('cost at least what is known where one of the two calls does not tell its charge (call %i)', async (unknown) => {
    const job = await comparedJob();
    write = async () => {
      const place = asked.length - 1;
      if (place === unknown) throw new ProviderError('overloaded', 'Too busy.');
      return { text: [JOINED, ABOUT_BRIDGE][place] ?? '', isCutOff: false, charge: CHARGE };
    };
    await (await synthesizer()).wake(job.jobId);
    expect((await jobState(store, job.jobId)).totals).toMatchObject({ chargedMicros: 30_000 });
  });

  it('leave nothing for writing where comparing them has cost more than was kept, and never less', async () => {
    const job = await comparedJob();
    write = async () => ({ ...WRITTEN, text: JOINED, charge: { ...CHARGE, micros: RESERVE + 1 } });
    await (await synthesizer()).wake(job.jobId);
    expect(asked[1]).toBe(0);
  });
});

describe('a model that gives no usable text', () => {
  const reasons = async (jobId: string): Promise<string[]> => {
    const logged: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void logged.push(line) });
    expect(await (await synthesizer({ logger })).wake(jobId)).toBe('acknowledged');
    return logged.map((line) => (JSON.parse(line) as { reason: string }).reason);
  };

  it('is told of, in the log and with its reason in the report, at the cost that it names', async () => {
    const job = await reportedJob();
    write = () => Promise.reject(new ProviderError('overloaded', 'Too busy.', { charge: CHARGE }));
    expect(await reasons(job.jobId)).toEqual(['written_without_model']);
    expect((await markdownOf(job)).split('\n')[0]).toBe('*Written without the model: Too busy.*');
    expect((await jobState(store, job.jobId)).totals).toMatchObject({ chargedMicros: 30_000, lostMicros: 0 });
  });

  it('is the only one that is told of', async () => {
    expect(await reasons((await reportedJob()).jobId)).toEqual([]);
  });
});

describe('a report for which no model is asked says why', () => {
  const expectWithout = async (job: { threadId: string; jobId: string }, reason: string) => {
    expect(asked).toEqual([]);
    expect((await markdownOf(job)).split('\n')[0]).toBe(`*Written without the model: ${reason}*`);
    expect((await jobState(store, job.jobId)).totals).toMatchObject({ chargedMicros: 0 });
  };

  it('because this process has none', async () => {
    const job = await reportedJob();
    await (await synthesizer({ model: null })).wake(job.jobId);
    await expectWithout(job, 'the process that wrote this has none configured.');
  });

  it('because nothing is claimed', async () => {
    const job = await reportedJob({}, '');
    await (await synthesizer()).wake(job.jobId);
    await expectWithout(job, 'there is no claim to write about.');
  });

  const claimed = async (jobId: string, attempt: number) => {
    // By another process: what this one remembers of the job is older.
    await onJob(another, jobId, { type: 'ClaimSynthesis', claimId: `claim ${attempt}`, model: 'model-1', priceDate: null });
    await onJob(another, jobId, { type: 'LoseSynthesis', attempt });
  };

  it('because two attempts were lost', async () => {
    const job = await reportedJob();
    await claimed(job.jobId, 1);
    await claimed(job.jobId, 2);
    await (await synthesizer()).wake(job.jobId);
    await expectWithout(job, '2 attempts were lost, and there is no room for another one.');
  });

  /** Some time after its last step has reported. */
  const later = async (seconds: number) => {
    const now = () => new Date(store.now().getTime() + seconds * 1_000);
    return synthesizer({ store: Object.assign(Object.create(store) as Store, { now }) });
  };

  it('because it had waited for longer than one attempt may take', async () => {
    const job = await reportedJob();
    await (await later(101)).wake(job.jobId);
    await expectWithout(job, 'the report had waited for 101 s to be written, which leaves too little time for a model.');
  });

  it('but a model is asked before that, and once more after an attempt that was lost', async () => {
    const [waiting, tried] = [await reportedJob(), await reportedJob()];
    await (await later(95)).wake(waiting.jobId);
    await claimed(tried.jobId, 1);
    await (await later(195)).wake(tried.jobId);
    expect(asked).toHaveLength(2);
    for (const job of [waiting, tried]) expect(await markdownOf(job)).toMatch(/^## Summary/);
  });

  it('because the model did not answer three others in time', async () => {
    const { wake } = await synthesizer();
    write = () => Promise.reject(new ProviderError('timeout', 'It was silent.'));
    for (let timeouts = 1; timeouts <= 3; timeouts += 1) await wake((await reportedJob()).jobId);
    expect(asked).toHaveLength(3);
    const last = await reportedJob();
    asked = [];
    await wake(last.jobId);
    await expectWithout(last, 'it did not answer 3 times in a row, and is left alone for a while.');
  });

  it('because one was lost and the budget has no room for another', async () => {
    const job = await reportedJob({ budgetTier: 'XXS', budgetCapCents: 5 });
    await claimed(job.jobId, 1);
    await (await synthesizer()).wake(job.jobId);
    await expectWithout(job, 'one attempt was lost, and there is no room for another one.');
  });
});

describe('what was written without being paid', () => {
  it('is left by a process whose grace is over, without an answer to its wake-up', async () => {
    const { jobId } = await reportedJob({ synthesisReserveMicros: 0 });
    const begun = Promise.withResolvers<void>();
    const runTask: RunTask = () => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    const stopping = await synthesizer({ runTask });
    const working = stopping.wake(jobId);
    await begun.promise;
    await stopping.stop(1);
    expect(await working).toBe('nothing');
  });

  it('is committed once, and woken for again where the database cannot take it', async () => {
    const { jobId } = await reportedJob({ synthesisReserveMicros: 0 });
    let tries = 0;
    const away = storeWhere({
      complete: () => {
        tries += 1;
        throw new StoreUnavailable(new Error('away'));
      },
    });
    const logged: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
    expect(await (await synthesizer({ store: away, logger })).wake(jobId)).toBe('again');
    expect(tries).toBe(1);
    expect(logged.map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual(['synthesis_failed']);
  });
});
