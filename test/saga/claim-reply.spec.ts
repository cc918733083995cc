import type { RequestJob } from '@lib/domain/job/commands';
import { newClaim } from '@lib/messaging/claim-secret';
import type { StoreAlert } from '@lib/store/alert';
import { JobContents } from '@lib/store/sealing/job-contents';
import type { Store } from '@lib/store/store';
import type { RunTask } from '../../src/reports/report-pool';
import { Saga } from '../../src/saga/saga';
import { eventually } from '../messaging/eventually';
import { externalId, lose, planTopics, report, start, success } from '../support/job-history';
import { runHere } from '../support/run-task';
import { candidate, createJob, createTestStore, type TestStore } from '../support/store';
import { eventTypes, jobState, onJob, passTime, pursue } from '../support/streams';

const LEASE_MS = 30_000;

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore({ leaseMs: LEASE_MS });
  store = test.store;
});
afterAll(() => test.close());

const sagaWith = (runTask: RunTask = runHere, mayStart?: ConstructorParameters<typeof Saga>[3]) =>
  new Saga(store, LEASE_MS, runTask, mayStart);

/** A job whose first step has reported and whose second one waits for its claim. */
async function secondStep(changes: Partial<RequestJob> = {}) {
  const candidates = [candidate('provider-a'), candidate('provider-c', { max: 500_000 })];
  const { threadId, jobId, stepIds } = await createJob(store, { query: 'How high is the tower?', candidates, ...changes });
  const [one = '', two = ''] = stepIds;
  await onJob(store, jobId, start(one), report(one, 1, { ...success(), ...{ reportMarkdown: 'The tower is 300 metres high.' } }));
  return { threadId, jobId, stepId: two };
}

const claimOf = (saga: Saga, { jobId, stepId }: { jobId: string; stepId: string }) => saga.claim({ jobId, stepId, claimId: 'mine' });

describe('a grant', () => {
  it('says what the provider itself may cost, without the markup', async () => {
    expect(await claimOf(sagaWith(), await secondStep({ markupBasisPoints: 2_500 }))).toMatchObject({ reservedMicros: 400_000 });
  });

  it('is not given once the job’s time is over', async () => {
    const deadlines = { queueMs: 86_400_000, jobMs: 1, synthesisMs: 300_000 };
    const step = await secondStep({ deadlines });
    const begun = Date.parse((await jobState(store, step.jobId)).startedAt ?? '');
    // The clock follows the database's, and may have moved back since the start.
    await eventually(true, async () => store.now().getTime() > begun);
    expect(await claimOf(sagaWith(), step)).toEqual({ granted: false, reason: 'not_due' });
  });

  it('carries a brief of what the earlier waves found, in a methodical job alone', async () => {
    const methodical = await claimOf(sagaWith(), await secondStep({ researchMode: 'methodical' }));
    expect((methodical as { brief: string }).brief).toContain('The tower is 300 metres high');
    expect(await claimOf(sagaWith(), await secondStep())).toMatchObject({ granted: true, brief: null });
  });

  it.each<[string, RunTask]>([
    ['fails', () => Promise.reject(new Error('a thread that ended'))],
    ['does not come', () => new Promise(() => undefined)],
  ])('does without a brief that %s', async (_, runTask) => {
    expect(await claimOf(sagaWith(runTask), await secondStep({ researchMode: 'methodical' }))).toMatchObject({
      granted: true,
      brief: null,
    });
  });

  it('of a topic asks about the topic, with the job’s question around it', async () => {
    const { jobId, stepId } = await secondStep({ spideringEnabled: true });
    await onJob(store, jobId, start(stepId), report(stepId, 1, success()), planTopics(1, candidate('provider-a')));
    const asked = (await jobState(store, jobId)).steps[2]?.stepId ?? '';
    expect(await claimOf(sagaWith(), { jobId, stepId: asked })).toMatchObject({
      ...{ granted: true, query: 'Topic 1.0' },
      context: { question: 'How high is the tower?', claims: [], laterMessages: [] },
    });
  });

  it('of a topic in a pursued job keeps what the parent found', async () => {
    const parent = await createJob(store, { query: 'What stands there?' });
    const jobId = await pursue(store, parent.threadId, parent.jobId, 'How old is it?');
    const [{ stepId } = { stepId: '' }] = (await jobState(store, jobId)).steps;
    expect(await claimOf(sagaWith(), { jobId, stepId })).toMatchObject({
      query: 'How old is it?',
      context: { question: 'What stands there?', claims: [], laterMessages: [] },
    });
  });

  it('is none once the content is gone: its thread was deleted meanwhile', async () => {
    const contents = Object.create(store.contents) as Store['contents'];
    contents.ofJob = () => new JobContents(async () => null);
    const saga = new Saga({ ...store, contents }, LEASE_MS, runHere);
    expect(await claimOf(saga, await secondStep({ researchMode: 'methodical' }))).toEqual({ granted: false, reason: 'job_final' });
  });

  it('waits for its provider where that is held, and nothing is recorded', async () => {
    const { jobId, stepId } = await secondStep();
    const saga = sagaWith(runHere, async (step) => step.jobId !== jobId || step.stepId !== stepId);
    expect(await claimOf(saga, { jobId, stepId })).toEqual({ granted: false, reason: 'provider_held' });
    expect(await eventTypes(store, jobId)).not.toContain('SynthesisStarted');
    expect((await jobState(store, jobId)).steps[1]?.status).toBe('queued');
  });
});

