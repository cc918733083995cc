import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import type { CompleteJob, StepResult } from '@lib/domain/job/commands';
import { createMemoryTransport } from '@lib/messaging/memory-transport';
import type { Work } from '@lib/messaging/subjects';
import type { Delivery, Transport } from '@lib/messaging/transport';
import type { LanguageModel } from '@lib/providers/language-model/language-model';
import type { StoreAlert } from '@lib/store/alert';
import { openStore, type Store } from '@lib/store/store';
import { StoreUnavailable } from '@lib/store/postgres/store-unavailable';
import type { SynthesisInput } from '@lib/synthesis/synthesis';
import type { RunTask } from '../../src/reports/report-pool';
import { PoolTimeout } from '../../src/reports/pool-timeout';
import { Synthesizer } from '../../src/synthesizer/synthesizer';
import { Tracing, type FinishedSpan } from '../../src/telemetry/tracing';
import { complete, failure, report, start, success } from '../support/job-history';
import { startPostgresProxy } from '../support/postgres-proxy';
import { runHere } from '../support/run-task';
import { candidate, createJob, createTestStore, PROCESS, TENANT, type TestStore } from '../support/store';
import { deleteThread, eventTypes, jobState, onJob } from '../support/streams';
import { citation } from '../synthesis/steps';

const HEARTBEAT_MS = 10_000;

let test: TestStore;
let store: Store;
let transport: Transport;
/** Hands a wake-up to the synthesizer and says what became of it. */
let wake: (jobId: string, hints?: { first?: boolean; deliveries?: number }) => Promise<'acknowledged' | 'again' | 'nothing'>;
/** Of the wake-ups that were handed back. */
const waits: number[] = [];
let inputs: SynthesisInput[];
let synthesize: (input: SynthesisInput) => CompleteJob | Promise<CompleteJob>;
/** So many threads fail while they put a model's text into the report. */
let failingThreads = 0;
/** Of the tasks, the synthesis is the test's own. */
const runTask: RunTask = async (task, ...given) => {
  if (task === 'synthesizeWithSummary' && failingThreads-- > 0) throw new Error('a thread that ended');
  if (task !== 'synthesize') return runHere(task, ...given);
  const [input] = given as [SynthesisInput];
  inputs.push(input);
  return (await synthesize(input)) as never;
};
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
});
afterAll(() => test.close());
beforeEach(async () => {
  inputs = [];
  synthesize = () => complete;
  transport = createMemoryTransport();
  let handle: (delivery: Delivery) => Promise<void> = async () => undefined;
  transport.consume = async (_queue, _slots, given) => {
    handle = given;
    return { stop: async () => undefined };
  };
  await new Synthesizer(tools()).start();
  wake = async (jobId, { first = false, deliveries = 1 } = {}) => {
    let outcome: Awaited<ReturnType<typeof wake>> = 'nothing';
    const delivery: Delivery = {
      work: { kind: 'synthesis', jobId, first },
      deliveries,
      ack: () => (outcome = 'acknowledged'),
      retryAfter: (milliseconds) => {
        waits.push(milliseconds);
        outcome = 'again';
      },
    };
    await handle(delivery);
    return outcome;
  };
});
afterEach(() => transport.close());

const tools = () => ({
  store,
  transport,
  process: PROCESS,
  runTask,
  model: null,
  logger: pino({ level: 'silent' }),
  heartbeatMs: HEARTBEAT_MS,
});

/** A job of four steps: completed, failed, skipped for the budget, stopped by the deadline. */
async function synthesizingJob() {
  const candidates = [
    candidate('provider-a'),
    candidate('provider-c'),
    candidate('provider-d', { min: 99_000_000, max: 99_000_000 }),
    candidate('provider-e'),
  ];
  const job = await createJob(store, { query: 'How high?', candidates });
  const [one = '', two = '', , four = ''] = job.stepIds;
  await onJob(store, job.jobId, start(one), report(one, 1, success()));
  await onJob(
    store,
    job.jobId,
    start(two),
    report(two, 1, failure({ errorClass: 'auth', errorMessage: 'The key was refused.' })),
    start(four),
  );
  await onJob(store, job.jobId, { type: 'ReachDeadline', phase: 'running' });
  return job;
}

async function reasonOfFailure(jobId: string): Promise<string | undefined> {
  const text = `select facts ->> 'reason' as reason from event where stream_id = $1 and type = 'JobFailed'`;
  return (await store.pool.query<{ reason: string }>(text, [jobId])).rows[0]?.reason;
}

