import { complete, failure, report, start } from '../support/job-history';
import { createJob, createTestStore, type TestStore } from '../support/store';
import { onJob } from '../support/streams';
import { research } from './support/command';

/** Programs are started and waited for, on a machine that may have more to do. */
jest.setTimeout(120_000);

let test: TestStore;
let operator: Record<string, string>;
beforeAll(async () => {
  test = await createTestStore();
  operator = { DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey.toString('base64') };
});
afterAll(() => test.close());

const jobs = (...parameters: string[]) => research(['jobs', ...parameters], operator);

it('has failed steps of a job tried again, once, and says by which job', async () => {
  const { jobId, stepIds } = await createJob(test.store);
  const [one = '', two = ''] = stepIds;
  const refused = failure({ errorClass: 'auth', runEnded: true });
  await onJob(test.store, jobId, start(one), report(one, 1, refused));
  expect(await jobs('redrive', jobId, '--step', one)).toMatchObject({ code: 0, stdout: `${jobId} tries again ${one}\n` });
  await onJob(test.store, jobId, start(one, 'again'), report(one, 2, refused), start(two), report(two, 1, refused), complete);

  const keyless = await jobs('redrive', jobId);
  expect(keyless).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('keys of the providers') as string });
  const keys = { PERPLEXITY_API_KEY: 'a-key-of-a-test', OPENAI_API_KEY: 'a-key-of-a-test' };
  const { code, stdout } = await research(['jobs', 'redrive', jobId], { ...operator, ...keys });
  const [, child = ''] = /^(job_\w{26}) asks again, for at most 1500 cents, what failed in /.exec(stdout) ?? [];
  expect({ code, parent: (await test.store.jobs.load(child)).parentJobId }).toEqual({ code: 0, parent: jobId });
  expect((await test.store.jobs.load(child)).steps.map(({ entry }) => entry.adapter)).toEqual(['perplexity', 'openai']);
  expect(await jobs('redrive', jobId)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`${child} already asks again`) as string,
  });
});

it('lists what is stuck with the reason and what to do, needs no key for it, and says how much there is', async () => {
  const { jobId } = await createJob(test.store);
  await test.store.pool.query(`delete from agenda where job_id = $1 and kind = 'job deadline'`, [jobId]);
  const { MASTER_KEY: _, ...without } = operator;
  const listed = await research(['jobs', 'list', '--stuck'], without);
  expect(listed).toMatchObject({ code: 0, stderr: 'Stuck: 1.\n' });
  expect(listed.stdout).toMatch(new RegExp(`^${jobId}\ttenant-one\tpending\tno_deadline\tsince \\S+Z\t-\t.*research views rebuild.*\n$`));
  const asJson = JSON.parse((await jobs('list', '--stuck', '--json')).stdout) as object;
  expect(asJson).toMatchObject({ id: jobId, reason: 'no_deadline', remedy: expect.stringContaining('research views rebuild') as string });
});

it.each([
  [['list'], '--stuck'],
  [['list', '--stuck', '--limit', '0'], 'must be a whole number from 1'],
  [['redrive', 'thr_x'], 'must be the id of a job'],
  [['redrive', 'job_01jd6xw8k2e4zvq7h3m5n9p0rs'], 'There is no job'],
  [['redrive', 'job_01jd6xw8k2e4zvq7h3m5n9p0rs', '--step', 'first'], 'must be the id of a step'],
])('says what is wrong with %j', async (parameters, said) => {
  expect(await jobs(...parameters)).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(said) as string });
});
