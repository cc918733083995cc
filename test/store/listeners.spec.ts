import { createJob, createTestStore, type TestStore } from '../support/store';

let test: TestStore;
beforeAll(async () => {
  test = await createTestStore();
});
afterAll(() => test.close());

it('a listener that throws neither fails what is stored nor keeps others from being told', async () => {
  const heard: string[] = [];
  test.store.onCommit(() => {
    throw new Error('a broken listener');
  });
  test.store.onCommit(({ appended }) => void heard.push(...appended.map(({ record }) => record.type)));
  const { jobId } = await createJob(test.store);
  expect(jobId).toMatch(/^job_/);
  expect(heard).toContain('JobRequested');
});