describe('a synthesis', () => {
  it('is made of every step, those that failed with their reason', async () => {
    const { threadId, jobId } = await synthesizingJob();
    expect(await wake(jobId)).toBe('acknowledged');
    expect(inputs).toMatchObject([
      {
        ...{ query: 'How high?', mode: 'fast', tier: 'M' },
        steps: [
          { provider: 'provider-a', status: 'completed', reportMarkdown: 'So it is [1].', errorMessage: null },
          { provider: 'provider-c', status: 'failed', reportMarkdown: '', errorMessage: 'The key was refused.' },
          { provider: 'provider-d', status: 'skipped', errorMessage: expect.stringContaining('budget') as string },
          { provider: 'provider-e', status: 'failed', errorMessage: expect.stringContaining('deadline') as string },
        ],
      },
    ]);
    expect(String(await store.views.getJob(TENANT, threadId, jobId))).toContain('"synthesisMarkdown":"# Report"');
  });

  it('that has been made is not made again', async () => {
    const { jobId } = await synthesizingJob();
    expect([await wake(jobId), await wake(jobId), await wake('job_unknown')]).toEqual(['acknowledged', 'acknowledged', 'acknowledged']);
    expect(inputs).toHaveLength(1);
    expect((await eventTypes(store, jobId)).filter((type) => type === 'JobCompleted')).toHaveLength(1);
  });

  it('is not made before it is due', async () => {
    const { jobId } = await createJob(store);
    expect(await wake(jobId)).toBe('acknowledged');
    expect(inputs).toEqual([]);
  });

  it('is recorded in the name of the role and of its process', async () => {
    const { jobId } = await synthesizingJob();
    await wake(jobId);
    const text = `select facts, meta from event where stream_id = $1 and type = 'JobCompleted'`;
    expect((await store.pool.query(text, [jobId])).rows).toMatchObject([
      { facts: { process: PROCESS }, meta: { actor: 'role:synthesizer', correlationId: jobId } },
    ]);
  });

  it('is made of what this process remembers of the job, without a read of its history', async () => {
    const { jobId } = await synthesizingJob();
    const load = (): never => {
      throw new Error('its history was read');
    };
    const jobs = Object.assign(Object.create(store.jobs) as Store['jobs'], { load });
    await new Synthesizer({ ...tools(), store: { ...store, jobs } }).start();
    expect(await wake(jobId, { first: true })).toBe('acknowledged');
    expect((await jobState(store, jobId)).status).toBe('completed');
  });

  it('is made of a report that another process recorded, whatever this one remembers of the job', async () => {
    const { jobId, stepIds } = await createJob(store, { candidates: [candidate('provider-a')] });
    await onJob(store, jobId, start(stepIds[0] ?? ''));
    await onJob(test.another(), jobId, report(stepIds[0] ?? '', 1, success()));
    expect((await store.jobs.recall(jobId)).status).toBe('running');
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).status).toBe('completed');
  });

  it('is made once if its wake-up comes again meanwhile, which waits and counts no try', async () => {
    const { jobId } = await synthesizingJob();
    expect(await Promise.all([wake(jobId), wake(jobId)])).toEqual(['acknowledged', 'again']);
    expect(inputs).toHaveLength(1);
    expect((await eventTypes(store, jobId)).filter((type) => type === 'JobCompleted')).toHaveLength(1);
  });

  it('of a thread that was deleted is given up', async () => {
    const { threadId, jobId } = await synthesizingJob();
    await deleteThread(test.another(), threadId);
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await eventTypes(store, jobId)).at(-1)).toBe('ContentErased');
  });

  it('that finds the thread deleted only when it commits is given up', async () => {
    const { threadId, jobId } = await synthesizingJob();
    await wake('job_unknown');
    const deleting = deleteThread(test.another(), threadId);
    expect(['acknowledged', 'again']).toContain(await wake(jobId));
    await deleting;
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).erased).toBe(true);
  });
});

