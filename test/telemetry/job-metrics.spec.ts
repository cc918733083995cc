import { measureJobs } from '../../src/telemetry/job-metrics';
import { createMetrics } from '../../src/telemetry/metrics';
import { complete, report, start, success } from '../support/job-history';
import { candidate, createJob, createTestStore, TENANT, type TestStore } from '../support/store';
import { onJob } from '../support/streams';

let test: TestStore;
beforeAll(async () => (test = await createTestStore()));
afterAll(() => test.close());

it('what providers charge after the end of a job is not among what customers were charged', async () => {
  const { store } = test;
  const metrics = createMetrics({ roles: 'saga', build: 'test' });
  measureJobs(store, metrics, [TENANT]);
  const valueOf = async (name: string) => {
    const found = (await metrics.registry.getMetricsAsJSON()).find((metric) => metric.name === name);
    return found?.values.reduce((sum, { value }) => sum + value, 0);
  };
  const dollars = () =>
    Promise.all(['research_charged_dollars_total', 'research_tenant_charged_dollars_total', 'research_late_dollars_total'].map(valueOf));
  const candidates = () => [candidate('provider-a', { max: 400_000 })];
  const [inTime, late] = [await createJob(store, { candidates: candidates() }), await createJob(store, { candidates: candidates() })];
  const [one = '', other = ''] = [...inTime.stepIds, ...late.stepIds];
  // The charge and the end are in one commit.
  await onJob(store, inTime.jobId, start(one), report(one, 1, success(300_000)), complete);
  expect(await dollars()).toEqual([0.3, 0.3, 0]);
  await onJob(store, late.jobId, start(other), { type: 'CancelJob' });
  await onJob(store, late.jobId, report(other, 1, success(150_000)));
  expect(await dollars()).toEqual([0.3, 0.3, 0.15]);
});

it('the time until the first step of a job counts once, also where several of its steps start in one commit', async () => {
  const metrics = createMetrics({ roles: 'saga', build: 'test' });
  measureJobs(test.store, metrics, []);
  const { jobId, stepIds } = await createJob(test.store, { candidates: [candidate('provider-a'), candidate('provider-b')] });
  await onJob(test.store, jobId, ...stepIds.map((stepId) => start(stepId, stepId)));
  const { values } = await metrics.firstStep.get();
  expect(values.find(({ metricName }) => metricName === 'research_job_first_step_seconds_count')?.value).toBe(1);
});
