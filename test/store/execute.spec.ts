import type { JobCommand } from '@lib/domain/job-commands';
import type { JobState } from '@lib/domain/job-state';
import type { Store } from '@lib/store/store';
import { createJob, createTestStore, META, TENANT, type TestStore } from '../support/store';

let test: TestStore;
let store: Store;
beforeAll(async () => {
  test = await createTestStore();
  store = test.store;
});
afterAll(() => test.close());

const run = (jobId: string, ...commands: JobCommand[]) =>
  store.execute.execute({ meta: META, commands: commands.map((command) => ({ kind: 'job', streamId: jobId, command })) });

const completed = (stepId: string): JobCommand => ({
  type: 'RecordStep',
  stepId,
  attempt: 1,
  result: {
    outcome: 'completed',
    charge: { micros: 0, provenance: 'reported' },
    rawSha256: 'ab'.repeat(32),
    model: null,
    reportMarkdown: `# Report of ${stepId}\n\nIt is so [1].`,
    citations: [],
    truncated: false,
  },
});

describe('execute', () => {
  it('carries a job from its request to the document that is served', async () => {
    const { threadId, jobId, stepIds } = await createJob(store, { query: 'Why is the sky blue?' });
    const open = JSON.parse((await store.views.getJob(TENANT, threadId, jobId)) ?? '') as Record<string, unknown>;
    expect(open).toMatchObject({ status: 'pending', query: 'Why is the sky blue?', steps: [], synthesisMarkdown: null });

    await Promise.all(stepIds.map((stepId) => run(jobId, { type: 'StartStep', stepId, claimId: `claim-${stepId}` })));
    await Promise.all(stepIds.map((stepId) => run(jobId, completed(stepId))));
    await run(jobId, { type: 'CompleteJob', synthesizer: 'test', markdown: '# Done', claims: [] });

    const document = JSON.parse((await store.views.getJob(TENANT, threadId, jobId)) ?? '') as { steps: object[] };
    expect(document).toMatchObject({ status: 'completed', synthesisMarkdown: '# Done', synthesisClaimsJson: [] });
    expect(document.steps).toHaveLength(2);
    const stored = (await store.execute.load([jobId])).get(jobId);
    expect((stored?.state as JobState).status).toBe('completed');
  });
});