describe('a synthesis that this process made due', () => {
  const due = (jobId: string): Work => ({ kind: 'synthesis', jobId, first: true });
  let synthesizer: Synthesizer;
  let dispatched: Work[];
  beforeEach(() => {
    dispatched = [];
    transport.dispatch = async (work) => {
      dispatched.push(work);
      return 'queued';
    };
    synthesizer = new Synthesizer(tools());
  });

  it('is begun at once, without the queue', async () => {
    const { jobId } = await synthesizingJob();
    expect(synthesizer.take(due(jobId))).toBe(true);
    await synthesizer.stop(60_000);
    expect((await jobState(store, jobId)).status).toBe('completed');
    expect(dispatched).toEqual([]);
  });

  it('is not done twice where the queue brings it meanwhile', async () => {
    const { jobId } = await synthesizingJob();
    await synthesizer.start();
    expect(synthesizer.take(due(jobId))).toBe(true);
    expect(await wake(jobId)).toBe('again');
    await synthesizer.stop(60_000);
    expect(inputs).toHaveLength(1);
  });

  it('comes again through the queue if it fails, and is counted then', async () => {
    const { jobId } = await synthesizingJob();
    synthesize = () => {
      throw new Error('a report that no synthesizer can stand');
    };
    const again = Promise.withResolvers<Work>();
    transport.dispatch = async (work) => {
      again.resolve(work);
      return 'queued';
    };
    expect(synthesizer.take(due(jobId))).toBe(true);
    expect(await again.promise).toEqual({ kind: 'synthesis', jobId, first: false });
  });

  it('goes through the queue where too many are under way, and where the process is stopping', async () => {
    const { promise: blocked, resolve: goOn } = Promise.withResolvers<CompleteJob>();
    synthesize = () => blocked;
    const jobs = await Promise.all(Array.from({ length: 13 }, () => synthesizingJob()));
    expect(jobs.map(({ jobId }) => synthesizer.take(due(jobId)))).toEqual([...Array<boolean>(12).fill(true), false]);
    const stopped = synthesizer.stop(60_000);
    goOn(complete);
    await stopped;
    expect(synthesizer.take(due(jobs[12]?.jobId ?? ''))).toBe(false);
  });

  it('makes room for another when it has ended, and is told in spans of its job’s trace', async () => {
    const request = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), sampled: true };
    const spans: FinishedSpan[] = [];
    const ended = Promise.withResolvers<void>();
    const write = (span: FinishedSpan): void => {
      spans.push(span);
      if (spans.filter(({ name }) => name === 'process work.synthesis').length === 12) ended.resolve();
    };
    synthesizer = new Synthesizer({ ...tools(), tracing: new Tracing(write, { ratio: 1, followsCaller: true }) });
    const { jobId } = await synthesizingJob();
    for (const id of [jobId, ...Array.from({ length: 11 }, (_, place) => `job_unknown_${place}`)])
      expect(synthesizer.take(due(id), request)).toBe(true);
    await ended.promise;
    await nextTurn();
    expect(synthesizer.take(due('job_unknown'), request)).toBe(true);
    await synthesizer.stop(60_000);
    const delivery = spans.find(({ attributes }) => attributes['research.job_id'] === jobId);
    expect(delivery).toMatchObject({ kind: 'consumer', links: [request], context: { traceId: request.traceId } });
    const made = spans.filter(({ name }) => name === 'synthesize');
    expect(made).toMatchObject([{ kind: 'internal', parentSpanId: delivery?.context.spanId, failed: false }]);
  });

  it('alone is taken', () => {
    expect(synthesizer.take({ kind: 'explore', jobId: 'job_other' })).toBe(false);
  });
});

describe('a synthesis under way', () => {
  it('is dropped if its job is cancelled meanwhile', async () => {
    const { jobId } = await synthesizingJob();
    const working = synthesize;
    synthesize = async (input) => {
      await onJob(test.another(), jobId, { type: 'CancelJob' });
      return working(input);
    };
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await eventTypes(store, jobId)).at(-1)).toBe('JobCancelled');
  });

  it('is left to another synthesizer by one that is told to stop, after its grace', async () => {
    const { jobId } = await synthesizingJob();
    const working = synthesize;
    const begun = Promise.withResolvers<void>();
    synthesize = () => {
      begun.resolve();
      return new Promise(() => undefined);
    };
    const queue = createMemoryTransport();
    const stopped = new Synthesizer({ ...tools(), transport: queue });
    await stopped.start();
    await queue.dispatch({ kind: 'synthesis', jobId, first: true });
    await begun.promise;
    await stopped.stop(1);
    await queue.close();
    synthesize = working;
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).status).toBe('completed');
  });
});

