import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMA_VERSIONS } from '@lib/store/history/upcasters';
import type { PastJobView } from '@lib/store/views/past-job.view';
import type { StoredStream } from '../support/every-event';
import { recordJobs, viewsOf, type RecordedJob } from '../support/recorded-views';
import { createTestStore } from '../support/store';

/**
 * What each release recorded of jobs, and what it said of them at each of their versions: document, steps, money and agenda. Every later build has to say
 * the same. `make record-histories` writes the file of this release, before it is out; that of a release that is out is never changed.
 */
const FIXTURES = join(__dirname, 'fixtures');
const FOLDER = join(FIXTURES, 'releases');
const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
const fileOf = (release: string) => join(FOLDER, `histories-${release}.json`);

interface Recorded {
  /** Those that this release wrote, and those that builds before it wrote, whose content was never kept. */
  jobs: { job: RecordedJob; views: PastJobView[] }[];
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;

/** The histories of earlier builds that are kept. */
const earlier = (): RecordedJob[] =>
  readdirSync(FIXTURES)
    .filter((name) => name.startsWith('history-'))
    .flatMap((name) => read(join(FIXTURES, name)) as StoredStream[])
    .flatMap(({ streamId, events }) => (streamId.startsWith('job_') ? [{ streamId, events, contents: {} }] : []));

async function record(): Promise<void> {
  const test = await createTestStore();
  const all = [...(await recordJobs(test.store)), ...earlier()];
  await test.close();
  const jobs = await Promise.all(all.map(async (job) => ({ job, views: await viewsOf(job) })));
  writeFileSync(fileOf(version), `{"jobs":[\n${jobs.map((one) => JSON.stringify(one)).join(',\n')}\n]}\n`);
}

it('records this release, if it is asked to', async () => {
  if (process.env.RECORD_HISTORIES) await record();
  expect([fileOf(version), existsSync(fileOf(version)) || 'run `make record-histories`']).toEqual([fileOf(version), true]);
});

/** Of every release. */
const recordedBefore = (): [string, Recorded][] =>
  readdirSync(FOLDER)
    .filter((name) => name.startsWith('histories-'))
    .map((name) => [name, read(join(FOLDER, name)) as Recorded]);

/** Release 0.1.0 said of completed steps whose report is gone that they failed. */
const corrected = (view: PastJobView) => ({
  ...view,
  document: {
    ...view.document,
    steps: view.document.steps.map((step) => (step.status === 'completed' ? { ...step, errorMessage: null } : step)),
  },
});

it('the histories of every release lead to the same views at each version of each job', async () => {
  for (const [name, { jobs }] of recordedBefore())
    for (const { job, views } of jobs) expect([name, await viewsOf(job)]).toEqual([name, views.map(corrected)]);
});

it('there are jobs with and without content, and something to compare', () => {
  for (const [, { jobs }] of recordedBefore()) {
    const views = jobs.flatMap((one) => one.views);
    expect(new Set(views.map(({ erased }) => erased))).toEqual(new Set([true, false]));
    expect(new Set(views.map(({ status }) => status)).size).toBeGreaterThan(4);
    expect(views.length).toBeGreaterThan(50);
  }
});

it('the histories of this release have every type of event of jobs as it is written today', () => {
  const { jobs } = read(fileOf(version)) as Recorded;
  const recorded = new Set(jobs.flatMap(({ job: { events } }) => events.map(({ type, schemaVersion }) => `${type} ${schemaVersion}`)));
  const types = new Set(jobs.flatMap(({ job: { events } }) => events.map(({ type }) => type)));
  const missing = Object.entries(SCHEMA_VERSIONS).filter(([type, current]) => types.has(type) && !recorded.has(`${type} ${current}`));
  expect(missing).toEqual([]);
  expect(types.size).toBeGreaterThan(18);
});