describe('content that cannot be opened', () => {
  // What somebody with all rights on the database could do, or a broken disk.
  beforeAll(() => store.pool.query('alter table event disable trigger user'));
  afterAll(() => store.pool.query('alter table event enable trigger user'));

  /** A saga of a process that remembers nothing, and whatever it has a person told. */
  function anotherSaga() {
    const process = test.another();
    const alerts: StoreAlert[] = [];
    process.onAlert((alert) => alerts.push(alert));
    return { saga: new Saga(process, LEASE_MS, runHere), alerts };
  }

  const seal = (jobId: string, version: number, sealed: Buffer) =>
    store.pool.query('update event set sealed = $3 where stream_id = $1 and version = $2', [jobId, version, sealed]);
  /** When each entry of the job's agenda is looked at. */
  const looksOf = async (jobId: string) => {
    const { rows } = await store.pool.query<{ kind: string; inMinutes: number }>(
      `select kind, (extract(epoch from look_at - now()) / 60)::int as "inMinutes" from agenda where job_id = $1`,
      [jobId],
    );
    return new Map(rows.map(({ kind, inMinutes }) => [kind, inMinutes]));
  };

  it('of the question: nothing is started, a person is told, and the step waits until it may have been restored', async () => {
    const step = await secondStep();
    const { rows } = await store.pool.query<{ sealed: Buffer }>('select sealed from event where stream_id = $1 and version = 1', [
      step.jobId,
    ]);
    const [before, looks] = [await eventTypes(store, step.jobId), await looksOf(step.jobId)];
    expect([...looks.keys()].sort()).toEqual(['dispatch step', 'job deadline']);
    await seal(step.jobId, 1, Buffer.from('short'));
    const { saga, alerts } = anotherSaga();
    await expect(claimOf(saga, step)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(alerts).toMatchObject([{ reason: 'corrupt_content', of: step.jobId, error: { name: 'Unsealable' } }]);
    expect(await eventTypes(store, step.jobId)).toEqual(before);
    await eventually(60, async () => (await looksOf(step.jobId)).get('dispatch step') ?? 0);
    expect((await looksOf(step.jobId)).get('job deadline')).toBe(looks.get('job deadline'));

    await seal(step.jobId, 1, (rows as [{ sealed: Buffer }])[0].sealed);
    expect(await claimOf(saga, step)).toMatchObject({ granted: true, query: 'How high is the tower?' });
  });

  it('of the id of a run to be resumed: no attempt is begun, a person is told, and the run is resumed once it is restored', async () => {
    const step = await secondStep();
    await onJob(store, step.jobId, start(step.stepId), externalId(step.stepId, 1), lose(step.stepId, 1));
    const [{ version, sealed } = { version: 0, sealed: Buffer.of() }] = (
      await store.pool.query<{ version: number; sealed: Buffer }>(
        `select version, sealed from event where stream_id = $1 and type = 'StepExternalIdRecorded'`,
        [step.jobId],
      )
    ).rows;
    await seal(step.jobId, version, Buffer.from('short'));
    const before = await eventTypes(store, step.jobId);
    const { saga, alerts } = anotherSaga();
    await expect(claimOf(saga, step)).rejects.toMatchObject({ code: 'job_not_found' });
    expect(alerts).toMatchObject([{ reason: 'corrupt_content', of: step.jobId }]);
    expect(await eventTypes(store, step.jobId)).toEqual(before);
    await seal(step.jobId, version, sealed);
    expect(await claimOf(saga, step)).toMatchObject({ granted: true, externalId: 'run-1' });
  });

  it('of what a parent found: a pursued job is asked without it, and a person is told of the parent', async () => {
    const parent = await createJob(store, { query: 'What stands there?' });
    const jobId = await pursue(store, parent.threadId, parent.jobId, 'How old is it?');
    const [{ stepId } = { stepId: '' }] = (await jobState(store, jobId)).steps;
    await seal(parent.jobId, 1, Buffer.from('short'));
    const { saga, alerts } = anotherSaga();
    expect(await claimOf(saga, { jobId, stepId })).toMatchObject({ granted: true, query: 'How old is it?', context: null });
    expect(alerts).toMatchObject([{ reason: 'corrupt_content', of: parent.jobId }]);
  });

  it('of an earlier report: the step is granted without a brief', async () => {
    const step = await secondStep({ researchMode: 'methodical' });
    const { rows } = await store.pool.query<{ version: number }>(
      `select version from event where stream_id = $1 and type = 'StepCompleted'`,
      [step.jobId],
    );
    await seal(step.jobId, (rows as [{ version: number }])[0].version, Buffer.from('short'));
    expect(await claimOf(anotherSaga().saga, step)).toMatchObject({ granted: true, brief: null });
  });
});

it('whatever a saga commits is said to be its own, and of which step', async () => {
  const { jobId, stepId } = await secondStep();
  await claimOf(sagaWith(), { jobId, stepId });
  await sagaWith().recordExternalId({ jobId, stepId, attempt: 1, externalId: 'run-1' });
  await sagaWith().report({ jobId, stepId, attempt: 1, result: success() });
  const { rows } = await store.pool.query<{ type: string; meta: object }>(
    `select type, meta from event where stream_id = $1 and facts ->> 'stepId' = $2 order by version`,
    [jobId, stepId],
  );
  expect(rows.map(({ type, meta }) => [type, meta])).toMatchObject([
    ['StepStarted', { actor: 'role:saga', correlationId: 'mine' }],
    ['StepExternalIdRecorded', { actor: 'role:saga', correlationId: `${stepId}#1` }],
    ['StepCompleted', { actor: 'role:saga', correlationId: `${stepId}#1` }],
  ]);
});

it('a lease is renewed for its holder alone, also by a saga that has not heard of the attempt', async () => {
  const { jobId, stepIds } = await createJob(store);
  const [stepId = ''] = stepIds;
  const [own, stranger] = [newClaim(), newClaim()];
  await new Saga(test.another(), LEASE_MS, runHere).claim({ jobId, stepId, claimId: own.claimId });
  const beat = { jobId, stepId, attempt: 1 };
  const refusal = { code: 'attempt_not_found' };
  await expect(sagaWith().heartbeat({ ...beat, claimSecret: stranger.claimSecret })).rejects.toMatchObject(refusal);
  await expect(sagaWith().heartbeat(beat)).rejects.toMatchObject(refusal);
  expect(await sagaWith().heartbeat({ ...beat, claimSecret: own.claimSecret })).toEqual({ goOn: true });
});

it('a run that could not be cancelled in twenty tries is given up, and nobody is asked again', async () => {
  const { jobId, stepId } = await secondStep();
  await onJob(store, jobId, start(stepId), externalId(stepId, 1), { type: 'CancelJob' });
  const ids = { jobId, stepId, run: 1 };
  for (let tries = 1; tries <= 20; tries += 1) {
    await passTime(store, 3_600_000);
    expect(await sagaWith().abandonedRun(ids)).toEqual({ externalId: 'run-1' });
  }
  expect(await sagaWith().abandonedRun(ids)).toEqual({ externalId: null });
  const { rows } = await store.pool.query<{ facts: object }>(`select facts from event where stream_id = $1 and type = 'StepRunCancelled'`, [
    jobId,
  ]);
  expect(rows).toMatchObject([{ facts: { stepId, run: 1, outcome: 'given_up' } }]);
  expect(await sagaWith().abandonedRun(ids)).toEqual({ externalId: null });
});