describe('a synthesis that throws', () => {
  it('is tried again', async () => {
    const { jobId } = await synthesizingJob();
    const working = synthesize;
    synthesize = () => {
      throw new Error('a report that no synthesizer can stand');
    };
    expect(await wake(jobId)).toBe('again');
    synthesize = working;
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).status).toBe('completed');
  });

  it('has its time run from its second try', async () => {
    const { jobId } = await synthesizingJob();
    synthesize = () => {
      throw new Error('a report that no synthesizer can stand');
    };
    const text = `select round(extract(epoch from due_at - clock_timestamp()) / 60)::int as minutes from agenda where job_id = $1 and kind = 'job deadline'`;
    const minutesLeft = async () => (await store.pool.query<{ minutes: number }>(text, [jobId])).rows[0]?.minutes;
    await wake(jobId, { first: true });
    expect(await minutesLeft()).toBe(24 * 60);
    await wake(jobId, { first: true, deliveries: 2 });
    expect(await minutesLeft()).toBe(5);
  });

  it('has its time run also where a report cannot be opened, of which a person is told', async () => {
    const { jobId } = await synthesizingJob();
    await store.pool.query('alter table event disable trigger user');
    await store.pool.query(`update event set sealed = 'short' where stream_id = $1 and type = 'StepCompleted'`, [jobId]);
    await store.pool.query('alter table event enable trigger user');
    // Of a process that remembers nothing.
    const another = test.another();
    const alerts: StoreAlert[] = [];
    another.onAlert((alert) => alerts.push(alert));
    await new Synthesizer({ ...tools(), store: another }).start();
    expect(await wake(jobId, { first: true })).toBe('again');
    expect(await wake(jobId, { first: true, deliveries: 2 })).toBe('again');
    expect(alerts).toMatchObject([{ reason: 'corrupt_content' }, { reason: 'corrupt_content' }]);
    const text = `select round(extract(epoch from due_at - clock_timestamp()) / 60)::int as minutes from agenda where job_id = $1 and kind = 'job deadline'`;
    expect((await store.pool.query(text, [jobId])).rows).toEqual([{ minutes: 5 }]);
  });

  it('each time is tried for as long as the synthesis may take, and ends with its deadline', async () => {
    const { jobId } = await synthesizingJob();
    synthesize = () => {
      throw new Error('a report that no synthesizer can stand');
    };
    expect(await wake(jobId, { first: true })).toBe('again');
    for (let deliveries = 2; deliveries <= 30; deliveries += 1) expect(await wake(jobId, { deliveries })).toBe('again');
    expect(inputs).toHaveLength(30);
    await onJob(store, jobId, { type: 'ReachDeadline', phase: 'synthesis' });
    expect(await wake(jobId)).toBe('acknowledged');
    expect(await reasonOfFailure(jobId)).toBe('synthesis_failed');
  });

  it('since no thread reads its reports in time ends its job after five tries, also before the deadline', async () => {
    const { jobId } = await synthesizingJob();
    synthesize = () => {
      throw new PoolTimeout(60_000, null);
    };
    for (let deliveries = 2; deliveries <= 6; deliveries += 1) expect(await wake(jobId, { deliveries })).toBe('again');
    expect(await wake(jobId, { deliveries: 7 })).toBe('acknowledged');
    expect(inputs).toHaveLength(5);
    expect(await reasonOfFailure(jobId)).toBe('synthesis_failed');
  });

  it('is tried again after waits that grow from a second to a quarter of a minute', async () => {
    const { jobId } = await synthesizingJob();
    synthesize = () => {
      throw new Error('a thread that ended');
    };
    waits.length = 0;
    for (let deliveries = 1; deliveries <= 12; deliveries += 1) await wake(jobId, { deliveries });
    const longest = [1, 2, 4, 8, ...Array<number>(8).fill(15)].map((seconds) => seconds * 1_000);
    waits.forEach((wait, place) => expect([place, wait <= (longest[place] ?? 0)]).toEqual([place, true]));
    waits.forEach((wait, place) => expect([place, wait >= (longest[place] ?? 0) / 2]).toEqual([place, true]));
    // Failures that pass within a minute do not use them up.
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(60_000);
  });

  it('because the database cannot tell the history for a while is made once it can', async () => {
    const { jobId } = await synthesizingJob();
    const elsewhere = new Synthesizer({ ...tools(), store: test.another() });
    await elsewhere.start();
    await store.pool.query('alter table event rename to event_away');
    for (let deliveries = 1; deliveries <= 8; deliveries += 1) expect(await wake(jobId, { deliveries })).toBe('again');
    await store.pool.query('alter table event_away rename to event');
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).status).toBe('completed');
  });

  it('because its history is corrupt is left until it may have been restored', async () => {
    const { jobId } = await synthesizingJob();
    const sound = 'select version, facts from event where stream_id = $1';
    const { rows } = await store.pool.query<{ version: number; facts: object }>(sound, [jobId]);
    await store.pool.query('alter table event disable trigger user');
    await store.pool.query(`update event set facts = '{}' where stream_id = $1`, [jobId]);
    await new Synthesizer({ ...tools(), store: test.another() }).start();
    expect(await wake(jobId)).toBe('acknowledged');
    expect(inputs).toEqual([]);
    const restore = 'update event set facts = $3 where stream_id = $1 and version = $2';
    for (const { version, facts } of rows) await store.pool.query(restore, [jobId, version, facts]);
    await store.pool.query('alter table event enable trigger user');
  });

  it('because a newer build has written to the job is left to that build, for as long as it takes', async () => {
    const { jobId } = await synthesizingJob();
    await store.pool.query(
      `insert into event (stream_id, version, event_id, type, schema_version, facts, meta, prev_hash, hash)
        select stream_id, version + 1, 'evt_newer', 'StepDreamt', 1, '{}', meta, hash, hash
        from event where stream_id = $1 order by version desc limit 1`,
      [jobId],
    );
    const logged: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
    await new Synthesizer({ ...tools(), logger }).start();
    for (let deliveries = 1; deliveries <= 8; deliveries += 1) expect(await wake(jobId, { deliveries })).toBe('again');
    expect(new Set(logged.map((line) => (JSON.parse(line) as { reason: string }).reason))).toEqual(new Set(['newer_history']));
    expect((await eventTypes(store, jobId)).at(-1)).toBe('StepDreamt');
    const { rows } = await store.pool.query(`select tries from agenda where job_id = $1 and kind = 'dispatch synthesis'`, [jobId]);
    expect(rows).toEqual([{ tries: 0 }]);
  });

  it('and whose try cannot be given back for an outage has it given back with the next one', async () => {
    const { jobId } = await synthesizingJob();
    const proxy = await startPostgresProxy(test.databaseUrl);
    const { masterKey } = test;
    const behind = openStore({
      databaseUrl: proxy.url,
      connections: 2,
      masterKeys: [masterKey],
      leaseMs: 30_000,
      redispatchFirstMs: 10_000,
    });
    await new Synthesizer({ ...tools(), store: behind }).start();
    const working = synthesize;
    synthesize = () => {
      proxy.interrupt();
      throw new Error('a thread that ended with the database');
    };
    for (let tries = 1; tries <= 7; tries += 1) {
      expect(await wake(jobId)).toBe('again');
      proxy.resume();
    }
    synthesize = working;
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).status).toBe('completed');
    await behind.close();
    await proxy.close();
  });
});

describe('a synthesis that kills its process', () => {
  it('each time ends the job after five tries', async () => {
    const { threadId, jobId } = await synthesizingJob();
    // A process that dies has counted its try and says nothing.
    for (let tries = 1; tries <= 5; tries += 1) await test.another().agenda.beginSynthesis(jobId);
    expect(await wake(jobId)).toBe('acknowledged');
    expect(inputs).toHaveLength(0);
    expect(await reasonOfFailure(jobId)).toBe('synthesis_failed');
    expect(String(await store.views.getJob(TENANT, threadId, jobId))).toContain('"status":"failed"');
  });

  it('four times may be made with the fifth try', async () => {
    const { jobId } = await synthesizingJob();
    for (let tries = 1; tries <= 4; tries += 1) await test.another().agenda.beginSynthesis(jobId);
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await jobState(store, jobId)).status).toBe('completed');
  });

  it('is counted from its second try on, whoever dispatched it', async () => {
    const { jobId } = await synthesizingJob();
    const counted: (number | null)[] = [];
    synthesize = async () => {
      const { rows } = await store.pool.query<{ tries: number }>('select tries from agenda where job_id = $1 and kind = $2', [
        jobId,
        'dispatch synthesis',
      ]);
      counted.push(rows[0]?.tries ?? null);
      throw new Error('not yet');
    };
    await wake(jobId, { first: true });
    await wake(jobId, { first: true, deliveries: 2 });
    await test.another().agenda.beginSynthesis(jobId);
    await wake(jobId);
    expect(counted).toEqual([0, 1, 2]);
  });
});

describe('a paid synthesis', () => {
  const charge = { micros: 30_000, provenance: 'computed' as const };
  const text = JSON.stringify({
    sections: [{ sentences: [{ text: 'Hooks send their errors to the error handler.', claims: ['clm_01'] }] }],
  });
  const reported: StepResult = {
    ...success(),
    ...{ reportMarkdown: 'Hooks send their errors to the error handler [1].', citations: [citation(1, 'https://a.example/page')] },
  };

  /** A job with something kept back for a model, and a synthesizer with one, on a store that may fail. */
  async function paidJob(through: Store) {
    const { jobId, stepIds } = await createJob(store, {
      query: 'What of errors?',
      candidates: [candidate('provider-a')],
      synthesisReserveMicros: 50_000,
    });
    await onJob(store, jobId, start(stepIds[0] ?? ''), report(stepIds[0] ?? '', 1, reported));
    const asked: number[] = [];
    const languageModel: LanguageModel = {
      write: async (_, reservedMicros) => {
        asked.push(reservedMicros);
        return { text, isCutOff: false, charge };
      },
    };
    const model = { languageModel, name: 'model-1', priceDate: null };
    await new Synthesizer({ ...tools(), store: through, model }).start();
    return { jobId, asked };
  }

  /** The store, where something happens before each completion of a job is committed. */
  const storeWhere = (beforeCompletion: (jobId: string) => Promise<unknown>): Store => {
    const execute: Store['jobs']['execute'] = async (jobId, command, ...rest) => {
      if (command.type === 'CompleteJob') await beforeCompletion(jobId);
      return store.jobs.execute(jobId, command, ...rest);
    };
    return { ...store, jobs: Object.assign(Object.create(store.jobs) as Store['jobs'], { execute }) };
  };

  it('that the database cannot take at first is not paid again', async () => {
    let outages = 1;
    const { jobId, asked } = await paidJob(
      storeWhere(async () => {
        if (outages-- > 0) throw new StoreUnavailable(new Error('away'));
      }),
    );
    const begun = performance.now();
    expect(await wake(jobId)).toBe('acknowledged');
    // Twenty tries at once would be over before most outages.
    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(asked).toEqual([50_000]);
    expect(outages).toBeLessThan(0);
    expect(await jobState(store, jobId)).toMatchObject({ status: 'completed', totals: { chargedMicros: 30_000, lostMicros: 0 } });
  });

  it('whose claim was committed, and its answer lost, is made under that claim', async () => {
    let lost = 1;
    const execute: Store['jobs']['execute'] = async (jobId, command, ...rest) => {
      const state = await store.jobs.execute(jobId, command, ...rest);
      if (command.type === 'ClaimSynthesis' && lost-- > 0) throw new StoreUnavailable(new Error('away'));
      return state;
    };
    const { jobId, asked } = await paidJob({ ...store, jobs: Object.assign(Object.create(store.jobs) as Store['jobs'], { execute }) });
    expect(await wake(jobId)).toBe('acknowledged');
    expect(lost).toBeLessThan(0);
    expect(asked).toEqual([50_000]);
    expect((await eventTypes(store, jobId)).slice(-3)).toEqual(['SynthesisClaimed', 'SynthesisSettled', 'JobCompleted']);
  });

  it('that a thread fails to put into the report is not paid again', async () => {
    const { jobId, asked } = await paidJob(store);
    failingThreads = 2;
    expect(await wake(jobId)).toBe('acknowledged');
    expect(asked).toEqual([50_000]);
    expect(failingThreads).toBeLessThan(0);
    expect(await jobState(store, jobId)).toMatchObject({ status: 'completed', totals: { chargedMicros: 30_000, lostMicros: 0 } });
  });

  it('is asked for once by two that are woken together', async () => {
    const { jobId, asked } = await paidJob(store);
    await Promise.all([wake(jobId), wake(jobId)]);
    expect(asked).toHaveLength(1);
    expect((await eventTypes(store, jobId)).slice(-3)).toEqual(['SynthesisClaimed', 'SynthesisSettled', 'JobCompleted']);
  });

  it('of a job that is cancelled meanwhile counts its cost and changes nothing else', async () => {
    const { jobId } = await paidJob(storeWhere((id) => onJob(test.another(), id, { type: 'CancelJob' })));
    expect(await wake(jobId)).toBe('acknowledged');
    expect((await eventTypes(store, jobId)).slice(-3)).toEqual(['SynthesisClaimed', 'JobCancelled', 'SynthesisSettled']);
    expect((await jobState(store, jobId)).totals).toEqual({ chargedMicros: 0, lostMicros: 50_000, overrunMicros: 0 });
  });
});
